import Offshore
import OffshoreWire

/// The triggers that count in `_file` the rows of each scope that refer to a file, and the indexes that find
/// these rows.
///
/// They count all changes, captured or not. A file is this device's to send if a captured change
/// refers to it.
///
/// NB: They have no conflict clause and cannot fail, as those of ``CaptureTriggers``.
struct FileTriggers {
  /// The beginning of the text of a `BlobReference`.
  private static let prefix = "blob:"
  /// A part of the names that no other trigger has.
  private static let nameInfix = "_file-"

  let table: SyncTable

  /// The statements that create the triggers and indexes, by their names.
  var statements: [String: String] {
    table.files.reduce(into: [:]) { statements, file in
      let (column, policy) = (file.key, file.value)
      statements[indexName(column)] = index(column)
      statements[name("insert", column)] = insertion(column, policy)
      statements[name("delete", column)] = deletion(column)
      statements[name("update", column)] = update(column, policy)
    }
  }

  /// Returns whether a trigger with this name counts files.
  static func isName(_ name: String) -> Bool { name.contains(nameInfix) }

  /// Returns a query for the scopes and hashes of the files to which rows refer by a column.
  /// - Parameter ids: the keys of the rows, as a JSON array.
  func files(of column: String, inRows ids: String) -> SQL {
    """
    SELECT \(SQL(raw: scope("t"))), \(SQL(raw: hash("t", column)))
    FROM \(identifier: table.name) t
    JOIN json_each(\(ids)) k ON t.\(identifier: table.idColumn) = k.value
    WHERE \(SQL(raw: refers("t", column)))
    """
  }

  /// Returns a query for the keys of rows that refer by a column to a file that this device has still to send,
  /// with the reason why the server does not accept it, or NULL, the number of failed attempts, and the time
  /// of the next one.
  /// - Parameter ids: the keys of the rows, as a JSON array.
  func unsentFiles(of column: String, inRows ids: String) -> SQL {
    """
    SELECT k.value, f.problem, f.attempts, f.due FROM json_each(\(ids)) k
    CROSS JOIN \(identifier: table.name) t ON t.\(identifier: table.idColumn) = k.value
    CROSS JOIN _file f
      ON f.scope = \(SQL(raw: scope("t"))) AND f.hash = \(SQL(raw: hash("t", column)))
    WHERE \(SQL(raw: refers("t", column))) AND f.own = 1 AND f.stored = 0
      AND \(ScopeCursor.isWritable("f.scope"))
    """
  }

  /// Returns a query for the keys of all rows that refer by a column to a file to be sent now, with the reason
  /// why the server does not accept it, or NULL, the number of failed attempts, and the time of the next one.
  /// - Parameter condition: a condition of the files.
  func unsentFiles(of column: String, where condition: SQL) -> SQL {
    // NB: The index of the column finds the rows of each file.
    """
    SELECT t.\(identifier: table.idColumn), f.problem, f.attempts, f.due
    FROM (SELECT * FROM _file WHERE \(FileEntry.isToSend) AND \(condition)) f
    CROSS JOIN \(identifier: table.name) t
      ON t.\(identifier: column) = \(Self.prefix) || f.hash AND \(SQL(raw: scope("t"))) = f.scope
    """
  }

  /// Returns a query for the scopes and hashes of the files, among those that wait for a row, to which rows
  /// without changes of this device refer by a column. It reads all rows of the table once.
  /// - Parameter number: the number of the table in the journal.
  func settledFiles(of column: String, _ number: Int) -> SQL {
    """
    SELECT f.scope, f.hash FROM \(identifier: table.name) t
    CROSS JOIN _file f
      ON f.scope = \(SQL(raw: scope("t"))) AND f.hash = \(SQL(raw: hash("t", column)))
    CROSS JOIN _row r
      ON r.tbl = \(table.sentName) AND r.id = t.\(identifier: table.idColumn) AND r.scope = f.scope
    WHERE \(SQL(raw: refers("t", column))) AND f.own = 1 AND f.stored = 0 AND f.accepted = 0
      AND r.hash <> 0
      AND NOT EXISTS (SELECT 1 FROM _shadow s WHERE s.tbl = r.tbl AND s.id = r.id)
      AND NOT EXISTS (SELECT 1 FROM _outbox o WHERE o.tbl = \(number) AND o.id = r.id)
    """
  }

  /// Returns a query for the keys of the rows of a scope that refer to a file by a column.
  func rows(referringTo file: ContentHash, by column: String, in scope: ScopeID) -> SQL {
    """
    SELECT \(identifier: table.idColumn) FROM \(identifier: table.name)
    WHERE \(identifier: table.scopeColumn) = \(scope.value)
      AND \(identifier: column) = \(BlobReference(file).text)
    """
  }

