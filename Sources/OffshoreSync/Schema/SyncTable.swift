import Foundation
public import Offshore
import OffshoreWire

/// A declared table that is synced, and the rules for its columns.
///
/// ```swift
/// SyncTable(
///   Item.self, scope: .kind("list", \.listID), .merged(\.votes, .counter), .local(\.isExpanded))
/// ```
///
/// If a key path is not a column of the table, the initializer of ``SyncSchema`` throws.
///
/// A table, and each of its columns, has one name in messages in all releases of the app: that of the
/// first release that synced it. The declaration of a renamed table or column states that name. A removed
/// table or column stays declared as retired. So devices of all releases sync with each other.
public struct SyncTable: Sendable {
  /// The table's name in the database.
  public let name: String
  /// The table's name in messages.
  let sentName: String
  /// The kind of scope that the rows belong to, for example `list`.
  public let scopeKind: String
  /// The column with the value of a row's scope. It may be the key.
  public let scopeColumn: String

  let definitions: [ColumnDefinition]
  /// The names of renamed columns in messages, by their names in the database.
  let formerNames: [String: String]
  /// The columns that the app does not have any more.
  let retiredColumns: [RetiredColumn]
  /// The columns that replace retired ones.
  let derivedColumns: [DerivedColumn]
  /// Whether the app does not have the table any more.
  private(set) var isRetired = false
  let rules: [String: ColumnRule]
  /// The columns whose texts refer to files, with the time at which the files of others are fetched.
  let files: [String: FilePolicy]
  let idSource: [String]
  let uniqueKeys: [[String]]
  let writers: TableWriters
  let row: RowDescription
  /// Whether a row whose insertion the server refuses stays on this device.
  let keepsRefused: Bool
  /// The query of the rows that are captured when the table is first synced; `nil` for all.
  let adoptedRows: SQL?
  /// Whether an id may be one that the server refuses: it is neither a UUID, a number nor derived.
  let hasFreeIDs: Bool
  /// The first mistake in the named columns, which the schema reports.
  let mistake: String?

  /// Declares that the rows of a record's table are synced.
  ///
  /// - Parameters:
  ///   - type: the record.
  ///   - scope: the kind of scope, and the column with the value of a row's scope.
  ///   - idSource: the columns from which the id is derived, if two devices can create the same
  ///     row; see ``DerivedID``.
  ///   - title: the column with the title of a row, which lists of pending changes show.
  ///   - whole: if each row is part of a row of another table: the record of the other table, and
  ///     the column of the declared table that refers to it. For items of lists, it is
  ///     `(PackingList.self, \.listID)`. If a row is inserted or deleted together with the row that
  ///     it is part of, the user sees one change.
  ///   - owner: the column with the id of the user who created a row. At the first sign-in the id
  ///     becomes the account's. The scope column of a personal kind is always an owner column.
  ///   - writers: the members who may write the rows, by default all owners and editors.
  ///   - keepsRefused: whether a row whose insertion the server refuses stays in its place, with the status
  ///     ``RowStatus/refused``, until it is changed, made again, discarded or deleted. By default it is
  ///     removed, and only the list of refused changes has it.
  ///   - adopted: the condition of the rows that are sent when the file is given to an account, or when the
  ///     table is synced for the first time. By default these are all rows.
  ///   - former: the name that a renamed table had in the first release that synced it.
  ///   - columns: the columns that are not merged by the default policy, were renamed or were removed.
  public init<Row: Record>(
    _ type: Row.Type, scope: SyncScope<Row>, idSource: [PartialKeyPath<Row>] = [],
    title: PartialKeyPath<Row>? = nil,
    partOf whole: (any Record.Type, PartialKeyPath<Row>)? = nil, owner: PartialKeyPath<Row>? = nil,
    writers: SyncWriters<Row> = .members, keepsRefused: Bool = false,
    adopting adopted: ((Columns<Row>) -> SQLExpression<Bool>)? = nil,
    formerly former: String? = nil,
    _ columns: ColumnSync<Row>...
  ) {
    let table = Row.table
    var names = NamedColumns(table)
    name = table.name
    sentName = former ?? table.name
    scopeKind = scope.kind
    scopeColumn = names.name(scope.column)
    self.idSource = idSource.map { names.name($0) }
    row = RowDescription(
      title: title.map { names.name($0) },
      whole: whole.map { RowDescription.Whole($0, column: names.name($1)) },
      owner: owner.map { names.name($0) })
    self.writers =
      switch writers.kind {
      case .members: .members
      case .owners: .owners
      case .author(let column): .author(names.name(column))
      }
    self.keepsRefused = keepsRefused
    adoptedRows = adopted.map { Row.where($0).sql }
    for column in columns { names.add(column) }
    (rules, files) = (names.rules, names.files)
    (formerNames, retiredColumns) = (names.formerNames, names.retired)
    derivedColumns = names.derived
    mistake = names.mistake
    hasFreeIDs = Self.hasFreeIDs(table)
    definitions = table.columns
    uniqueKeys = Self.uniqueKeys(of: table)
  }

