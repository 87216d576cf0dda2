import Foundation
public import Offshore
import OffshoreWire

/// The name of a synced row.
public struct RowName: Hashable, Sendable {
  /// The table, which identifies the kind of row.
  public let table: String
  /// The title of the row, or that of the row that it is part of if it has none of its own.
  public let title: String?
  /// The title of the row that this row is part of; `nil` if ``title`` is that title.
  public let whole: String?

  /// The table of members, for a change that is a command about one.
  package static let members = MemberRow.table

  /// Creates a name.
  public init(table: String, title: String? = nil, whole: String? = nil) {
    self.table = table
    self.title = title
    self.whole = whole
  }
}

/// A row with a pending or refused change, as a ``StoreSchema/TitleLookup`` receives it.
///
/// If the row was deleted, its columns have their former values, as far as these are known.
public struct ChangedRow {
  /// The table's name.
  public let table: String
  /// The row's key.
  public let id: String
  /// The former values, by the names of the columns in messages.
  private let former: [String: WireValue]
  private let names: RowNames

  init(_ row: RowID, in table: SyncTable, former: [String: WireValue], names: RowNames) {
    (self.table, id) = (table.name, row.id)
    self.former = former
    self.names = names
  }

  /// Returns the text of a column, or `nil` if the column has no text or the row is of another
  /// table.
  /// - Throws: `DatabaseError`.
  public func text<Row: Record>(_ column: PartialKeyPath<Row>) throws -> String? {
    guard table == Row.table.name, let column = Row.table.column(of: column) else { return nil }
    return try text(column.name)
  }

  /// Returns the title of another row by its key: the text of the column that its table declares as
  /// `title`.
  /// - Returns: `nil` if `id` is `nil`, if the row is not on this device, or if it has no title.
  /// - Throws: `DatabaseError`.
  public func title<Row: Record>(of type: Row.Type, _ id: String?) throws -> String? {
    guard let id else { return nil }
    return try names.title(of: RowID(table: type.table.name, id: id))
  }

  func text(_ column: String) throws -> String? {
    try names.text(column, of: RowID(table: table, id: id))
      ?? former[names.sentName(of: column, in: table)]?.string
  }
}

/// The names of rows, for the duration of one read.
final class RowNames {
  private let schema: SyncSchema
  private let reader: Reader
  private let lookUp: StoreSchema.TitleLookup?
  private let memberName: (UUID, Reader) throws -> String?
  /// A cache of titles, because many rows may be part of one row.
  private var titles: [RowID: String?] = [:]

  init(_ store: StoreSchema, _ replica: Replica, _ reader: Reader) {
    schema = replica.schema
    memberName = replica.name(of:_:)
    self.reader = reader
    lookUp = store.titles?(reader)
  }

  /// Returns the name of a row.
  /// - Parameter former: the former values of the row, in case it was deleted.
  func name(of row: RowID, _ former: [String: WireValue] = [:]) throws -> RowName {
    guard let table = schema[row.table] else { return RowName(table: row.table) }
    let changed = ChangedRow(row, in: table, former: former, names: self)
    let own =
      if let column = table.row.title { try changed.text(column) } else { try lookUp?(changed) }
    let whole = try whole(of: row, former).flatMap { try title(of: $0) }
    return RowName(table: table.name, title: own ?? whole, whole: own == nil ? nil : whole)
  }

  /// Returns the name of a member, with the title of the scope as its whole.
  func name(ofMember member: RowID, in scope: ScopeID?) throws -> RowName {
    let root = scope.flatMap { scope in
      schema.tables.first { $0.scopeKind == scope.kind && $0.scopeColumn == $0.idColumn }
        .map { RowID(table: $0.name, id: scope.value) }
    }
    let account = UUID(sent: member.id)
    return RowName(
      table: member.table, title: try account.flatMap { try memberName($0, reader) },
      whole: try root.flatMap { try title(of: $0) })
  }

  /// Returns the importance of a table's rows to the user.
  func level(of table: String) -> PendingChange.Level {
    guard let row = schema[table]?.row, row.title != nil else { return .detail }
    return row.whole == nil ? .whole : .part
  }

  /// Returns the row that a row is part of.
  func whole(of row: RowID, _ former: [String: WireValue]) throws -> RowID? {
    guard let table = schema[row.table], let whole = table.row.whole else { return nil }
    let id = try ChangedRow(row, in: table, former: former, names: self).text(whole.column)
    return id.map { schema.sent(RowID(table: whole.table, id: $0)) }
  }

  func title(of row: RowID) throws -> String? {
    if let known = titles[row] { return known }
    let title = try schema[row.table]?.row.title.flatMap { try text($0, of: row) }
    titles[row] = .some(title)
    return title
  }

  /// Returns the name of a column in messages.
  func sentName(of column: String, in table: String) -> String {
    schema[table]?.sentName(of: column) ?? column
  }

  /// Returns the text of a column, or `nil` if the row is not in the file.
  func text(_ column: String, of row: RowID) throws -> String? {
    guard let table = schema[row.table] else { return nil }
    return try SQL(
      """
      SELECT \(identifier: column) FROM \(identifier: table.name)
      WHERE \(identifier: table.idColumn) = \(row.id)
      """
    ).first(reader, as: String?.self) ?? nil
  }
}
