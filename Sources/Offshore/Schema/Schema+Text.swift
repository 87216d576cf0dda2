extension Schema: CustomStringConvertible {
  /// The schema as text, a line for each column, index, and constraint: the same for equal schemas.
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
  /// The column but for its name, for example `TEXT NOT NULL DEFAULT 'pending'`.
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

  /// The index but for its name.
  var title: String { (isUnique ? "unique" : "index") + " (\(columns.nameList))" }
}

extension Schema.ForeignKey {
  var line: String { "\(title) references \(destination)" }

  /// The columns that refer.
  var title: String { "foreign key (\(columns.nameList))" }

  /// Where the reference leads, and how it behaves.
  var destination: String {
    var text = table.plainIdentifier
    if !targets.isEmpty { text += " (\(targets.nameList))" }
    if onDelete != .noAction { text += " ON DELETE \(onDelete.rawValue)" }
    if onUpdate != .noAction { text += " ON UPDATE \(onUpdate.rawValue)" }
    return text + (isDeferred ? " DEFERRED" : "")
  }
}

extension [String] {
  /// The names with commas between them.
  var nameList: String { map(\.plainIdentifier).joined(separator: ", ") }
}