  /// Declares that the rows of a table are synced, by the names of its columns. All columns are
  /// merged by the default policy.
  package init<Row: Record>(
    _ table: Table<Row>, scopeKind: String, scopeColumn: String, title: String
  ) {
    (name, sentName) = (table.name, table.name)
    self.scopeKind = scopeKind
    self.scopeColumn = scopeColumn
    definitions = table.columns
    (rules, files) = ([:], [:])
    (formerNames, retiredColumns, derivedColumns) = ([:], [], [])
    idSource = []
    uniqueKeys = Self.uniqueKeys(of: table)
    writers = .members
    keepsRefused = false
    adoptedRows = nil
    hasFreeIDs = Self.hasFreeIDs(table)
    row = RowDescription(title: title, whole: nil, owner: nil)
    let missing = [scopeColumn, title].first { name in
      !table.columns.contains { $0.name == name }
    }
    mistake = missing.map { "It has no column “\($0)”. Declare it." }
  }

  private static func hasFreeIDs<Row>(_ table: Table<Row>) -> Bool {
    let bound: [Any.Type] = [UUID.self, Int.self, Int64.self, DerivedID.self]
    return !bound.contains { $0 == table.keyType }
  }

  private static func uniqueKeys<Row>(of table: Table<Row>) -> [[String]] {
    table.columns.filter { $0.isUnique && !$0.isPrimaryKey }.map { [$0.name] }
      + table.indexes.filter(\.isUnique).map(\.columns)
  }

  /// The name of the key column.
  var idColumn: String { definitions.first(where: \.isPrimaryKey)?.name ?? "" }

  /// The columns that are sent, without the key, in declared order.
  var syncedColumns: [ColumnDefinition] {
    definitions.filter { !$0.isPrimaryKey && policy(of: $0.name) != nil }
  }

  /// Declares that the app does not have the table any more. Devices of former releases do.
  ///
  /// Devices of this release store the rows that they receive, without showing them.
  public func retired() -> SyncTable {
    var table = self
    table.isRetired = true
    return table
  }

  /// Returns the merge policy of a column, or `nil` if the column is local.
  func policy(of column: String) -> MergePolicy? {
    switch rules[column] {
    case .local: nil
    case .merged(let policy): policy
    case nil: .lastWriter
    }
  }
}

/// The names of the columns that store a record's properties.
private struct NamedColumns<Row: Record> {
  let table: Table<Row>
  fileprivate var rules: [String: ColumnRule] = [:]
  fileprivate var formerNames: [String: String] = [:]
  fileprivate var files: [String: FilePolicy] = [:]
  private(set) var retired: [RetiredColumn] = []
  private(set) var derived: [DerivedColumn] = []
  private(set) var mistake: String?

  init(_ table: Table<Row>) { self.table = table }

  /// Returns the column of a property, or an empty name if the property is not a column.
  mutating func name(_ property: PartialKeyPath<Row>) -> String {
    if let column = table.column(of: property) { return column.name }
    mistake =
      mistake
      ?? "Property \(property) is not a column of it. Declare it as one, or name another property."
    return ""
  }

  mutating func add(_ column: ColumnSync<Row>) {
    switch column.declaration {
    case .rule(let properties, let rule):
      for property in properties { add(rule, at: \.rules, of: property, "rules") }
    case .file(let property, let policy): add(policy, at: \.files, of: property, "file policies")
    case .formerName(let property, let former):
      add(former, at: \.formerNames, of: property, "former names")
    case .retired(let column): retired.append(column)
    case .derived(let property, var column):
      column.name = name(property)
      derived.append(column)
    }
  }

  private mutating func add<Value>(
    _ value: Value, at place: WritableKeyPath<Self, [String: Value]>,
    of property: PartialKeyPath<Row>, _ kind: String
  ) {
    let name = name(property)
    guard self[keyPath: place].updateValue(value, forKey: name) != nil, !name.isEmpty else {
      return
    }
    mistake = mistake ?? "“\(name)” has two \(kind). Remove one."
  }
}

/// The columns of a synced table with a row's title, the row that it is part of, and its owner.
struct RowDescription: Hashable {
  /// The row that another row is part of.
  struct Whole: Hashable {
    let table: String
    /// The column with the key of the whole.
    let column: String

    init(_ table: any Record.Type, column: String) {
      self.table = Self.name(of: table)
      self.column = column
    }

    private static func name<Row: Record>(of _: Row.Type) -> String { Row.table.name }
  }

  /// The column with the title.
  let title: String?
  let whole: Whole?
  /// The column with the id of the user who created the row.
  let owner: String?

  /// Returns the first mistake in the description, if there is one.
  /// - Parameter keys: the key of each synced table.
  func mistake(keys: [String: String]) -> String? {
    guard let whole, keys[whole.table] == nil else { return nil }
    return "Its rows are part of “\(whole.table)”, which is not synced. Sync it too."
  }
}
