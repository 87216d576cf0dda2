/// A synced table, as client and server have agreed on it.
///
/// A table and its columns have the same names in messages in all releases: those of the first release
/// with them. So devices of all releases exchange rows without a translation, and their digests agree.
package struct SyncedTable: Hashable, Sendable {
  /// The table's name in messages: a letter, then letters, digits and underscores.
  package let name: String
  /// The table's name in the present release, if it was renamed.
  package let renamed: String?
  /// Whether the present release does not have the table any more. Devices of former releases do.
  package let isRetired: Bool
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
  /// The columns that may refer to blobs.
  package let fileColumns: [SyncedColumn]

  private let indices: [String: Int]
  /// The policies of the fields that are not merged by the last writer.
  private let policies: [String: MergePolicy]

  /// Declares a table. Columns and keys may be in any order.
  package init(
    _ name: String, idColumn: String = "id", scopeKind: String, scopeColumn: String,
    columns: [SyncedColumn], uniqueKeys: [[String]] = [], idSource: [String] = [],
    writers: TableWriters = .members, renamed: String? = nil, isRetired: Bool = false
  ) {
    self.name = name
    self.renamed = renamed
    self.isRetired = isRetired
    self.idColumn = idColumn
    self.scopeKind = scopeKind
    self.scopeColumn = scopeColumn
    self.columns = columns.sorted { $0.name < $1.name }
    self.uniqueKeys = uniqueKeys.map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    self.idSource = idSource
    self.writers = writers
    references = self.columns.filter { $0.reference != nil && !$0.isSealed }
    fileColumns = self.columns.filter(\.isFile)
    indices = Dictionary(
      self.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    policies = Dictionary(
      self.columns.filter { !$0.policy.isCompound && $0.policy != .lastWriter }
        .map { ($0.name, $0.policy) }, uniquingKeysWith: { first, _ in first })
  }

  /// The column with a name in messages, or `nil` if it is not declared.
  package subscript(column: String) -> SyncedColumn? { indices[column].map { columns[$0] } }

  /// The table's name in the present release.
  package var presentName: String { renamed ?? name }

  /// Returns the column with a name in the present release or in messages, or `nil` if there is none.
  package func column(named name: String) -> SyncedColumn? {
    self[name] ?? columns.first { $0.renamed == name }
  }

  /// Returns the table with other columns.
  func with(_ columns: [SyncedColumn]) -> SyncedTable {
    SyncedTable(
      name, idColumn: idColumn, scopeKind: scopeKind, scopeColumn: scopeColumn, columns: columns,
      uniqueKeys: uniqueKeys, idSource: idSource, writers: writers, renamed: renamed,
      isRetired: isRetired)
  }

  /// Returns the policy of a field. Each part of a compound column is merged by its last writer.
  package func policy(of field: String) -> MergePolicy { policies[field] ?? .lastWriter }
}

extension SyncedTable: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, idColumn, scopeKind, scopeColumn, columns, uniqueKeys, idSource, writers
    case renamed, isRetired
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
    try object.encodeIfPresent(renamed, forKey: .renamed)
    if isRetired { try object.encode(isRetired, forKey: .isRetired) }
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
      writers: try object.decodeIfPresent(TableWriters.self, forKey: .writers) ?? .members,
      renamed: try object.decodeIfPresent(String.self, forKey: .renamed),
      isRetired: try object.decodeIfPresent(Bool.self, forKey: .isRetired) ?? false)
  }
}

