/// A runner of migration steps. Each step applies to tables in the form after the earlier steps.
struct StepRunner {
  let connection: Connection
  /// The steps after the current one, in this migration and all later ones.
  let later: ArraySlice<MigrationStep>

  func run(_ step: MigrationStep) throws {
    connection.laterSteps = later
    defer { connection.laterSteps = [] }
    switch step.kind {
    case .sql(let sql): try connection.run(sql)
    case .perform(let body):
      let writer = Writer(connection)
      defer { writer.end() }
      try body(writer)
    case .drop(let table): try connection.run("DROP TABLE \(identifier: table)")
    default:
      guard let declaration = try step.declaration?() else { return }
      try run(step, declaration)
    }
  }

  private func run(_ step: MigrationStep, _ declaration: TableDeclaration) throws {
    var history = try SchemaHistory(of: declaration, before: later)
    let after = history.form
    try history.undo(step)
    let change = FormChange(connection: connection, before: history.form, after: after)
    switch step.kind {
    case .create: try connection.create(declaration)
    case .rename(let old): try change.rename(old)
    case .addColumn(let column, let filling): try change.add(column, filling)
    case .renameColumn(let old, let new): try change.rename(old, to: new)
    case .dropColumn(let column, _): try change.drop(column)
    case .rebuild(let rebuild): try change.rebuild(rebuild)
    case .createIndex: try change.replaceIndexes()
    case .dropIndex(let index): try connection.run("DROP INDEX \(identifier: index.name)")
    case .createTextIndex: try TextIndexUpkeep(connection).create(after)
    case .dropTextIndex: try TextIndexUpkeep(connection).drop(TextIndexNames(table: after.name))
    case .drop, .sql, .perform: break
    }
  }
}

extension Connection {
  /// The form that a declared table had before the steps that are still to come.
  func form(of declaration: TableDeclaration) throws -> TableDeclaration {
    try SchemaHistory(of: declaration, before: laterSteps).form
  }

  /// Creates a table in the form that it had before the steps that are still to come.
  func create(_ declaration: TableDeclaration) throws {
    let form = try form(of: declaration)
    try run(SQL(raw: form.creationSQL))
    createdByDeclaration.insert(form.name)
  }
}

/// The change of a table in the file from one form to the next.
private struct FormChange {
  let connection: Connection
  let before: TableDeclaration
  let after: TableDeclaration

  private var name: String { after.name }

  func rename(_ old: String) throws {
    try connection.run("ALTER TABLE \(identifier: old) RENAME TO \(identifier: name)")
    try replaceIndexes()
  }

  func rename(_ old: String, to new: String) throws {
    try connection.run(
      "ALTER TABLE \(identifier: name) RENAME COLUMN \(identifier: old) TO \(identifier: new)")
    try replaceIndexes()
  }

  /// Adds a column, unless the file has it already.
  ///
  /// NB: A file that was created while the declaration was ahead of the migrations has the column.
  /// A different column of the same name is an error.
  func add(_ column: String, _ filling: String?) throws {
    guard let index = after.columnIndex(column) else { return }
    let declared = after.columns[index]
    try requireValue(declared, isGiven: filling != nil, by: "filling")
    let found = try SchemaCatalog(connection).columns(of: name)
      .first { $0.name.isSameName(column) }
    if let found, found.isSame(as: declared) { return }
    let definition = after.definition(of: declared)
    if filling != nil || declared.isUnique || declared.formerSQL != nil {
      try TableRebuild(
        connection, name, StoredTable(name, connection).adding(definition),
        filling.map { [declared.name: $0] } ?? [:]
      ).run()
    } else {
      try connection.run(
        SQL(raw: "ALTER TABLE \(name.quotedIdentifier) ADD COLUMN \(definition)"))
    }
    try replaceIndexes()
  }

  func drop(_ column: String) throws {
    let stored = try StoredTable(name, connection)
    for index in try indexes(over: column) { try connection.run("DROP INDEX \(identifier: index)") }
    if stored.isBound(column) {
      try TableRebuild(connection, name, stored.removing(column), [:]).run()
    } else {
      try connection.run(
        "ALTER TABLE \(identifier: name) DROP COLUMN \(identifier: column)")
    }
    try replaceIndexes()
  }

  func rebuild(_ rebuild: MigrationStep.Rebuild) throws {
    for column in rebuild.adding {
      guard let index = after.columnIndex(column) else { continue }
      let isCopied = rebuild.copying.keys.contains { $0.isSameName(column) }
      try requireValue(after.columns[index], isGiven: isCopied, by: "copying")
    }
    try TableRebuild(connection, name, after.creationSQL, rebuild.copying).run()
  }

  /// Checks that a new column has a value for existing rows, even if this file has none.
  private func requireValue(
    _ column: ColumnDefinition, isGiven: Bool, by parameter: String
  ) throws {
    guard !column.isNullable, column.defaultSQL == nil, !isGiven, !after.isRowID(column) else {
      return
    }
    var error = DatabaseError(
      .declaration,
      "The new column refuses NULL, so rows that exist need a value. Pass one by `\(parameter)`, or "
        + "declare a default.")
    error.table = name
    error.column = column.name
    throw error
  }

  /// Drops the indexes that only the earlier form has, and creates those that only the later form
  /// has.
  func replaceIndexes() throws {
    let (old, new) = (before.indexes.map(\.name), after.indexes.map(\.name))
    for index in old where !new.contains(index) {
      try connection.run("DROP INDEX IF EXISTS \(identifier: index)")
    }
    for index in after.indexes where !old.contains(index.name) {
      try connection.run(SQL(raw: after.creation(of: index)))
    }
  }

  private func indexes(over column: String) throws -> [String] {
    try connection.fetch(
      """
      SELECT list.name FROM pragma_index_list(\(name)) AS list
      WHERE list.origin = 'c' AND EXISTS (
        SELECT 1 FROM pragma_index_info(list.name) AS info
        WHERE info.name = \(column) COLLATE NOCASE)
      """
    ) { try $0.value(String.self) }
  }
}

extension SchemaCatalog.Column {
  /// Returns whether the column in the file equals the declared one.
  fileprivate func isSame(as declared: ColumnDefinition) -> Bool {
    type == SQLTokens(declared.sqlType).text.uppercased() && isNullable == declared.isNullable
      && defaultSQL == declared.defaultSQL.map { SQLTokens($0).text }
      && collation == (declared.collation ?? .binary).rawValue
  }
}
