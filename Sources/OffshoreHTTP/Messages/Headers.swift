/// Header fields in their order. Names are compared without regard to ASCII case.
public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The names as they were written, with their values.
  public private(set) var fields: [(name: String, value: String)] = []

  /// Creates headers from names and values. A name may occur several times.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The first value of a name. Setting it replaces all values of the name; `nil` removes them.
  ///
  /// Control characters in a new value become spaces, because they could start another field.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.isSame($0.name, name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// Returns all values of a name, in their order.
  public func all(_ name: String) -> [String] {
    fields.compactMap { Self.isSame($0.name, name) ? $0.value : nil }
  }

  /// Returns the members of a name's comma-separated values, without spaces around them.
  ///
  /// Empty members are left out. See
  /// <https://www.rfc-editor.org/rfc/rfc9110#name-lists-rule-abnf-extension>.
  public func list(_ name: String) -> [String] {
    all(name).flatMap { $0.split(separator: ",") }.map(ASCII.trimmed).filter { !$0.isEmpty }
  }

  /// The media type of the content in lower case, without parameters; `nil` if it is not stated.
  var mediaType: String? {
    self["Content-Type"].map { ASCII.trimmed($0.prefix { $0 != ";" }).lowercased() }
  }

  /// Appends a field, even if the name occurs already, as with `Set-Cookie`.
  ///
  /// A field whose name is not a token (<https://www.rfc-editor.org/rfc/rfc9110#name-tokens>) is
  /// not sent.
  public mutating func add(_ name: String, _ value: String) {
    fields.append((name, Self.withoutControls(value)))
  }

  /// Appends a field as the client sent it, which is validated later.
  mutating func appendReceived(_ name: String, _ value: String) { fields.append((name, value)) }

  mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

  /// Returns whether both have the same names and values in the same order.
  public static func == (left: Headers, right: Headers) -> Bool {
    left.fields.elementsEqual(right.fields) { isSame($0.name, $1.name) && $0.value == $1.value }
  }

  /// Returns whether a name has only the characters that HTTP allows in a name.
  static func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(ASCII.isTokenByte)
  }

  /// Returns whether the server sets the field itself, according to the content that it sends.
  static func isSetByServer(_ name: String) -> Bool {
    ["content-length", "transfer-encoding", "connection", "date"].contains(name.lowercased())
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.utf8, right.utf8)
    return left.count == right.count
      && zip(left, right).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  private static func withoutControls(_ value: String) -> String {
    guard value.utf8.contains(where: ASCII.isControl) else { return value }
    let bytes = value.utf8.map { ASCII.isControl($0) ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
