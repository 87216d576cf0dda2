extension TextIndexSchema {
  /// The statements that create the index without any entry.
  ///
  /// FTS5 does not store the texts: it reads them from the rows by a view. The triggers cannot
  /// write to FTS5's table, because a schema is not trusted to use virtual tables
  /// (<https://sqlite.org/c3ref/c_vtab_constraint_support.html>). They queue the changed rows,
  /// which are indexed before the write ends.
  var creation: [String] {
    let texts = zip(columns, columnNames).map { "\(TextFolding.sql("\(table).\($1)")) AS \($1)" }
    let options = [
      "content = '\(names.content.replacing("'", with: "''"))'", "content_rowid = '_text_id'",
      "tokenize = '\(TextTokenizer.declaration)'", "prefix = '1 2'",
    ]
    var statements = [
      """
      CREATE TABLE \(queue) (
        _text_id INTEGER PRIMARY KEY, _text_state INTEGER NOT NULL, \
      \(queuedNames.joined(separator: ", ")))
      """,
      """
      CREATE VIEW \(names.content.quotedIdentifier) AS
      SELECT \(rowNumber) AS _text_id, \(texts.joined(separator: ", ")) FROM \(numberedRows)
      """,
      "CREATE VIRTUAL TABLE \(index) USING fts5(\((columnNames + options).joined(separator: ", ")))",
    ]
    if !isNumbered {
      let columns = zip(key, storedKeyNames).map { "\($1) \($0.type) COLLATE \($0.collation)" }
      statements.insert(
        """
        CREATE TABLE \(keys) (_text_id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")), \
        UNIQUE (\(storedKeyNames.joined(separator: ", "))))
        """, at: 0)
    }
    return statements + triggers
  }

  private var triggers: [String] {
    let isText = columnNames.map { "old.\($0) IS NOT new.\($0)" }
    let isKey = keyNames.map { "old.\($0) IS NOT new.\($0)" }
    let all = (keyNames + columnNames.filter { !keyNames.contains($0) }).joined(separator: ", ")
    return [
      trigger("inserted", "AFTER INSERT", nil, newRow),
      trigger("changing", "BEFORE UPDATE OF \(all)", isKey + isText, oldRow),
      trigger("moved", "AFTER UPDATE OF \(keyNames.joined(separator: ", "))", isKey, newRow),
      trigger("deleting", "BEFORE DELETE", nil, oldRow),
    ]
  }

  private func trigger(
    _ name: String, _ event: String, _ conditions: [String]?, _ actions: [String]
  ) -> String {
    let condition = conditions.map { " WHEN " + $0.joined(separator: " OR ") } ?? ""
    return """
      CREATE TRIGGER \(names.trigger(name).quotedIdentifier) \(event) ON \(table)\(condition) BEGIN
        \(actions.map { $0 + ";" }.joined(separator: "\n  "))
      END
      """
  }

  /// The statement that queues a row with its indexed texts, unless it is queued already: then its
  /// texts are not the indexed ones any more.
  ///
  /// A trigger of the app may change a new row before it is queued. So FTS5 is queried for the rows
  /// that are indexed.
  private var oldRow: [String] {
    let number = number(of: "old")
    return [
      """
      INSERT INTO \(queue) (_text_id, _text_state\(queuedNames.map { ", \($0)" }.joined()))
      SELECT \(number), EXISTS (SELECT 1 FROM \(sizes) WHERE id = \(number))\
      \(columnNames.map { ", old.\($0)" }.joined())
      \(numbered("old")) ON CONFLICT (_text_id) DO NOTHING
      """
    ]
  }

  /// The statements that queue a new row, which is not indexed yet.
  ///
  /// If its number is indexed already, another program has replaced a row with this key without any
  /// trigger (<https://sqlite.org/pragma.html#pragma_recursive_triggers>): then all rows are
  /// indexed again.
  ///
  /// NB: The outer statement overrides a conflict clause such as `OR IGNORE`, but not `DO NOTHING`.
  private var newRow: [String] {
    let number = number(of: "new")
    let queueing = """
      INSERT INTO \(queue) (_text_id, _text_state)
      SELECT \(number), EXISTS (SELECT 1 FROM \(sizes) WHERE id = \(number)) * 2
      \(numbered("new")) ON CONFLICT (_text_id) DO NOTHING
      """
    guard !isNumbered else { return [queueing] }
    let stored = storedKeyNames.joined(separator: ", ")
    let numbering = """
      INSERT INTO \(keys) (\(stored)) SELECT \(keyNames.map { "new.\($0)" }.joined(separator: ", "))
      WHERE \(hasKey("new")) ON CONFLICT (\(stored)) DO NOTHING
      """
    return [numbering, queueing]
  }

  /// Returns an expression for the number of a row, after ``numbered(_:)``.
  private func number(of row: String) -> String {
    isNumbered ? "\(row).\(keyNames[0])" : "\(keys)._text_id"
  }

  /// Returns the clauses that find the number of a row with a name such as `old`.
  private func numbered(_ row: String) -> String {
    isNumbered
      ? "WHERE \(number(of: row)) IS NOT NULL" : "FROM \(keys) WHERE \(matchesKey(of: row))"
  }
}

@_documentation(visibility: internal)
extension Writer {
  /// Creates a text index and indexes all rows. If the table already has one over other columns, it
  /// is replaced.
  ///
  /// From then on, it is updated with its table, and created again if the table is rebuilt. In a
  /// migration, it has the form of the migration's version, as by the step `MigrationStep.create`.
  /// - Throws: ``DatabaseError``: `declaration` if a property is no column of texts, the file's
  ///   table has no such column, or no primary key; `notFound` if there is no such table; `other`
  ///   if SQLite has no FTS5.
  public func create<Row>(_ index: TextIndex<Row>) throws {
    try index.check()
    try TextIndexUpkeep(connection).create(connection.form(of: index.declaration))
  }

  /// Drops a text index, if the file has it.
  /// - Throws: ``DatabaseError``.
  public func drop<Row>(_ index: TextIndex<Row>) throws {
    try TextIndexUpkeep(connection).drop(names(of: index))
  }

  /// Recreates a text index and indexes all rows.
  /// - Throws: ``DatabaseError`` as ``create(_:)-(TextIndex<Row>)`` does.
  public func rebuild<Row>(_ index: TextIndex<Row>) throws {
    try index.check()
    try drop(index)
    try create(index)
  }

  /// Compares a text index with the texts of all rows.
  /// - Throws: ``DatabaseError`` with code `corrupted` if they differ.
  public func verify<Row>(_ index: TextIndex<Row>) throws {
    try index.check()
    try TextIndexUpkeep(connection).verify(names(of: index))
  }

  /// The names in the file, which are of an earlier form of the table in a migration.
  private func names<Row>(of index: TextIndex<Row>) throws -> TextIndexNames {
    TextIndexNames(table: try connection.form(of: index.declaration).name)
  }
}