  /// Counts the references of all rows anew, after changes that the triggers have not seen.
  ///
  /// An update of the app may have removed a column of files. Those that are not sent yet still are,
  /// because devices of former releases show the column.
  /// - Parameter areOwn: whether all rows are those of this device.
  static func count(_ tables: [SyncTable], areOwn: Bool, _ writer: Writer) throws {
    try SQL(
      "UPDATE _file SET former = max(former, refs > 0 AND own = 1 AND stored = 0), refs = 0"
    ).run(writer)
    for table in tables {
      for (column, policy) in table.files {
        let triggers = FileTriggers(table: table)
        try SQL(
          raw: """
            INSERT INTO _file (scope, hash, refs, own, wanted)
            SELECT \(triggers.scope("t")), \(triggers.hash("t", column)), count(*),
              \(areOwn ? 1 : 0), \(policy.sql)
            FROM \(triggers.quoted(table.name)) t WHERE \(triggers.refers("t", column)) GROUP BY 1, 2
            ON CONFLICT (scope, hash) DO UPDATE SET refs = refs + excluded.refs,
              unused = NULL, wanted = max(wanted, excluded.wanted)
            """
        ).run(writer)
      }
    }
    try SQL("UPDATE _file SET former = 0 WHERE former = 1 AND refs > 0").run(writer)
  }

  // MARK: - Triggers

  private func index(_ column: String) -> String {
    """
    CREATE INDEX \(quoted(indexName(column))) ON \(quoted(table.name)) (\(quoted(column)))
    WHERE \(quoted(column)) IS NOT NULL
    """
  }

  private func insertion(_ column: String, _ policy: FilePolicy) -> String {
    """
    CREATE TRIGGER \(quoted(name("insert", column))) AFTER INSERT ON \(quoted(table.name))
    WHEN \(refers("new", column))
    BEGIN \(increase(column, policy)) END
    """
  }

  private func deletion(_ column: String) -> String {
    """
    CREATE TRIGGER \(quoted(name("delete", column))) AFTER DELETE ON \(quoted(table.name))
    WHEN \(refers("old", column))
    BEGIN \(decrease(column)) END
    """
  }

  private func update(_ column: String, _ policy: FilePolicy) -> String {
    let (value, scope) = (quoted(column), quoted(table.scopeColumn))
    return """
      CREATE TRIGGER \(quoted(name("update", column)))
      AFTER UPDATE OF \(value), \(scope) ON \(quoted(table.name))
      WHEN old.\(value) IS NOT new.\(value) OR old.\(scope) IS NOT new.\(scope)
      BEGIN \(decrease(column)) \(increase(column, policy)) END
      """
  }

  // MARK: - Parts

  private func increase(_ column: String, _ policy: FilePolicy) -> String {
    let isApplying = "(SELECT applying FROM _state WHERE k = 1)"
    // A row without a shadow shows what the server has, unless the app has just written it.
    let isConfirmed = """
      NOT EXISTS (SELECT 1 FROM _shadow WHERE tbl = '\(table.sentName)' \
      AND id = new.\(quoted(table.idColumn)))
      """
    let isEntry = "scope = \(scope("new")) AND hash = \(hash("new", column))"
    return """
      INSERT INTO _file (scope, hash) SELECT \(scope("new")), \(hash("new", column))
      WHERE \(refers("new", column)) AND NOT EXISTS (SELECT 1 FROM _file WHERE \(isEntry));
      UPDATE _file SET refs = refs + 1, unused = NULL, former = 0,
        stored = stored * \(isApplying),
        own = max(own, 1 - \(isApplying), (SELECT max(o.own) FROM _file o WHERE o.hash = _file.hash)),
        wanted = max(wanted, \(policy.sql) * \(isApplying)),
        accepted = max(accepted, \(isApplying) * \(isConfirmed))
      WHERE \(isEntry) AND \(refers("new", column));
      """
  }

  private func decrease(_ column: String) -> String {
    """
    UPDATE _file SET refs = refs - 1
    WHERE scope = \(scope("old")) AND hash = \(hash("old", column)) AND \(refers("old", column));
    """
  }

  private func scope(_ row: String) -> String {
    "'\(table.scopeKind)/' || \(row).\(quoted(table.scopeColumn))"
  }

  private func hash(_ row: String, _ column: String) -> String {
    "substr(\(row).\(quoted(column)), \(Self.prefix.count + 1))"
  }

  /// Returns the condition that a row refers to a file.
  private func refers(_ row: String, _ column: String) -> String {
    let value = "\(row).\(quoted(column))"
    return """
      (typeof(\(value)) = 'text' AND length(\(value)) = \(Self.prefix.count + 64) \
      AND \(value) GLOB '\(Self.prefix)*' AND \(hash(row, column)) NOT GLOB '*[^0-9a-f]*' \
      AND \(row).\(quoted(table.scopeColumn)) IS NOT NULL)
      """
  }

  private func name(_ event: String, _ column: String) -> String {
    "\(CaptureTriggers.prefix)\(table.name)_\(column)\(Self.nameInfix)\(event)"
  }

  private func indexName(_ column: String) -> String {
    "\(CaptureTriggers.prefix)\(table.name)_\(column)-files"
  }

  private func quoted(_ name: String) -> String { SQL("\(identifier: name)").text }
}
