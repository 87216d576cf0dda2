public import Offshore

/// The tables, views, and triggers of a database, as values to compare and to print.
///
/// ```swift
/// let schema = try connection.read { try Schema($0) }
/// print(schema)
/// let problems = schema.differences(from: [Charter.self, Checklist.self])
/// ```
///
/// Objects whose names begin with an underscore, objects of SQLite itself and the tables that store
/// the content of virtual tables are left out. Text indexes are objects.
public struct Schema: Equatable, Sendable {
  /// The tables, sorted by name.
  public internal(set) var tables: [Table] = []
  /// Views, triggers, virtual tables, and text indexes, sorted by kind and name.
  public internal(set) var objects: [Object] = []

  /// Returns the table with a name.
  public func table(_ name: String) -> Table? { tables.first { $0.name == name } }
}

extension Schema {
  /// A table with its indexes and constraints.
  public struct Table: Equatable, Sendable {
    /// The table's name.
    public let name: String
    /// The columns in stored order, including generated ones.
    public internal(set) var columns: [Column]
    /// Indexes and UNIQUE constraints, except for the primary key.
    public internal(set) var indexes: [Index]
    /// The foreign keys in the order of their columns.
    public internal(set) var foreignKeys: [ForeignKey]
    /// The expressions of checks, uniformly spaced, in alphabetical order.
    public internal(set) var checks: [String]
    /// Whether it is a `WITHOUT ROWID` table.
    public let isWithoutRowID: Bool
    /// Whether it is a `STRICT` table, which refuses values of other types than declared.
    public let isStrict: Bool

    /// The names of the primary key's columns in order.
    public var primaryKey: [String] {
      columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
  }

  /// A column of a table.
  public struct Column: Equatable, Sendable {
    /// The column's name.
    public let name: String
    /// The declared type in upper case; empty if none is declared.
    public let type: String
    /// Whether NULL is accepted.
    public internal(set) var isNullable: Bool
    /// The default in SQL, uniformly spaced.
    public internal(set) var defaultSQL: String?
    /// The position in the primary key, starting at 1; 0 for other columns.
    public let keyPosition: Int
    /// The collation of texts, for example `NOCASE`.
    public let collation: String
    /// Whether the value is computed from other columns.
    public let isGenerated: Bool
  }

  /// An index, or a UNIQUE constraint.
  public struct Index: Equatable, Sendable {
    /// The name of the index, or `nil` for a constraint of the table.
    public internal(set) var name: String?
    /// The names of the columns, most significant first; empty for an expression.
    public let columns: [String]
    /// Whether two rows with equal values in all columns are refused.
    public let isUnique: Bool
    /// The statement of an index on more than columns: on expressions, partial, descending, or with
    /// its own collation.
    public let sql: String?
  }

  /// A reference from columns of one table to those of another.
  public struct ForeignKey: Equatable, Sendable {
    /// The referring columns.
    public let columns: [String]
    /// The referenced table.
    public let table: String
    /// The referenced columns; empty if none is named, which means the primary key.
    public internal(set) var targets: [String]
    /// The action on the referring row when the referenced row is deleted.
    public let onDelete: ReferenceAction
    /// The action on the referring row when the referenced key changes.
    public let onUpdate: ReferenceAction
    /// Whether the reference is checked at the end of the transaction.
    public let isDeferred: Bool
  }

  /// A view, a trigger, a virtual table, or a text index.
  public struct Object: Equatable, Sendable {
    /// The kind of the object: `view`, `trigger`, `virtual table`, or `text index`.
    public let kind: String
    /// The name of the object, or the name of the table for a text index.
    public let name: String
    /// The statement that creates it, uniformly spaced, or the columns of a text index.
    public let sql: String
  }
}

// MARK: - Reading

extension Schema {
  /// Reads the schema of a database.
  /// - Throws: `DatabaseError` if the file cannot be read.
  public init(_ reader: Reader) throws {
    try self.init(reader.connection)
  }

