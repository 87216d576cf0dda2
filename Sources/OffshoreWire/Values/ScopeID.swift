/// The id of a scope, within which the server orders changes: a kind and a value, as in
/// `charter/7`.
///
/// A kind is a letter followed by letters, digits and underscores, at most 64 characters in all. A
/// value has 1 to 200 visible ASCII characters and no slash.
public struct ScopeID: Hashable, Sendable {
  /// The kind of the scope, for example `charter`.
  public let kind: String
  /// The value that identifies the scope among those of its kind, for example the charter's id.
  public let value: String

  /// Creates an id.
  /// - Throws: `WireError` with the code `invalidName` if the kind or the value is not allowed.
  public init(kind: String, value: String) throws(WireError) {
    guard Identifier.isValid(kind) else {
      throw WireError(
        .invalidName, "A scope's kind is a letter, then letters, digits and underscores.",
        place: "kind")
    }
    guard 1...Self.longestValue ~= value.utf8.count, value.utf8.allSatisfy(Self.isAllowed) else {
      throw WireError(
        .invalidName, "A scope's value has 1 to 200 visible ASCII characters and no slash.",
        place: "value")
    }
    self.kind = kind
    self.value = value
  }

  /// Parses the text of an id.
  /// - Throws: `WireError` with the code `invalidName` if it does not have the form `kind/value`.
  public init(_ text: String) throws(WireError) {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      throw WireError(.invalidName, "A scope is written as its kind, a slash and its value.")
    }
    try self.init(kind: String(text[..<slash]), value: String(text[slash...].dropFirst()))
  }

  /// The kind, a slash and the value.
  public var text: String { "\(kind)/\(value)" }

  private static let longestValue = 200

  private static func isAllowed(_ byte: UInt8) -> Bool {
    0x21...0x7E ~= byte && byte != UInt8(ascii: "/")
  }
}

extension ScopeID: Comparable {
  /// Compares ids by kind, then by value.
  public static func < (left: ScopeID, right: ScopeID) -> Bool {
    left.kind == right.kind ? left.value < right.value : left.kind < right.kind
  }
}

extension ScopeID: CustomStringConvertible {
  /// The kind, a slash and the value.
  public var description: String { text }
}

/// The encoding has the kind, then the value.
extension ScopeID: WireCodable {
  package static var leastByteCount: Int { 4 }

  package func encode(into writer: inout WireWriter) {
    writer.text(kind)
    writer.text(value)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let (kind, value) = (try reader.name(), try reader.name())
    do {
      try self.init(kind: kind, value: value)
    } catch {
      throw reader.malformed(error.message)
    }
  }
}
