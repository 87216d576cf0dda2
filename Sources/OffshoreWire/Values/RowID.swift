/// The id of a row: its table, and its id in that table as a text.
///
/// An id has 1 to 200 visible ASCII characters, as the text of a UUID has. So ids compare alike in
/// Swift, SQLite and PostgreSQL. An id without a slash can be the value of a scope.
public struct RowID: Hashable, Sendable {
  /// The name of the table.
  public var table: String
  /// The value of the table's id column.
  public var id: String

  /// Creates an id, which is not checked here. A server refuses an edit of a row whose id is not
  /// valid.
  public init(table: String, id: String) {
    self.table = table
    self.id = id
  }
}

extension RowID {
  /// Whether the id has 1 to 200 visible characters of ASCII.
  package var hasValidID: Bool {
    1...WireLimits.idBytes ~= id.utf8.count && id.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }
}

extension RowID: Comparable {
  /// Compares ids by table, then by the id in it.
  public static func < (left: RowID, right: RowID) -> Bool {
    left.table == right.table ? left.id < right.id : left.table < right.table
  }
}

extension RowID: CustomStringConvertible {
  /// The table and the id, for example `charters/7`.
  public var description: String { "\(table)/\(id)" }
}

/// The encoding has the table, then the id.
extension RowID: WireCodable {
  package static var leastByteCount: Int { 2 }

  package func encode(into writer: inout WireWriter) {
    writer.text(table)
    writer.text(id)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(table: try reader.name(), id: try reader.name())
  }
}
