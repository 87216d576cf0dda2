/// Header fields in their order; names are compared without regard to ASCII case.
public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// Names as they were written, with their values.
  public private(set) var fields: [(name: String, value: String)] = []

  /// Makes a list from names and values, which may repeat a name.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The first value of a name; setting it replaces all values of the name, and `nil` removes them.
  ///
  /// Set values keep to one line: control characters, which could start another field, turn to spaces.
  public subscript(name: String) -> String? {
    get { fields.first { Self.same($0.name, name) }?.value }
    set {
      fields.removeAll { Self.same($0.name, name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// All values of a name, in their order.
  public func all(_ name: String) -> [String] {
    fields.compactMap { Self.same($0.name, name) ? $0.value : nil }
  }

  /// The members of a name's values, which are lists between commas, without spaces around them
  /// (<https://www.rfc-editor.org/rfc/rfc9110#name-lists-rule-abnf-extension>). Empty ones are left out.
  public func list(_ name: String) -> [String] {
    all(name).flatMap { $0.split(separator: ",") }.map(ASCII.trimmed).filter { !$0.isEmpty }
  }

  /// Appends a field, though there may be one of the name, as with `Set-Cookie`.
  ///
  /// A name that is no token (<https://www.rfc-editor.org/rfc/rfc9110#name-tokens>) is not sent.
  public mutating func add(_ name: String, _ value: String) {
    fields.append((name, Self.oneLine(value)))
  }

  /// Appends a field as it came from a client, to be judged later.
  mutating func appendReceived(_ name: String, _ value: String) { fields.append((name, value)) }

  mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

  /// Whether both have the same names and values in the same order.
  public static func == (left: Headers, right: Headers) -> Bool {
    left.fields.elementsEqual(right.fields) { same($0.name, $1.name) && $0.value == $1.value }
  }

  /// Whether a name consists of the characters that HTTP allows in one.
  static func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(ASCII.isTokenByte)
  }

  /// Whether the server states the field itself, by what it sends.
  static func isOurs(_ name: String) -> Bool {
    ["content-length", "transfer-encoding", "connection", "date"].contains(name.lowercased())
  }

  private static func same(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.utf8, right.utf8)
    return left.count == right.count
      && zip(left, right).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  private static func oneLine(_ value: String) -> String {
    guard value.utf8.contains(where: ASCII.isControl) else { return value }
    let bytes = value.utf8.map { ASCII.isControl($0) ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
