import CSQLite

/// The authorizer of a connection: collects the reads and changes of statements, and refuses
/// transaction control inside closures.
///
/// It is installed once, when the connection opens, because installing an authorizer expires all
/// prepared statements (<https://sqlite.org/c3ref/set_authorizer.html>).
final class Authorizer {
  /// Whether statements of the app are being prepared, rather than the library's own.
  var isGuarding = false
  /// Whether a closure may have deferred the check of references to the end of the transaction.
  var defersReferences = false

  /// The reason why the last statement was refused; `nil` if it was accepted.
  private(set) var refusal: Refusal?

  /// A reason to refuse a statement inside a closure.
  enum Refusal: Equatable {
    case transaction, otherFile
    case pragma(String)
  }

  private var region = Region()
  private var rows: Set<String> = []
  private var deletesRows = false
  private var columns: [String: Set<String>] = [:]
  private var changesSchema = false
  private var isCollecting = false

  /// Installs the authorizer; it must live as long as the connection.
  func install(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, database, _ in
        guard let context else { return SQLITE_OK }
        return Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
          .authorize(action, first, second)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a closure that prepares a statement, and collects the statement's reads and changes.
  /// - Parameters:
  ///   - hidesRows: Whether a statement that changes these columns, by table, could change rows
  ///     that SQLite does not name. It is called only for statements that write.
  ///   - prepare: Prepares the statement.
  func collect(
    hidesRows: ([String: Set<String>]) -> Bool, prepare: () throws -> Void
  ) rethrows -> (Region, Effect) {
    isCollecting = true
    refusal = nil
    defer {
      isCollecting = false
      region = Region()
      rows = []
      columns = [:]
      deletesRows = false
      changesSchema = false
    }
    try prepare()
    isCollecting = false
    let isWriting = !rows.isEmpty || !columns.isEmpty
    let effect = Effect(
      rows: rows, columns: columns, onlyAdds: !deletesRows && columns.isEmpty,
      changesSchema: changesSchema, hidesRows: isWriting && hidesRows(columns))
    return (region, effect)
  }

  private func authorize(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Int32 {
    if isGuarding, let refusal = Self.refusal(action, first, second) {
      self.refusal = refusal
      return SQLITE_DENY
    }
    // NB: It is set when the statement is prepared, not when it runs.
    if action == SQLITE_PRAGMA, second != nil, name(first).lowercased() == "defer_foreign_keys" {
      defersReferences = true
    }
    guard isCollecting else { return SQLITE_OK }
    switch action {
    case SQLITE_READ:
      region.insert(table: name(first), column: name(second))
    case SQLITE_INSERT, SQLITE_DELETE, SQLITE_UPDATE:
      recordChange(action, table: name(first), column: name(second))
    case SQLITE_ALTER_TABLE, SQLITE_CREATE_INDEX...SQLITE_CREATE_VIEW,
      SQLITE_DROP_INDEX...SQLITE_DROP_VIEW, SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE:
      changesSchema = true
    default: break
    }
    return SQLITE_OK
  }

  private func recordChange(_ action: Int32, table: String, column: String) {
    // SQLite's internal tables change with the schema, or with the rows that they count.
    guard !table.hasPrefix("sqlite_") else { return }
    switch action {
    case SQLITE_INSERT: rows.insert(table)
    case SQLITE_DELETE:
      rows.insert(table)
      deletesRows = true
    default: columns[table, default: []].insert(column)
    }
  }

  private func name(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }

  /// Returns the reason why a closure may not perform an action, or `nil` if it may.
  ///
  /// Only the library begins and ends transactions and savepoints. Pragmas can be read; those that
  /// are harmless inside a transaction can also have an argument.
  private static func refusal(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Refusal? {
    switch action {
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return .transaction
    case SQLITE_ATTACH, SQLITE_DETACH: return .otherFile
    case SQLITE_PRAGMA:
      guard let first else { return nil }
      let name = String(cString: first).lowercased()
      guard second != nil || name == "wal_checkpoint" else { return nil }
      return harmlessPragmas.contains(name) ? nil : .pragma(name)
    default: return nil
    }
  }

  private static let harmlessPragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
    "defer_foreign_keys", "user_version", "application_id", "optimize",
  ]
}

extension Authorizer.Refusal {
  /// The refusal and its remedy, in sentences.
  var message: String {
    switch self {
    case .transaction:
      "A read or a write is a transaction already. Do in one write what belongs together, and in a savepoint "
        + "what may be undone alone."
    case .otherFile:
      "A database is one file. Open the other one as a Database of its own."
    case .pragma("incremental_vacuum"), .pragma("auto_vacuum"):
      "Free pages cannot be removed in a read or a write. Call Database.vacuum()."
    case .pragma("wal_checkpoint"):
      "A checkpoint cannot run in a read or a write. Call Database.checkpoint(_:)."
    case .pragma(let name):
      "The pragma “\(name)” cannot be set in a read or a write. Set it in "
        + "DatabaseConfiguration.prepareConnection."
    }
  }
}

/// The changes that a statement may make, including triggers and cascades, by SQLite's authorizer.
///
/// A statement refers to one shared instance, so that recording a change is cheap.
final class Effect: Sendable {
  /// The tables in which rows may be inserted or deleted.
  let rows: Set<String>
  /// The columns whose values may change, by table.
  let columns: [String: Set<String>]
  /// All tables that may change.
  let tables: [String]
  /// Whether rows are only inserted: no existing row changes or is deleted.
  let onlyAdds: Bool
  /// Whether tables, indexes, views, or triggers change.
  let changesSchema: Bool
  /// Whether rows may replace others or change their keys, which SQLite does not report completely.
  let hidesRows: Bool

  /// The changed tables that are queues of text indexes.
  let textQueues: Set<String>

  /// Whether the changed rows are collected by SQLite's update hook.
  let namesRows: Bool

  init(
    rows: Set<String>, columns: [String: Set<String>], onlyAdds: Bool, changesSchema: Bool,
    hidesRows: Bool
  ) {
    self.rows = rows
    textQueues = rows.filter(TextIndexNames.isQueue)
    self.columns = columns
    tables = Array(rows.union(columns.keys))
    self.onlyAdds = onlyAdds && !hidesRows
    self.changesSchema = changesSchema
    self.hidesRows = hidesRows
    namesRows = !hidesRows && !changesSchema && !onlyAdds && !tables.isEmpty
  }
}
