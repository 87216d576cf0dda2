import CSQLite

/// A synchronous connection to an SQLite file, for use by one thread at a time.
///
/// A connection has no threads of its own. Apps use ``Database``, which runs connections on threads
/// and lets writes share commits. A connection by itself suits tools, tests, and code that must be
/// deterministic.
///
/// ```swift
/// let connection = try Connection(path)
/// try connection.write { try charter.insert($0) }
/// let charters = try connection.read { try Charter.all.all($0) }
/// ```
public final class Connection {
  /// The path of the file.
  package let path: String

  let configuration: DatabaseConfiguration
  /// Whether the database is in memory, without a file.
  private let isInMemory: Bool
  let handle: OpaquePointer
  let authorizer = Authorizer()
  var cache: StatementCache
  // Unchecked: a connection is used by one thread, and these are accessed for each written row.
  @exclusivity(unchecked) var repeated = RepeatedStatements()
  var schemaAnswers = SchemaAnswers()
  /// The query of the schema's version, once it was read.
  var versionQuery: OpaquePointer?
  @exclusivity(unchecked) var transaction = TransactionState()
  /// The queues of text indexes that the transaction has changed.
  @exclusivity(unchecked) var changedTextQueues: Set<String> = []
  /// The text indexes of the file by table, valid while the schema has this version.
  var textIndexSchemas: (version: Int64, byTable: [String: TextIndexSchema]) = (-1, [:])
  /// The flag by which the caller cancels a read or a write; checked between statements.
  @exclusivity(unchecked) var cancellation: CancellationFlag?
  /// The reads of the transaction's statements, if they are being recorded.
  @exclusivity(unchecked) var recordedRegion: Region?
  /// The steps after the current one, while migrations run.
  var laterSteps: ArraySlice<MigrationStep> = []
  /// The tables that the running migrations have created from declarations.
  var createdByDeclaration: Set<String> = []
  /// The opening that the connection belongs to, if its caller observes it.
  var opening: Opening?
  private(set) var isOpen = true
  /// The error that each statement throws, if the connection refuses all statements.
  private(set) var refusal: DatabaseError?
  /// The file, if it is open for reading only.
  let untouchedFile: UntouchedFile?
  /// The file among those that the process has open.
  private let openFile: OpenFile?
  private var trace: StatementTrace?
  /// The size of the write-ahead log, if the connection follows it.
  var log: LogGauge?

  /// Steps that run inside each write, after its closure and before the release of its savepoint.
  /// The rules of a closure apply to them, and their statements are cached in the same way. An
  /// error of a step rolls the write back.
  var beforeRelease: [(Writer) throws -> Void] = []
  /// The positions in ``beforeRelease`` of the steps that have a name.
  private var namedSteps: [String: Int] = [:]
  /// Called after each commit that changed something.
  package var afterCommit: ((ChangeSet) -> Void)?
  /// The connection's access to a file that other connections use, too.
  var access: (any FileAccess)?

  /// Opens a file with a write-ahead log, and creates it if it does not exist.
  ///
  /// With ``DatabaseConfiguration/isReadOnly``, it opens an existing file and leaves it unchanged.
  ///
  /// - Throws: ``DatabaseError``: `cannotOpen` if the folder is missing or not accessible,
  ///   `readOnly` if the file cannot be written, `notADatabase` or `corrupted` if its content is
  ///   not valid (it is left unchanged), `busy` if another process locks it for longer than the
  ///   configuration allows.
  public convenience init(
    _ path: String, configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) throws {
    try self.init(path, configuration, creates: true)
  }

  /// Opens an empty database in memory, which ends with the connection.
  /// - Throws: ``DatabaseError``, if there is no memory for it.
  package static func inMemory() throws -> Connection {
    try Connection(":memory:", DatabaseConfiguration(), creates: true, isInMemory: true)
  }

  /// Opens a file as ``init(_:configuration:)`` does.
  /// - Parameters:
  ///   - creates: Whether to create the file if it does not exist.
  ///   - isInMemory: Whether the path is SQLite's name of a database in memory
  ///     (<https://sqlite.org/inmemorydb.html>).
  init(
    _ path: String, _ configuration: DatabaseConfiguration, creates: Bool, isInMemory: Bool = false
  ) throws {
    self.path = path
    self.configuration = configuration
    self.isInMemory = isInMemory
    cache = StatementCache(capacity: configuration.statementCacheCapacity)
    untouchedFile =
      configuration.isReadOnly
      ? try UntouchedFile(path, keepsIndex: configuration.keepsLogIndex) : nil
    handle = try Self.open(path, creates: creates, untouchedFile)
    openFile = isInMemory ? nil : OpenFile(path, isLocked: untouchedFile?.isShared ?? true)
    trace = configuration.trace.map {
      StatementTrace(handle, hasValues: configuration.tracesValues, $0)
    }
    do {
      try configure(configuration)
    } catch {
      close()
      throw error
    }
  }

  /// A connection that refuses all statements, for a reader or writer after the end of its closure.
  static var ended: Connection {
    Connection(
      refusing: DatabaseError(
        .transaction,
        "The reader or writer is used after the end of its closure. Use it inside the closure only, and "
          + "return values."))
  }

