public import Offshore
import OffshoreWire

/// A declared table that is synced, and how.
///
/// ```swift
/// SyncTable(
///   Checklist.self, scopeKind: "charter", scopeColumn: "charterID",
///   columns: ["items": .merged(.keyed), "isExpanded": .local])
/// ```
public struct SyncTable: Sendable {
  /// The table's name in the database.
  public let name: String
  /// The kind of scope that the rows belong to, for example `charter`.
  public let scopeKind: String
  /// The column with the value of a row's scope, which may be the id's.
  public let scopeColumn: String

  let definitions: [ColumnDefinition]
  let rules: [String: ColumnSync]
  let idSource: [String]
  let uniqueKeys: [[String]]

  /// Declares that the rows of a record's table are synced.
  ///
  /// - Parameters:
  ///   - type: the record.
  ///   - scopeKind: the kind of scope that the rows belong to.
  ///   - scopeColumn: the column with the value of a row's scope.
  ///   - idSource: the columns that the id is derived from, where two devices can make the same row.
  ///   - columns: what becomes of columns whose last writer does not simply win.
  public init<Row: Record>(
    _ type: Row.Type, scopeKind: String, scopeColumn: String, idSource: [String] = [],
    columns: [String: ColumnSync] = [:]
  ) {
    let table = Row.table
    name = table.name
    self.scopeKind = scopeKind
    self.scopeColumn = scopeColumn
    self.idSource = idSource
    definitions = table.columns
    rules = columns
    uniqueKeys =
      table.columns.filter { $0.isUnique && !$0.isPrimaryKey }.map { [$0.name] }
      + table.indexes.filter(\.isUnique).map(\.columns)
  }

  /// The column of the row's id.
  var idColumn: String { definitions.first(where: \.isPrimaryKey)?.name ?? "" }

  /// The columns that are sent, the id aside, in declared order.
  var syncedColumns: [ColumnDefinition] {
    definitions.filter { !$0.isPrimaryKey && policy(of: $0.name) != nil }
  }

  /// How a column is merged, or `nil` where it is local.
  func policy(of column: String) -> MergePolicy? {
    switch rules[column] {
    case .local: nil
    case .merged(let policy): policy
    case nil: .lastWriter
    }
  }
}