  package init(_ connection: Connection) throws {
    let catalog = SchemaCatalog(connection)
    let entries = try catalog.entries()
    let options = try catalog.options()
    tables = try entries.filter { $0.kind == "table" && !$0.isVirtual }.map { entry in
      let tokens = SQLTokens(entry.sql)
      return Table(
        name: entry.name, columns: try catalog.columns(of: entry.name).map(Column.init),
        indexes: try catalog.indexes(of: entry.name, entries),
        foreignKeys: try catalog.foreignKeys(of: entry.name, tokens),
        checks: tokens.checks.sorted(),
        isWithoutRowID: options[entry.name]?.isWithoutRowID ?? false,
        isStrict: options[entry.name]?.isStrict ?? false)
    }
    objects = entries.compactMap { entry in
      if entry.isVirtual {
        return Object(kind: "virtual table", name: entry.name, sql: entry.sql)
      }
      guard ["view", "trigger"].contains(entry.kind) else { return nil }
      return Object(kind: entry.kind, name: entry.name, sql: SQLTokens(entry.sql).text)
    }
    objects += try Self.textIndexes(connection)
    objects.sort { ($0.kind, $0.name) < ($1.kind, $1.name) }
  }
}

extension Schema {
  private static func textIndexes(_ connection: Connection) throws -> [Object] {
    let upkeep = TextIndexUpkeep(connection)
    return try upkeep.tables().map { table in
      Object(kind: "text index", name: table, sql: try upkeep.columns(of: table).nameList)
    }
  }
}

extension Schema.Column {
  fileprivate init(_ column: SchemaCatalog.Column) {
    name = column.name
    type = column.type
    isNullable = column.isNullable
    defaultSQL = column.defaultSQL
    keyPosition = column.keyPosition
    collation = column.collation
    isGenerated = column.isGenerated
  }
}

// MARK: - Text

extension Schema: CustomStringConvertible {
  /// The schema as text, a line for each column, index, and constraint. Equal schemas have equal
  /// texts.
  public var description: String {
    let tables = tables.map { table in
      (["table \(table.name.plainIdentifier)\(table.options)"] + table.lines.map { "  " + $0 })
        .joined(separator: "\n")
    }
    let objects = objects.map { "\($0.kind) \($0.name.plainIdentifier)\n  \($0.sql)" }
    return (tables + objects).map { $0 + "\n" }.joined(separator: "\n")
  }
}

extension Schema.Table {
  fileprivate var options: String {
    (isStrict ? " strict" : "") + (isWithoutRowID ? " without rowid" : "")
  }

  fileprivate var lines: [String] {
    let key = primaryKey.isEmpty ? [] : ["primary key (\(primaryKey.nameList))"]
    return columns.map { "\($0.name.plainIdentifier) \($0.line)" } + key
      + indexes.map(\.line) + foreignKeys.map(\.line) + checks.map { "check (\($0))" }
  }
}

extension Schema.Column {
  /// The column without its name, such as `TEXT NOT NULL DEFAULT 'pending'`.
  var line: String {
    var parts = type.isEmpty ? ["untyped"] : [type]
    if !isNullable { parts.append("NOT NULL") }
    if let defaultSQL { parts.append("DEFAULT \(defaultSQL)") }
    if collation != "BINARY" { parts.append("COLLATE \(collation)") }
    if isGenerated { parts.append("GENERATED") }
    return parts.joined(separator: " ")
  }
}

extension Schema.Index {
  var line: String {
    if let sql { return sql }
    guard let name else { return "\(title)" }
    return "\(title) \(name.plainIdentifier)"
  }

  /// The index without its name.
  var title: String { (isUnique ? "unique" : "index") + " (\(columns.nameList))" }
}

extension Schema.ForeignKey {
  var line: String { "\(title) references \(destination)" }

  /// The referring columns.
  var title: String { "foreign key (\(columns.nameList))" }

  /// The target of the reference, and its actions.
  var destination: String {
    var text = table.plainIdentifier
    if !targets.isEmpty { text += " (\(targets.nameList))" }
    if onDelete != .noAction { text += " ON DELETE \(onDelete.rawValue)" }
    if onUpdate != .noAction { text += " ON UPDATE \(onUpdate.rawValue)" }
    return text + (isDeferred ? " DEFERRED" : "")
  }
}

extension Schema {
  /// Returns the differences from the declarations of tables, one sentence each; empty if they
  /// agree.
  ///
  /// The comparison covers columns, types, nullability, collations, keys, indexes, references and
  /// checks. It ignores tables that are not declared, and properties that a declaration may omit:
  /// the order of columns, a default, generated columns, and indexes on more than columns. A UNIQUE
  /// constraint equals a unique index on the same columns.
  public func differences(from records: [any Record.Type]) -> [String] {
    records.flatMap { $0.differences(in: self) }
  }
}

extension Record {
  fileprivate static func differences(in schema: Schema) -> [String] {
    do {
      let expected = Schema.Table(try TableDeclaration(table))
      guard let found = schema.table(table.name) else {
        return ["\(table.name): expected a table, found none"]
      }
      return schema.differences(of: found, from: expected)
    } catch {
      return ["\(table.name): \((error as? DatabaseError)?.message ?? "\(error)")"]
    }
  }
}

extension Schema {
  /// Returns the differences between a real table and a declared one, after both are normalized.
  fileprivate func differences(of found: Table, from expected: Table) -> [String] {
    let found = comparable(found.reduced(to: expected))
    let expected = comparable(expected).withoutNames(unlike: found)
    return Difference.sentences(
      expected: [expected.name: expected],
      found: [found.name: found.withoutNames(unlike: expected)])
  }

