/// A text index that exists in a file or is to be created: its table, columns and key.
struct TextIndexSchema {
  let names: TextIndexNames
  let columns: [String]
  /// The columns of the primary key with their types and collations.
  let key: [SchemaCatalog.Column]
  /// Whether the key is an integer that numbers the rows, so that the index needs no numbers of its
  /// own.
  let isNumbered: Bool
  /// The statements that index the queued rows and empty the queue. They run in each transaction that
  /// changes texts, so they are composed once.
  private(set) var indexing: [SQL] = []

  /// Reads the key of the table in the file.
  /// - Throws: ``DatabaseError``: `notFound` if the table is missing, `declaration` if it lacks a
  ///   column or has no primary key.
  init(_ names: TextIndexNames, columns: [String], _ connection: Connection) throws {
    let catalog = SchemaCatalog(connection)
    let found = try catalog.columns(of: names.table)
    self.names = names
    self.columns = columns
    key = found.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    let options = try catalog.options()[names.table]
    isNumbered = key.count == 1 && key[0].type == "INTEGER" && options?.isWithoutRowID == false
    guard !found.isEmpty else {
      throw problem(.notFound, "There is no such table. Create it before its text index.")
    }
    guard !key.isEmpty else {
      throw problem(
        .declaration,
        "A text index finds rows by their primary key. Mark its columns by primaryKey().")
    }
    if let missing = columns.first(where: { name in !found.contains { $0.name == name } }) {
      throw problem(
        .declaration,
        "The text index has column “\(missing)”, which the table lacks. Drop the index before the column, "
          + "and create it anew.")
    }
    indexing = indexingStatements.map { SQL(raw: $0) }
  }

  private func problem(_ code: DatabaseError.Code, _ message: String) -> DatabaseError {
    var error = DatabaseError(code, message)
    error.table = names.table
    return error
  }

  // MARK: - Parts of statements

  var keyNames: [String] { key.map(\.name.quotedIdentifier) }
  var table: String { names.table.quotedIdentifier }
  var index: String { names.index.quotedIdentifier }
  var keys: String { names.keys.quotedIdentifier }
  var queue: String { names.queue.quotedIdentifier }
  var sizes: String { names.sizes.quotedIdentifier }
  var columnNames: [String] { columns.map(\.quotedIdentifier) }

  /// The names of the key's columns in the table of row numbers.
  var storedKeyNames: [String] { key.indices.map { "_text_key\($0)" } }
  /// The names of the texts in the queue.
  var queuedNames: [String] { columns.indices.map { "_text_old\($0)" } }

  /// Returns `"id" = _text_key0` for each column of the key of a row with this name.
  func matchesKey(of row: String) -> String {
    zip(keyNames, storedKeyNames).map { "\(keys).\($1) = \(row).\($0)" }.joined(separator: " AND ")
  }

  /// Returns the condition that a row with this name has a key: SQLite allows NULL in keys that are
  /// not integers, and a NULL key finds no row.
  func hasKey(_ row: String) -> String {
    keyNames.map { "\(row).\($0) IS NOT NULL" }.joined(separator: " AND ")
  }

  /// The table after `FROM`, joined with the table of row numbers if there is one.
  var numberedRows: String {
    isNumbered ? table : "\(keys) CROSS JOIN \(table) ON \(matchesKey(of: table))"
  }

  /// The number of a row in ``numberedRows``.
  var rowNumber: String { isNumbered ? "\(table).\(keyNames[0])" : "\(keys)._text_id" }

  private var indexingStatements: [String] {
    let texts = columnNames.joined(separator: ", ")
    let old = queuedNames.map { TextFolding.sql($0) }.joined(separator: ", ")
    var statements = [
      """
      INSERT INTO \(index) (\(index), rowid, \(texts))
      SELECT 'delete', _text_id, \(old) FROM \(queue) WHERE _text_state = 1
      """,
      """
      INSERT INTO \(index) (rowid, \(texts)) SELECT \(queue)._text_id, \(folded(table))
      FROM \(queue) CROSS JOIN \(isNumbered ? table : keys) ON \(queue)._text_id = \(rowNumber)
      """,
      "DELETE FROM \(queue)",
    ]
    guard !isNumbered else { return statements }
    statements[1] += " CROSS JOIN \(table) ON \(matchesKey(of: table))"
    statements.insert(
      """
      DELETE FROM \(keys) WHERE _text_id IN (SELECT _text_id FROM \(queue))
        AND NOT EXISTS (SELECT 1 FROM \(table) WHERE \(matchesKey(of: table)))
      """, at: 2)
    return statements
  }

  func folded(_ row: String) -> String {
    columnNames.map { TextFolding.sql("\(row).\($0)") }.joined(separator: ", ")
  }
}

/// The names of a text index and of its triggers. They begin with an underscore, as all that is the
/// library's own.
///
/// NB: No two tables have a name in common, such as `job` and `job_queue`: each name has an ending,
/// and none ends with that of another. FTS5 adds endings to ``index``: `_data`, `_idx`, `_content`,
/// `_docsize`, and `_config`.
struct TextIndexNames: Hashable, Sendable {
  static let prefix = "_text_"
  static let indexSuffix = "_index"

  let table: String

  private var beginning: String { Self.prefix + table }

  /// The FTS5 table.
  var index: String { beginning + Self.indexSuffix }
  /// The view by which FTS5 reads the texts of the rows.
  var content: String { beginning + "_rows" }
  /// The numbers of the rows, if the table's key is not an integer.
  var keys: String { beginning + "_keys" }
  /// The rows that changed and are not indexed again yet, with their indexed texts.
  var queue: String { beginning + Self.queueSuffix }
  /// FTS5's own table with a row for each indexed row.
  var sizes: String { index + "_docsize" }

  func trigger(_ event: String) -> String { beginning + "_" + event }
}

extension TextIndexNames {
  private static let queueSuffix = "_queue"

  /// Creates the names from that of the queue.
  init(queue: String) {
    self.init(table: String(queue.dropFirst(Self.prefix.count).dropLast(Self.queueSuffix.count)))
  }

  /// Returns whether a statement reads text indexes, beyond the tables that the triggers read.
  static func isRead(by statement: Statement) -> Bool {
    statement.region.columns.keys.contains { $0.hasPrefix(prefix) && $0.hasSuffix(indexSuffix) }
  }

  /// Returns the message for an error of SQLite that names a text index.
  static func explain(_ detail: String) -> String {
    let missing = "no such table: \(prefix)"
    guard detail.hasPrefix(missing) else {
      return
        "A text index is in the way: \(detail). Drop it before, by drop(_:), and create it anew."
    }
    let name = detail.dropFirst(missing.count)
    let table = name.hasSuffix(indexSuffix) ? name.dropLast(indexSuffix.count) : name
    return "The file has no text index of “\(table)”. Create it in a migration by create(_:)."
  }

  /// Returns whether a table is the queue of a text index.
  static func isQueue(_ table: String) -> Bool {
    table.hasPrefix(prefix) && table.hasSuffix(queueSuffix)
  }
}
