import OffshoreJSON

/// A JSON text split into the parts that are merged separately: the keys of an object, or the
/// members of a set.
///
/// | text | form | shell | parts |
/// | --- | --- | --- | --- |
/// | `{"a": 1, "b": [2]}` | object | `{}` | `a`: `1`, `b`: `[2]` |
/// | `["x", "y", "x"]` | set | `[]` | `"x"`: 1, `"y"`: 1 |
/// | any other value | either | the value | none |
///
/// When the value is composed again, keys and members are sorted and white space is removed; the
/// values of keys are spelled as before. If a key occurs twice, its last value counts. Members are
/// strings, numbers, `true`, `false` and `null`; an array with other elements is not a set.
package struct CompoundValue: Hashable, Sendable {
  /// The kind of JSON that a text is parsed as.
  package enum Form: Sendable {
    /// An object whose keys are merged separately.
    case object
    /// An array without order or repetition.
    case set

    /// The text without parts.
    var empty: WireValue { self == .object ? "{}" : "[]" }
  }

  /// The kind of JSON that the text is parsed as.
  package let form: Form
  /// The value without its parts: `{}` or `[]`, or the original value if it could not be split.
  package let shell: WireValue
  /// The parts by key. A key's value is JSON as a text; a member's is the integer 1.
  package let parts: [String: WireValue]

  /// Splits a value into its parts.
  /// - Parameter limit: the largest number of parts; a value with more of them is not split.
  package init(_ value: WireValue, _ form: Form, upTo limit: Int = .max) {
    self.form = form
    guard case .text(let bytes) = value, let parts = Self.parts(of: bytes, form, upTo: limit) else {
      (shell, parts) = (value, [:])
      return
    }
    shell = form.empty
    self.parts = parts
  }

  /// Creates a value from its shell and parts. A part that is NULL was removed and is left out.
  package init(_ form: Form, shell: WireValue, parts: [String: WireValue]) {
    self.form = form
    self.shell = shell
    self.parts = parts.filter { !$0.value.isNull }
  }

  /// The value composed of the shell and the parts.
  package var value: WireValue {
    if parts.isEmpty { return shell }
    let parts = parts.sorted { $0.key < $1.key }.map { key, value in
      form == .set ? Self.memberText(key) : Self.entryText(key, value)
    }
    let ends = form == .object ? ("{", "}") : ("[", "]")
    return .text(Array(ends.0.utf8) + parts.joined(separator: Array(",".utf8)) + Array(ends.1.utf8))
  }

  // MARK: - Splitting

  private static func parts(
    of bytes: [UInt8], _ form: Form, upTo limit: Int
  ) -> [String: WireValue]? {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      var parts: [String: WireValue] = [:]
      func add(_ key: String, _ value: WireValue) throws(JSONScanner.Fault) {
        parts[key] = value
        if parts.count > limit { throw JSONScanner.Fault("has more than \(limit) parts") }
      }
      do {
        switch form {
        case .object:
          try scanner.scanObject(
            key: { JSONSpelling.name(of: try $0.scanQuotedText()) },
            member: { try add($1, .text(Array(try $0.scanRawValue()))) })
        case .set: try scanner.scanArray { try add(try member(of: $0.scanRawValue()), 1) }
        }
        try scanner.finish()
        return parts
      } catch {
        return nil
      }
    }
  }

  /// Returns the name of a member: a string with its quotes, any other value as it is spelled.
  /// - Throws: `JSONScanner.Fault` for an object or an array.
  private static func member(of value: JSONScanner.Part) throws(JSONScanner.Fault) -> String {
    switch value.first {
    case UInt8(ascii: "\""): return "\"\(JSONSpelling.name(of: value.dropFirst().dropLast()))\""
    case UInt8(ascii: "{"), UInt8(ascii: "["): throw JSONScanner.Fault("is no set")
    default: return String(decoding: value, as: UTF8.self)
    }
  }

  // MARK: - Composing

  private static func memberText(_ key: String) -> [UInt8] {
    guard key.hasPrefix("\"") else { return Array(key.utf8) }
    return quoted(String(key.dropFirst().dropLast()))
  }

  private static func entryText(_ key: String, _ value: WireValue) -> [UInt8] {
    guard case .text(let bytes) = value else { return quoted(key) + Array(":null".utf8) }
    return quoted(key) + [UInt8(ascii: ":")] + bytes
  }

  private static func quoted(_ name: String) -> [UInt8] {
    [UInt8(ascii: "\"")] + JSONSpelling.content(of: name) + [UInt8(ascii: "\"")]
  }

  // MARK: - Validation

  /// Returns whether a value is a shell: a value that has no parts and that splitting does not
  /// change.
  static func isShell(_ value: WireValue, of form: Form) -> Bool {
    let compound = CompoundValue(value, form)
    return compound.parts.isEmpty && compound.shell == value
  }

  /// Returns whether a key and its value can be a part. NULL stands for a part that was removed.
  static func isPart(_ key: String, _ value: WireValue, of form: Form) -> Bool {
    switch form {
    case .set: isMember(key) && (value.isNull || value == 1)
    case .object: isKey(key) && (value.isNull || isText(value))
    }
  }

  private static func isKey(_ key: String) -> Bool {
    let quoted = Array("\"\(key)\"".utf8)
    return JSONScanner.isValue(quoted) && JSONSpelling.name(of: Array(key.utf8)) == key
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

/// Conversion between two spellings of the content of a JSON string.
///
/// A name is ASCII only, because Swift compares strings by canonical equivalence and would equate
/// different spellings of other characters. A text escapes only the characters that require it.
/// Each can be converted to the other, even if the string has an unpaired surrogate.
enum JSONSpelling {
  /// Returns the content of a string as a name.
  /// - Parameter content: the bytes between the quotes of a string, from `JSONScanner`.
  static func name(of content: JSONScanner.Part) -> String {
    JSONEscapes.utf16Units(content).reduce(into: "") { name, unit in
      switch unit {
      case 0x22, 0x5C: name += "\\" + String(UnicodeScalar(UInt8(unit)))
      case 0x20...0x7E: name.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
      default: name += escape(unit)
      }
    }
  }

  /// Returns the content of a string as a name.
  /// - Parameter content: the bytes between the quotes of a string.
  static func name(of content: [UInt8]) -> String {
    content.withUnsafeBufferPointer { name(of: $0[...]) }
  }

  /// Returns the content of the string that a name stands for, without quotes.
  static func content(of name: String) -> [UInt8] {
    var content: [UInt8] = []
    let units = Array(name.utf8).withUnsafeBufferPointer { JSONEscapes.utf16Units($0[...]) }
    var index = 0
    while index < units.count {
      let unit = units[index]
      if let scalar = scalar(at: index, of: units) {
        content += spelling(of: scalar)
        index += scalar.value > 0xFFFF ? 2 : 1
      } else {
        content += Array(escape(unit).utf8)
        index += 1
      }
    }
    return content
  }

  /// Returns the character that begins at an index, or `nil` for an unpaired surrogate.
  private static func scalar(at index: Int, of units: [UInt16]) -> UnicodeScalar? {
    let unit = units[index]
    guard UTF16.isLeadSurrogate(unit), index + 1 < units.count,
      UTF16.isTrailSurrogate(units[index + 1])
    else { return UnicodeScalar(unit) }
    return UnicodeScalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(units[index + 1] & 0x3FF)))
  }

  private static func spelling(of scalar: UnicodeScalar) -> [UInt8] {
    switch scalar.value {
    case 0x22, 0x5C: [0x5C, UInt8(scalar.value)]
    case 0..<0x20: Array(escape(UInt16(scalar.value)).utf8)
    default: Array(String(scalar).utf8)
    }
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
