/// A synced table, as client and server have agreed on it.
public struct SyncedTable: Hashable, Sendable {
  /// The table's name: a letter, then letters, digits and underscores.
  public let name: String
  /// The column with the row's id, which is ``RowID/id`` and not among ``columns``.
  public let idColumn: String
  /// The kind of scope that the table's rows belong to, for example `charter`.
  public let scopeKind: String
  /// The column with the value of the row's scope, which may be ``idColumn``.
  public let scopeColumn: String
  /// The other columns, sorted by name.
  public let columns: [SyncedColumn]
  /// The columns of each unique key other than the id.
  public let uniqueKeys: [[String]]
  /// The columns that the id is derived from, if two devices can create the same row.
  public let idSource: [String]
  /// The columns that refer to other rows, except sealed ones, which cannot be read.
  public let references: [SyncedColumn]

  private let places: [String: Int]
  /// The policies of the fields that are not merged by the last writer.
  private let policies: [String: MergePolicy]

  /// Declares a table. Columns and keys may be in any order.
  public init(
    _ name: String, idColumn: String = "id", scopeKind: String, scopeColumn: String,
    columns: [SyncedColumn], uniqueKeys: [[String]] = [], idSource: [String] = []
  ) {
    self.name = name
    self.idColumn = idColumn
    self.scopeKind = scopeKind
    self.scopeColumn = scopeColumn
    self.columns = columns.sorted { $0.name < $1.name }
    self.uniqueKeys = uniqueKeys.map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    self.idSource = idSource
    references = self.columns.filter { $0.reference != nil && !$0.isSealed }
    places = Dictionary(
      self.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    policies = Dictionary(
      self.columns.filter { !$0.policy.isCompound && $0.policy != .lastWriter }
        .map { ($0.name, $0.policy) }, uniquingKeysWith: { first, _ in first })
  }

  /// The column with a name, or `nil` if it is not declared.
  public subscript(column: String) -> SyncedColumn? { places[column].map { columns[$0] } }

  /// Returns the policy of a field. Each part of a compound column is merged by its last writer.
  func policy(of field: String) -> MergePolicy { policies[field] ?? .lastWriter }
}

extension SyncedTable: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, idColumn, scopeKind, scopeColumn, columns, uniqueKeys, idSource
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(idColumn, forKey: .idColumn)
    try object.encode(scopeKind, forKey: .scopeKind)
    try object.encode(scopeColumn, forKey: .scopeColumn)
    try object.encode(columns, forKey: .columns)
    try object.encode(uniqueKeys, forKey: .uniqueKeys)
    try object.encode(idSource, forKey: .idSource)
  }

  public init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: Key.self)
    self.init(
      try object.decode(String.self, forKey: .name),
      idColumn: try object.decode(String.self, forKey: .idColumn),
      scopeKind: try object.decode(String.self, forKey: .scopeKind),
      scopeColumn: try object.decode(String.self, forKey: .scopeColumn),
      columns: try object.decode([SyncedColumn].self, forKey: .columns),
      uniqueKeys: try object.decode([[String]].self, forKey: .uniqueKeys),
      idSource: try object.decode([String].self, forKey: .idSource))
  }
}
