import CSQLite

/// The authorizer of a connection: learns what statements read and change, and keeps transaction
/// control out of closures.
///
/// It is installed once, when the connection opens, because installing one expires all prepared
/// statements (<https://sqlite.org/c3ref/set_authorizer.html>).
final class Authorizer {
  /// Whether statements that the library did not make itself are being prepared.
  var isGuarding = false
  /// Whether a closure may have switched to references that are checked at the end.
  var defersReferences = false

  /// The reason why the last statement was refused.
  private(set) var refusal: Refusal?

  /// A statement that a closure may not run.
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

  /// Notes what is read and changed by the statement that a closure prepares.
  /// - Parameter hidesRows: whether the statement, which changes the columns given by table, could
  ///   change rows that SQLite does not name; asked only where it matters.
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
      noteChange(action, table: name(first), column: name(second))
    case SQLITE_ALTER_TABLE, SQLITE_CREATE_INDEX...SQLITE_CREATE_VIEW,
      SQLITE_DROP_INDEX...SQLITE_DROP_VIEW, SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE:
      changesSchema = true
    default: break
    }
    return SQLITE_OK
  }

  private func noteChange(_ action: Int32, table: String, column: String) {
    // SQLite's own tables change along with the schema, or with what they count.
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

  /// The reason why a closure may not do this, or `nil` if it may: the library itself begins, saves, and ends
  /// transactions, and a pragma may read but not set, except where setting is meant for transactions.
  private static func refusal(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Refusal? {
    switch action {
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return .transaction
    case SQLITE_ATTACH, SQLITE_DETACH: return .otherFile
    case SQLITE_PRAGMA:
      guard second != nil, let first else { return nil }
      let name = String(cString: first).lowercased()
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
    case .pragma("wal_checkpoint"):
      "A checkpoint cannot run in a read or a write. Call Database.checkpoint(_:)."
    case .pragma("incremental_vacuum"), .pragma("auto_vacuum"):
      "Free pages cannot be removed in a read or a write. Call Database.vacuum()."
    case .pragma(let name):
      "The pragma “\(name)” cannot be set in a read or a write. Set it in "
        + "DatabaseConfiguration.prepareConnection."
    }
  }
}
