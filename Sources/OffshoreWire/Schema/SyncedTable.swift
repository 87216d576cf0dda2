/// A synced table, as client and server agree on it.
public struct SyncedTable: Hashable, Sendable {
  /// The table's name: a letter, then letters, digits and underscores.
  public let name: String
  /// The column of the row's id. It is in ``RowID/id`` and not among ``columns``.
  public let idColumn: String
  /// The kind of scope that the table's rows belong to, for example `charter`.
  public let scopeKind: String
  /// The column with the value of the row's scope, which may be ``idColumn``.
  public let scopeColumn: String
  /// The other columns, by name.
  public let columns: [SyncedColumn]
  /// The columns of each unique key other than the id.
  public let uniqueKeys: [[String]]
  /// The columns that the id is derived from, where two devices can make the same row.
  public let idSource: [String]
  /// The columns whose content tells which row it refers to. What is sealed tells nothing.
  public let references: [SyncedColumn]

  private let places: [String: Int]
  /// The policies of fields that are merged in another way than the last writer's.
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

  /// The column of a name.
  public subscript(column: String) -> SyncedColumn? { places[column].map { columns[$0] } }

  /// How a field is merged. Parts of a compound column are merged each by its last writer.
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
