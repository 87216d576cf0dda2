import OffshoreJSON

/// A JSON text taken apart into what is merged on its own: the keys of an object, or the members of an
/// array that is a set.
///
/// | text | form | shell | parts |
/// | --- | --- | --- | --- |
/// | `{"a": 1, "b": [2]}` | object | `{}` | `a`: `1`, `b`: `[2]` |
/// | `["x", "y", "x"]` | set | `[]` | `"x"`: 1, `"y"`: 1 |
/// | NULL, or what is no such JSON | either | the value | none |
///
/// Put together again, keys and members are sorted and white space is gone; the values of keys keep
/// their spelling. Of a key that stands twice, the last counts. Members are strings, numbers, `true`,
/// `false` and `null`; an array with others is no set.
public struct CompoundValue: Hashable, Sendable {
  /// What the text is taken for.
  public enum Form: Sendable {
    /// An object whose keys are merged each on its own.
    case object
    /// An array without order or repetition.
    case set

    /// The text without parts.
    var empty: WireValue { self == .object ? "{}" : "[]" }
  }

  /// What the text is taken for.
  public let form: Form
  /// The value where there are no parts.
  public let shell: WireValue
  /// The parts by key. A key's value is JSON as a text; a member's is the integer 1.
  public let parts: [String: WireValue]

  /// Takes a value apart.
  public init(_ value: WireValue, _ form: Form) {
    self.form = form
    guard case .text(let bytes) = value, let parts = Self.parts(of: bytes, form) else {
      (shell, parts) = (value, [:])
      return
    }
    shell = form.empty
    self.parts = parts
  }

  /// Takes the shell and the parts. A part that is NULL was removed.
  public init(_ form: Form, shell: WireValue, parts: [String: WireValue]) {
    self.form = form
    self.shell = shell
    self.parts = parts.filter { !$0.value.isNull }
  }

  /// The value, put together.
  public var value: WireValue {
    if parts.isEmpty { return shell }
    let parts = parts.sorted { $0.key < $1.key }.map { key, value in
      form == .set ? Self.memberText(key) : Self.entryText(key, value)
    }
    let ends = form == .object ? ("{", "}") : ("[", "]")
    return .text(Array(ends.0.utf8) + parts.joined(separator: Array(",".utf8)) + Array(ends.1.utf8))
  }

  // MARK: - Taking apart

  private static func parts(of bytes: [UInt8], _ form: Form) -> [String: WireValue]? {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      var parts: [String: WireValue] = [:]
      do {
        switch form {
        case .object:
          try scanner.object(
            key: { JSONText.name(of: try $0.quoted()) },
            member: { parts[$1] = .text(Array(try $0.rawValue())) })
        case .set: try scanner.array { parts[try member(of: $0.rawValue())] = 1 }
        }
        try scanner.end()
        return parts
      } catch {
        return nil
      }
    }
  }

  /// The name of a member: a string with its quotes, anything else as it is spelled.
  private static func member(of value: JSONScanner.Part) throws(JSONScanner.Fault) -> String {
    switch value.first {
    case UInt8(ascii: "\""): return "\"\(JSONText.name(of: value.dropFirst().dropLast()))\""
    case UInt8(ascii: "{"), UInt8(ascii: "["): throw JSONScanner.Fault("is no set")
    default: return String(decoding: value, as: UTF8.self)
    }
  }

  // MARK: - Putting together

  private static func memberText(_ key: String) -> [UInt8] {
    guard key.hasPrefix("\"") else { return Array(key.utf8) }
    return quoted(String(key.dropFirst().dropLast()))
  }

  private static func entryText(_ key: String, _ value: WireValue) -> [UInt8] {
    guard case .text(let bytes) = value else { return quoted(key) + Array(":null".utf8) }
    return quoted(key) + [UInt8(ascii: ":")] + bytes
  }

  private static func quoted(_ name: String) -> [UInt8] {
    [UInt8(ascii: "\"")] + JSONText.content(of: name) + [UInt8(ascii: "\"")]
  }

  // MARK: - Checking

  /// Whether a value is what stays of a text when its parts are taken out.
  static func isShell(_ value: WireValue, of form: Form) -> Bool {
    let compound = CompoundValue(value, form)
    return compound.parts.isEmpty && compound.shell == value
  }

  /// Whether a key and its value are what taking a text apart gives, NULL being one that was removed.
  static func isPart(_ key: String, _ value: WireValue, of form: Form) -> Bool {
    switch form {
    case .set: isMember(key) && (value.isNull || value == 1)
    case .object: isKey(key) && (value.isNull || isText(value))
    }
  }

  private static func isKey(_ key: String) -> Bool {
    let quoted = Array("\"\(key)\"".utf8)
    return JSONScanner.isValue(quoted) && JSONText.name(of: Array(key.utf8)) == key
  }

  private static func isMember(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    guard JSONScanner.isValue(bytes) else { return false }
    return bytes.withUnsafeBufferPointer { try? member(of: $0[...]) } == key
  }

  private static func isText(_ value: WireValue) -> Bool {
    guard case .text(let bytes) = value else { return false }
    return JSONScanner.isValue(bytes)
  }
}
