/// The fields of a form or a query, in their order. A name may occur several times.
public struct Fields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// A name with one value, both decoded.
  public struct Item: Sendable, Equatable {
    /// The name of the field.
    public var name: String
    /// The value that was entered.
    public var value: String
  }

  /// The maximum number of fields that a form or a query may have.
  public static let maximumCount = 1_000

  /// All fields, in their order.
  public var items: [Item]

  /// Creates fields from names and values. A name may occur several times.
  public init(dictionaryLiteral elements: (String, String)...) {
    items = elements.map { Item(name: $0.0, value: $0.1) }
  }

  /// The first value of a name, or `nil` if it is missing, as for a checkbox that is not ticked.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Returns all values of a name in their order, for example of several ticked checkboxes.
  public func all(_ name: String) -> [String] {
    items.compactMap { $0.name == name ? $0.value : nil }
  }

  /// The fields as `application/x-www-form-urlencoded`, for a link or a test that posts a form.
  public var encoded: String {
    items.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
  }

  init() { items = [] }

  private init(items: [Item]) { self.items = items }

  /// Parses at most `limit` fields of an encoded form, and returns whether these are all.
  static func decoding(
    _ bytes: some Collection<UInt8>, limit: Int
  ) -> (fields: Fields, isComplete: Bool) {
    var items: [Item] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != UInt8(ascii: "&") }
      rest = rest[part.endIndex...].dropFirst()
      guard !part.isEmpty else { continue }
      guard items.count < limit else { return (Fields(items: items), false) }
      items.append(item(part))
    }
    return (Fields(items: items), true)
  }

  private static func item(_ part: some Collection<UInt8>) -> Item {
    let name = part.prefix { $0 != UInt8(ascii: "=") }
    let value = part[name.endIndex...].dropFirst()
    return Item(
      name: PercentEncoding.decodeLeniently(name, plusIsSpace: true),
      value: PercentEncoding.decodeLeniently(value, plusIsSpace: true))
  }

  private static func encode(_ text: String) -> String {
    PercentEncoding.encode(text) { byte in
      ASCII.isDigit(byte) || ASCII.isLetter(byte) || "-._*".utf8.contains(byte)
    }
  }
}