  /// Returns the table in a normal form, because some properties can be declared in several forms.
  private func comparable(_ table: Table) -> Table {
    var table = table
    table.foreignKeys = table.foreignKeys.map { key in
      var key = key
      if key.targets.isEmpty {
        let target = key.table == table.name ? table : self.table(key.table)
        key.targets = target?.primaryKey ?? []
      }
      return key
    }
    // The primary key is always unique.
    let key = table.primaryKey
    table.indexes.removeAll { $0.name == nil && $0.columns == key }
    for index in table.columns.indices {
      table.columns[index].defaultSQL = table.columns[index].defaultSQL?.plainDefault
    }
    // The row id cannot be NULL, regardless of its declaration.
    if key.count == 1, !table.isWithoutRowID {
      for index in table.columns.indices
      where table.columns[index].keyPosition > 0 && table.columns[index].type == "INTEGER" {
        table.columns[index].isNullable = false
      }
    }
    return table
  }
}

extension Schema.Table {
  /// Creates the table of a declaration.
  fileprivate init(_ declaration: TableDeclaration) {
    name = declaration.name
    let key = declaration.key
    columns = declaration.columns.map { column in
      Schema.Column(
        name: column.name, type: SQLTokens(column.sqlType).text.uppercased(),
        isNullable: column.isNullable, defaultSQL: column.defaultSQL.map { SQLTokens($0).text },
        keyPosition: (key.firstIndex(of: column.name) ?? -1) + 1,
        collation: (column.collation ?? .binary).rawValue, isGenerated: false)
    }
    indexes =
      declaration.columns.filter(\.isUnique).map {
        Schema.Index(name: nil, columns: [$0.name], isUnique: true, sql: nil)
      }
      + declaration.indexes.map {
        Schema.Index(name: $0.name, columns: $0.columns, isUnique: $0.isUnique, sql: nil)
      }
    foreignKeys = declaration.columns.compactMap { column in
      column.reference.map { Schema.ForeignKey(column.name, $0) }
    }
    checks = declaration.columns.compactMap(\.checkSQL).map { SQLTokens($0).text }
    isWithoutRowID = declaration.isWithoutRowID
    isStrict = declaration.isStrict
  }

  /// Returns the table without the properties that a declaration may omit.
  fileprivate func reduced(to declared: Schema.Table) -> Schema.Table {
    var table = self
    table.indexes.removeAll { $0.sql != nil }
    table.columns.removeAll { column in
      column.isGenerated && !declared.columns.contains { $0.name == column.name }
    }
    for index in table.columns.indices {
      let other = declared.columns.first { $0.name == table.columns[index].name }
      if other?.defaultSQL == nil { table.columns[index].defaultSQL = nil }
    }
    let order = Dictionary(
      declared.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    table.columns.sort { order[$0.name, default: .max] < order[$1.name, default: .max] }
    return table
  }

  /// Returns the table without the names of unique indexes for which the other table has a
  /// constraint.
  fileprivate func withoutNames(unlike other: Schema.Table) -> Schema.Table {
    var table = self
    for (number, index) in table.indexes.enumerated() where index.isUnique {
      let matches = other.indexes.filter { $0.isUnique && $0.columns == index.columns }
      if matches.contains(where: { $0.name == nil }) { table.indexes[number].name = nil }
    }
    return table
  }
}

extension Schema.ForeignKey {
  fileprivate init(_ column: String, _ reference: Reference) {
    self.init(
      columns: [column], table: reference.table,
      targets: reference.column.map { [$0] } ?? [], onDelete: reference.onDelete,
      onUpdate: reference.onUpdate, isDeferred: reference.isDeferred)
  }
}

extension String {
  /// The default in a normal form: `(1)`, `1.0`, and `TRUE` are all `1.0`.
  fileprivate var plainDefault: String {
    var text = self
    while text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
    switch text.uppercased() {
    case "TRUE": return "1.0"
    case "FALSE": return "0.0"
    default: return Double(text).map { String($0) } ?? text
    }
  }
}
