/// A synced table, as client and server have agreed on it.
package struct SyncedTable: Hashable, Sendable {
  /// The table's name: a letter, then letters, digits and underscores.
  package let name: String
  /// The column with the row's id, which is ``RowID/id`` and not among ``columns``.
  package let idColumn: String
  /// The kind of scope that the table's rows belong to, for example `charter`.
  package let scopeKind: String
  /// The column with the value of the row's scope, which may be ``idColumn``.
  package let scopeColumn: String
  /// The other columns, sorted by name.
  package let columns: [SyncedColumn]
  /// The columns of each unique key other than the id.
  package let uniqueKeys: [[String]]
  /// The columns that the id is derived from, if two devices can create the same row.
  package let idSource: [String]
  /// The members who may write the rows.
  package let writers: TableWriters
  /// The columns that refer to other rows, except sealed ones, which cannot be read.
  package let references: [SyncedColumn]

  private let indices: [String: Int]
  /// The policies of the fields that are not merged by the last writer.
  private let policies: [String: MergePolicy]

  /// Declares a table. Columns and keys may be in any order.
  package init(
    _ name: String, idColumn: String = "id", scopeKind: String, scopeColumn: String,
    columns: [SyncedColumn], uniqueKeys: [[String]] = [], idSource: [String] = [],
    writers: TableWriters = .members
  ) {
    self.name = name
    self.idColumn = idColumn
    self.scopeKind = scopeKind
    self.scopeColumn = scopeColumn
    self.columns = columns.sorted { $0.name < $1.name }
    self.uniqueKeys = uniqueKeys.map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    self.idSource = idSource
    self.writers = writers
    references = self.columns.filter { $0.reference != nil && !$0.isSealed }
    indices = Dictionary(
      self.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    policies = Dictionary(
      self.columns.filter { !$0.policy.isCompound && $0.policy != .lastWriter }
        .map { ($0.name, $0.policy) }, uniquingKeysWith: { first, _ in first })
  }

  /// The column with a name, or `nil` if it is not declared.
  package subscript(column: String) -> SyncedColumn? { indices[column].map { columns[$0] } }

  /// Returns the policy of a field. Each part of a compound column is merged by its last writer.
  package func policy(of field: String) -> MergePolicy { policies[field] ?? .lastWriter }
}

extension SyncedTable: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, idColumn, scopeKind, scopeColumn, columns, uniqueKeys, idSource, writers
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(idColumn, forKey: .idColumn)
    try object.encode(scopeKind, forKey: .scopeKind)
    try object.encode(scopeColumn, forKey: .scopeColumn)
    try object.encode(columns, forKey: .columns)
    try object.encode(uniqueKeys, forKey: .uniqueKeys)
    try object.encode(idSource, forKey: .idSource)
    // A server of a former version refuses the key, rather than break the rule unnoticed.
    if writers != .members { try object.encode(writers, forKey: .writers) }
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: Key.self)
    self.init(
      try object.decode(String.self, forKey: .name),
      idColumn: try object.decode(String.self, forKey: .idColumn),
      scopeKind: try object.decode(String.self, forKey: .scopeKind),
      scopeColumn: try object.decode(String.self, forKey: .scopeColumn),
      columns: try object.decode([SyncedColumn].self, forKey: .columns),
      uniqueKeys: try object.decode([[String]].self, forKey: .uniqueKeys),
      idSource: try object.decode([String].self, forKey: .idSource),
      writers: try object.decodeIfPresent(TableWriters.self, forKey: .writers) ?? .members)
  }
}

/// A column of a synced table, as client and server have agreed on it.
package struct SyncedColumn: Hashable, Sendable {
  /// The column's name: a letter, then letters, digits and underscores.
  package let name: String
  /// The type of the column's values.
  package let type: StorageType
  /// Whether the column may be NULL.
  package let isNullable: Bool
  /// The rule by which concurrent edits are merged.
  package let policy: MergePolicy
  /// Whether the device seals the content, so that the server can neither read nor compare it.
  package let isSealed: Bool
  /// The table that the column's ids refer to, in the same scope, or `nil` if it has no reference.
  package let reference: String?

  /// Declares a column.
  package init(
    _ name: String, _ type: StorageType, isNullable: Bool = false,
    policy: MergePolicy = .lastWriter, isSealed: Bool = false, reference: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.policy = policy
    self.isSealed = isSealed
    self.reference = reference
  }
}

extension SyncedColumn: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, type, isNullable, policy, isSealed, reference
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(type, forKey: .type)
    try object.encode(isNullable, forKey: .isNullable)
    try object.encode(policy, forKey: .policy)
    try object.encode(isSealed, forKey: .isSealed)
    try object.encodeIfPresent(reference, forKey: .reference)
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: Key.self)
    self.init(
      try object.decode(String.self, forKey: .name),
      try object.decode(StorageType.self, forKey: .type),
      isNullable: try object.decode(Bool.self, forKey: .isNullable),
      policy: try object.decode(MergePolicy.self, forKey: .policy),
      isSealed: try object.decode(Bool.self, forKey: .isSealed),
      reference: try object.decodeIfPresent(String.self, forKey: .reference))
  }
}

/// Conversion between a column's value and its fields: one, or several if the column is split.
extension SyncedColumn {
  /// The form of the column's text, or `nil` if the column is not split.
  var form: CompoundValue.Form? {
    switch policy {
    case .keyed: .object
    case .set: .set
    default: nil
    }
  }

  /// Returns the row that another row refers to by this column, or `nil` if it refers to none.
  package func referencedRow(in state: RowState) -> RowID? {
    guard let reference, let id = state.fields[name]?.string else { return nil }
    return RowID(table: reference, id: id)
  }

  /// Returns the fields of a value, by name.
  package func fields(of value: WireValue) -> [String: WireValue] {
    guard let form else { return [name: value] }
    let compound = CompoundValue(value, form)
    var fields = [name: compound.shell]
    for (key, part) in compound.parts { fields[FieldName(column: name, key: key).text] = part }
    return fields
  }

  /// Returns the fields that differ between two values. A removed field is NULL.
  package func changes(from old: WireValue, to new: WireValue) -> [String: WireValue] {
    let (old, new) = (fields(of: old), fields(of: new))
    var changes = new.filter { old[$0.key] != $0.value }
    for name in old.keys where new[name] == nil { changes[name] = .null }
    return changes
  }

  /// Returns the value composed of a row's fields, or `nil` if none of them is of this column.
  package func value(of fields: [String: WireValue]) -> WireValue? {
    guard let form else { return fields[name] }
    var parts: [String: WireValue] = [:]
    let prefix = "\(name)."
    for (field, value) in fields where field.hasPrefix(prefix) {
      parts[String(field.dropFirst(prefix.count))] = value
    }
    if parts.isEmpty { return fields[name] }
    return CompoundValue(form, shell: fields[name] ?? form.empty, parts: parts).value
  }
}

/// The type of a column's values.
package enum StorageType: String, Hashable, Sendable, CaseIterable, Codable {
  /// 64-bit integers.
  case integer
  /// 64-bit IEEE 754 numbers except NaN, which SQLite stores as NULL.
  case real
  /// Texts.
  case text
  /// Bytes.
  case blob
  /// Any of these.
  case any

  /// Returns whether the column can store a value. NULL is always allowed here.
  func allows(_ value: WireValue) -> Bool {
    switch (self, value) {
    case (.integer, .integer), (.any, .integer), (.text, .text), (.any, .text), (.blob, .blob),
      (.any, .blob), (_, .null):
      true
    case (.real, .real(let number)), (.any, .real(let number)): !number.isNaN
    default: false
    }
  }
}
