public import Offshore
public import OffshoreWire

/// A row on a server, as it was when the server answered.
///
/// Its ``entityTag`` is the precondition of a change that must not overwrite later changes of
/// others.
public struct RemoteRow<Row: Record>: Sendable {
  /// The values of the row. Columns that are local to devices have their defaults.
  public let value: Row
  /// The scope that the row belongs to.
  public let scope: ScopeID
  /// The version of the row.
  public let entityTag: EntityTag
}

extension RemoteRow: Equatable where Row: Equatable {}

/// A page of the rows on a server.
public struct RemotePage<Row: Record>: Sendable {
  /// The rows, in the order of their scopes and ids.
  public let rows: [RemoteRow<Row>]
  /// The place after which the next page begins, for ``RowClient/page(of:in:after:limit:)``; `nil`
  /// on the last page.
  public let next: String?
}

extension RemotePage: Equatable where Row: Equatable {}

/// The version of a row on a server (<https://www.rfc-editor.org/rfc/rfc9110#name-etag>).
///
/// Two tags of a row are equal if no value of the row has changed in between, and it was neither
/// deleted nor inserted again.
public struct EntityTag: Hashable, Sendable {
  /// The text, with its quotes.
  public let text: String

  /// Creates a tag from the ``text`` of another one, for example one that a page has sent back.
  /// - Returns: `nil` if the text is not visible ASCII in double quotes.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
      bytes.dropFirst().dropLast().allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") })
    else { return nil }
    self.text = text
  }
}