  private init(refusing refusal: DatabaseError) {
    self.refusal = refusal
    untouchedFile = nil
    openFile = nil
    isInMemory = true
    path = ""
    configuration = DatabaseConfiguration()
    cache = StatementCache(capacity: 1)
    var handle: OpaquePointer?
    sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle else { preconditionFailure("SQLite has no memory for a connection.") }
    self.handle = handle
  }

  deinit { close() }

  /// Closes the connection. Later calls fail with code `closed`. Closing it again has no effect.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    access?.willClose()
    access = nil
    cache.removeAll()
    repeated.removeAll()
    sqlite3_finalize(versionQuery)
    versionQuery = nil
    trace?.end()
    if let openFile { openFile.close(handle) } else { sqlite3_close_v2(handle) }
  }

  /// Runs a statement outside any transaction, such as a pragma that prepares the connection.
  /// - Throws: ``DatabaseError`` if SQLite refuses the statement.
  public func execute(_ sql: SQL) throws {
    // Changes outside a write are not reported.
    defer { if transaction.mode == .none { transaction.removeChanges() } }
    try run(sql)
  }

  /// Adds a step to ``beforeRelease``, or replaces the one with this name.
  package func setStep(named name: String, _ step: @escaping (Writer) throws -> Void) {
    if let position = namedSteps[name] {
      beforeRelease[position] = step
    } else {
      namedSteps[name] = beforeRelease.count
      beforeRelease.append(step)
    }
  }

  // MARK: - Opening

  /// Whether SQLite's memory statistics are switched off. With them, threads wait for each other at
  /// each allocation.
  ///
  /// They stay switched on if the process has used SQLite before.
  private static let isTuned =
    offshore_sqlite3_config_flag(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK

  private static func open(
    _ path: String, creates: Bool, _ untouchedFile: UntouchedFile?
  ) throws -> OpaquePointer {
    _ = isTuned
    if let untouchedFile { return try untouchedFile.open() }
    var handle: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (creates ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw DatabaseError.sqlite(code, handle)
    }
    return handle
  }

  /// Applies the settings of the library and the configuration.
  ///
  /// NB: SQLite moves the undo data of a savepoint to a file once it exceeds 64 KiB. If
  /// `temp_store` kept it in memory, SQLite would traverse all of it after each statement that may
  /// abort, so the time of a large write would grow with the square of its size.
  private func configure(_ configuration: DatabaseConfiguration) throws {
    let timeout = configuration.busyTimeout.wholeMilliseconds
    sqlite3_busy_timeout(handle, timeout)
    // A misspelled column in double quotes is an error, not a text.
    _ = offshore_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = offshore_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = offshore_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    authorizer.install(on: handle)
    // A negative size is in KiB (https://sqlite.org/pragma.html#pragma_cache_size).
    let cache = -max(configuration.pageCacheSize / 1_024, 1)
    for pragma in [
      "cache_size = \(cache)", "journal_size_limit = \(max(0, configuration.logSizeLimit))",
    ] {
      try run(SQL(raw: "PRAGMA \(pragma)"))
    }
    try configuration.prepareConnection?(self)
    if untouchedFile != nil {
      // Reads the header, which checks that the file is a database.
      _ = try value("PRAGMA schema_version", as: Int.self)
    } else if !isInMemory {
      guard sqlite3_db_readonly(handle, "main") == 0 else {
        throw DatabaseError.sqlite(SQLITE_READONLY)
      }
      try switchToWriteAheadLog(timeout: timeout)
    }
    for pragma in [
      "foreign_keys = ON", "recursive_triggers = ON", "trusted_schema = OFF",
      // Deleted content is overwritten by zeros. Some builds of SQLite, as that of Debian, always do so.
      "secure_delete = ON",
      "synchronous = \(configuration.synchronous.rawValue)",
    ] {
      try run(SQL(raw: "PRAGMA \(pragma)"))
    }
  }

  /// Switches the file to a write-ahead log.
  ///
  /// NB: The busy timeout does not cover this switch, so it is retried until the timeout expires.
  /// Processes that open a new file at the same time collide here.
  private func switchToWriteAheadLog(timeout: Int32) throws {
    let start = ContinuousClock.now
    while true {
      do {
        if try value(SQL("PRAGMA journal_mode"), as: String.self) == "wal" { return }
        let mode = try value(SQL("PRAGMA journal_mode = WAL"), as: String.self)
        guard mode == "wal" else {
          throw DatabaseError(.cannotOpen, "The file's system does not support write-ahead logs.")
        }
        return
      } catch let error as DatabaseError
        where error.code == .busy && ContinuousClock.now - start < .milliseconds(timeout)
      {
        sqlite3_sleep(Int32.random(in: 1...10))
      }
    }
  }

  private func value<Value: ColumnValue>(_ sql: SQL, as type: Value.Type) throws -> Value? {
    try fetch(sql) { try $0.value(type) }.first
  }
}

extension Duration {
  /// The whole milliseconds, clamped to the range that SQLite accepts.
  var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
