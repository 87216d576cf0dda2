import CSQLite

/// One connection to an SQLite file: synchronous, for one thread at a time, without any of its own.
///
/// Apps use ``Database``, which runs connections on threads and lets writes share commits. A
/// connection by itself suits tools, tests, and whatever must be deterministic.
///
/// ```swift
/// let connection = try Connection(path)
/// try connection.write { try charter.insert($0) }
/// let charters = try connection.read { try Charter.all.all($0) }
/// ```
public final class Connection {
  /// The path of the file.
  let path: String

  let configuration: DatabaseConfiguration
  let handle: OpaquePointer
  let authorizer = Authorizer()
  var cache: StatementCache
  // Unchecked: a connection is used by one thread, and these are looked at for each row that is written.
  @exclusivity(unchecked) var repeated = RepeatedStatements()
  var schemaAnswers = SchemaAnswers()
  @exclusivity(unchecked) var transaction = TransactionState()
  /// The queues of text indexes that statements of the transaction have changed.
  @exclusivity(unchecked) var changedTextQueues: Set<String> = []
  /// The text indexes of the file by their tables, as long as the schema stays as it is.
  var textIndexSchemas: (version: Int64, byTable: [String: TextIndexSchema]) = (-1, [:])
  /// Set while the caller of a write wants it to stop; looked at between statements.
  @exclusivity(unchecked) var cancellation: CancellationFlag?
  /// What the statements of the transaction have read, while somebody wants to know.
  @exclusivity(unchecked) var recordedRegion: Region?
  /// The steps that follow the one which runs, while migrations run.
  var laterSteps: ArraySlice<MigrationStep> = []
  /// The tables that the migrations under way have created by their declarations.
  var createdByDeclaration: Set<String> = []
  /// The opening that the connection is a part of, if its caller follows it.
  var opening: Opening?
  private(set) var isOpen = true
  /// The error of each statement, if the connection is there to refuse them.
  private(set) var refusal: DatabaseError?
  /// The file, if it is open for reading alone.
  let untouchedFile: UntouchedFile?
  /// The file among those that the process has open.
  private let openFile: OpenFile?
  private var trace: StatementTrace?

  /// Runs inside each write, after its closure and before it is released, under the rules of a
  /// closure; its statements are kept as theirs are. What it throws rolls the write back.
  package var beforeRelease: [(Writer) throws -> Void] = []
  /// The names of steps that are in ``beforeRelease`` and must not be there twice.
  private var namedSteps: Set<String> = []
  /// Called after each commit that changed something.
  package var afterCommit: ((ChangeSet) -> Void)?
  /// The part that the connection has in a file which is shared.
  var access: (any FileAccess)?

  /// Opens a file, creating it if there is none, and switches it to a write-ahead log; with
  /// ``DatabaseConfiguration/isReadOnly``, opens a file and leaves it as it is.
  ///
  /// - Throws: ``DatabaseError``: `cannotOpen` where the folder is missing or closed to us,
  ///   `readOnly` where it may not be written, `notADatabase` or `corrupted` where the file is not
  ///   what it should be (it is left untouched), `busy` where another process holds it for longer
  ///   than the configuration allows.
  public convenience init(
    _ path: String, configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) throws {
    try self.init(path, configuration, creates: true)
  }

  /// Opens a file as ``init(_:configuration:)`` does.
  /// - Parameter creates: whether to create the file if there is none.
  init(_ path: String, _ configuration: DatabaseConfiguration, creates: Bool) throws {
    self.path = path
    self.configuration = configuration
    cache = StatementCache(capacity: configuration.statementCacheCapacity)
    untouchedFile = configuration.isReadOnly ? try UntouchedFile(path) : nil
    handle = try Self.open(path, creates: creates, untouchedFile)
    openFile = OpenFile(path, isLocked: untouchedFile?.isShared ?? true)
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

  /// A connection that refuses all statements: that of a reader or writer after the end of its closure.
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
    path = ""
    configuration = DatabaseConfiguration()
    cache = StatementCache(capacity: 1)
    var handle: OpaquePointer?
    sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle else { preconditionFailure("SQLite has no memory for a connection.") }
    self.handle = handle
  }

  deinit { close() }

  /// Closes the connection, which fails from then on with code `closed`. Closing twice does nothing.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    access?.willClose()
    access = nil
    cache.removeAll()
    repeated.removeAll()
    trace?.end()
    if let openFile { openFile.close(handle) } else { sqlite3_close_v2(handle) }
  }

  /// Runs a statement outside any transaction: a pragma, when preparing a connection.
  /// - Throws: ``DatabaseError`` where SQLite refuses the statement.
  public func execute(_ sql: SQL) throws {
    // Nobody is told of changes that are in no write.
    defer { if transaction.mode == .none { transaction.removeChanges() } }
    try run(sql)
  }

  /// Adds a step to ``beforeRelease``, unless one of that name is there already.
  package func addStep(named name: String, _ step: @escaping (Writer) throws -> Void) {
    if namedSteps.insert(name).inserted { beforeRelease.append(step) }
  }

  // MARK: - Opening

  /// Has SQLite keep no account of its memory, which all threads would wait for with each allocation.
  ///
  /// Where the process has used SQLite before, things stay as they are.
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

  /// Sets what holds for all connections.
  ///
  /// NB: What a savepoint keeps to undo itself goes into a file once it is larger than 64 KiB. In
  /// memory, as `temp_store` could have it, SQLite would walk through all of it after each statement
  /// that may abort, so a large write would take time that grows with its square.
  private func configure(_ configuration: DatabaseConfiguration) throws {
    let timeout = configuration.busyTimeout.wholeMilliseconds
    sqlite3_busy_timeout(handle, timeout)
    // A misspelled column in double quotes is an error, not a text.
    _ = offshore_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = offshore_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = offshore_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    authorizer.install(on: handle)
    // Negative for KiB (https://sqlite.org/pragma.html#pragma_cache_size).
    let cache = -max(configuration.pageCacheSize / 1_024, 1)
    for pragma in ["cache_size = \(cache)", "journal_size_limit = \(Self.restingLogSize)"] {
      try run(SQL(raw: "PRAGMA \(pragma)"))
    }
    try configuration.prepareConnection?(self)
    if untouchedFile != nil {
      // Reads the header, which tells whether the file is a database.
      _ = try value("PRAGMA schema_version", as: Int.self)
    } else {
      guard sqlite3_db_readonly(handle, "main") == 0 else {
        throw DatabaseError.sqlite(SQLITE_READONLY)
      }
      try switchToWriteAheadLog(timeout: timeout)
    }
    for pragma in [
      "foreign_keys = ON", "recursive_triggers = ON", "trusted_schema = OFF",
      "synchronous = \(configuration.synchronous.rawValue)",
    ] {
      try run(SQL(raw: "PRAGMA \(pragma)"))
    }
  }

  /// The bytes that the write-ahead log shrinks to when it is begun anew. It grows to more only while a read
  /// goes on for so long that no checkpoint can be completed.
  private static let restingLogSize = 8 * 1_048_576

  /// Switches the file to a write-ahead log.
  ///
  /// NB: The busy timeout does not cover this switch, so it is tried again until the timeout is
  /// over: processes that open a new file at the same time get here together.
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
  /// The whole milliseconds, at most what SQLite takes.
  var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
