public import Offshore
import OffshoreWire

/// A row with a change that is pending or was refused, as a ``StoreSchema/TitleLookup`` sees it.
///
/// The row may be deleted; its columns then have the values that it had before, as far as they are known.
public struct ChangedRow {
  /// The table's name.
  public let table: String
  /// The row's key.
  public let id: String
  private let former: [String: WireValue]
  private let names: RowNames

  init(_ row: RowID, former: [String: WireValue], names: RowNames) {
    (table, id) = (row.table, row.id)
    self.former = former
    self.names = names
  }

  /// The text of a column, or `nil` if it has none or the row is of another table.
  public func text<Row: Record>(_ column: PartialKeyPath<Row>) throws -> String? {
    guard table == Row.table.name, let column = Row.table.column(of: column) else { return nil }
    return try text(column.name)
  }

  /// The title of another row, by its key.
  public func title<Row: Record>(of type: Row.Type, _ id: String?) throws -> String? {
    guard let id else { return nil }
    return try names.title(of: RowID(table: type.table.name, id: id))
  }

  func text(_ column: String) throws -> String? {
    try names.text(column, of: RowID(table: table, id: id)) ?? former[column]?.string
  }
}

/// Finds what rows are called, for the duration of one read.
final class RowNames {
  private let schema: SyncSchema
  private let reader: Reader
  private let lookUp: StoreSchema.TitleLookup?
  /// The titles of rows that other rows are part of: many rows are part of one.
  private var titles: [RowID: String?] = [:]

  init(_ store: StoreSchema, _ schema: SyncSchema, _ reader: Reader) {
    self.schema = schema
    self.reader = reader
    lookUp = store.titles?(reader)
  }

  /// - Parameter former: the values that the row had, in case it is deleted.
  func name(of row: RowID, _ former: [String: WireValue] = [:]) throws -> RowName {
    guard let table = schema[row.table] else { return RowName(table: row.table) }
    let changed = ChangedRow(row, former: former, names: self)
    let own =
      if let column = table.row.title { try changed.text(column) } else { try lookUp?(changed) }
    let whole = try whole(of: row, former).flatMap { try title(of: $0) }
    return RowName(table: row.table, title: own ?? whole, whole: own == nil ? nil : whole)
  }

  /// The weight that the rows of a table have for the user.
  func level(of table: String) -> PendingChange.Level {
    guard let row = schema[table]?.row, row.title != nil else { return .detail }
    return row.whole == nil ? .whole : .part
  }

  /// The row that a row is part of.
  func whole(of row: RowID, _ former: [String: WireValue]) throws -> RowID? {
    guard let whole = schema[row.table]?.row.whole else { return nil }
    let id = try ChangedRow(row, former: former, names: self).text(whole.column)
    return id.map { RowID(table: whole.table, id: $0) }
  }

  func title(of row: RowID) throws -> String? {
    if let known = titles[row] { return known }
    let title = try schema[row.table]?.row.title.flatMap { try text($0, of: row) }
    titles[row] = .some(title)
    return title
  }

  /// A text of a row that is in the file.
  func text(_ column: String, of row: RowID) throws -> String? {
    guard let table = schema[row.table] else { return nil }
    return try SQL(
      """
      SELECT \(identifier: column) FROM \(identifier: row.table)
      WHERE \(identifier: table.idColumn) = \(row.id)
      """
    ).one(reader, as: String?.self) ?? nil
  }
}