/// A column of a synced table, as client and server have agreed on it.
package struct SyncedColumn: Hashable, Sendable {
  /// The column's name in messages: a letter, then letters, digits and underscores.
  package let name: String
  /// The column's name in the present release, if it was renamed.
  package let renamed: String?
  /// Whether the present release does not have the column any more. Devices of former releases do.
  package let isRetired: Bool
  /// Whether a row that has no value in the column can be shown although the column may not be NULL: it
  /// has a default, or insertions have a value in it.
  package let hasDefault: Bool
  /// The retired column from which devices of the present release derive the values, if it was written
  /// later or by a release without this column.
  package let derivedFrom: String?
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
  /// Whether texts in the column may refer to blobs; see ``BlobReference``. Then the server deletes blobs
  /// of the table's scopes to which no row refers.
  package let isFile: Bool

  /// Declares a column.
  package init(
    _ name: String, _ type: StorageType, isNullable: Bool = false,
    policy: MergePolicy = .lastWriter, isSealed: Bool = false, reference: String? = nil,
    renamed: String? = nil, isRetired: Bool = false, hasDefault: Bool = false,
    derivedFrom: String? = nil, isFile: Bool = false
  ) {
    self.name = name
    self.renamed = renamed
    self.isRetired = isRetired
    self.hasDefault = hasDefault
    self.derivedFrom = derivedFrom
    self.type = type
    self.isNullable = isNullable
    self.policy = policy
    self.isSealed = isSealed
    self.reference = reference
    self.isFile = isFile
  }

  /// The column's name in the present release.
  package var presentName: String { renamed ?? name }
}

extension SyncedColumn: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, type, isNullable, policy, isSealed, reference, renamed, isRetired, hasDefault
    case derivedFrom
    case isFile = "file"
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(type, forKey: .type)
    try object.encode(isNullable, forKey: .isNullable)
    try object.encode(policy, forKey: .policy)
    try object.encode(isSealed, forKey: .isSealed)
    try object.encodeIfPresent(reference, forKey: .reference)
    try object.encodeIfPresent(renamed, forKey: .renamed)
    if isRetired { try object.encode(isRetired, forKey: .isRetired) }
    if hasDefault { try object.encode(hasDefault, forKey: .hasDefault) }
    try object.encodeIfPresent(derivedFrom, forKey: .derivedFrom)
    // A server of a former version refuses the key, rather than store blobs for ever.
    if isFile { try object.encode(isFile, forKey: .isFile) }
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: Key.self)
    self.init(
      try object.decode(String.self, forKey: .name),
      try object.decode(StorageType.self, forKey: .type),
      isNullable: try object.decode(Bool.self, forKey: .isNullable),
      policy: try object.decode(MergePolicy.self, forKey: .policy),
      isSealed: try object.decode(Bool.self, forKey: .isSealed),
      reference: try object.decodeIfPresent(String.self, forKey: .reference),
      renamed: try object.decodeIfPresent(String.self, forKey: .renamed),
      isRetired: try object.decodeIfPresent(Bool.self, forKey: .isRetired) ?? false,
      hasDefault: try object.decodeIfPresent(Bool.self, forKey: .hasDefault) ?? false,
      derivedFrom: try object.decodeIfPresent(String.self, forKey: .derivedFrom),
      isFile: try object.decodeIfPresent(Bool.self, forKey: .isFile) ?? false)
  }
}

/// The values that tables of the present release show.
extension SyncedColumn {
  /// Returns whether the column can store a value. Those that it cannot are of a later release.
  package func holds(_ value: WireValue) -> Bool {
    guard type.allows(value), isNullable || !value.isNull else { return false }
    guard case .ordered(let states) = policy, let state = value.string else { return true }
    return states.contains(state)
  }

  /// Returns whether the value in the column from which this one is derived was written later than that
  /// of this one.
  package func isSuperseded(in state: RowState) -> Bool {
    guard let derivedFrom, state.fields[derivedFrom] != nil,
      let former = state.version(of: derivedFrom), let own = state.version(of: name)
    else { return false }
    return own < former
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

  /// Returns the blob that a row refers to by this column, or `nil` if it refers to none.
  package func referencedBlob(in state: RowState) -> BlobReference? {
    guard isFile else { return nil }
    return state.fields[name]?.string.flatMap { BlobReference($0) }
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
