import CSQLite
import Dispatch
import Synchronization

/// The position of a running migration among those that a file lacked.
@_documentation(visibility: internal)
public struct MigrationProgress: Equatable, Sendable {
  /// The name of the migration.
  public let migration: String
  /// Its position among the migrations to run, from 1.
  public let position: Int
  /// The number of migrations to run.
  public let count: Int
  /// The fraction of copied rows, from 0 to 1, while a table is rebuilt; `nil` during other work.
  public var fraction: Double?
}

/// An opening of a database that its caller observes and can cancel.
final class Opening: Sendable {
  private struct State {
    var progress: MigrationProgress?
    var isUndoing = false
  }

  let cancellation: CancellationFlag
  private let report: @Sendable (MigrationProgress) -> Void
  private let state = Mutex(State())

  init(
    _ cancellation: CancellationFlag, _ report: @escaping @Sendable (MigrationProgress) -> Void
  ) {
    self.cancellation = cancellation
    self.report = report
  }

  var isCancelled: Bool { cancellation.isSet }

  /// Whether to interrupt the running statement.
  var mustStop: Bool { isCancelled && !isUndoing }

  /// Whether the running statements undo a migration. A cancellation does not interrupt them.
  var isUndoing: Bool {
    get { state.withLock { $0.isUndoing } }
    set { state.withLock { $0.isUndoing = newValue } }
  }

  func begin(_ progress: MigrationProgress) {
    state.withLock { $0.progress = progress }
    report(progress)
  }

  /// Reports the fraction of copied rows.
  func copied(_ rows: Int, of total: Int) {
    guard var progress = state.withLock({ $0.progress }) else { return }
    progress.fraction = total == 0 ? 1 : min(1, Double(rows) / Double(total))
    report(progress)
  }
}

extension Database {
  /// Opens a file on a separate thread, so that long migrations do not block the caller's.
  ///
  /// ```swift
  /// let database = try await Database.open(path, migrations: migrations) { progress in
  ///   print("\(progress.position) of \(progress.count)")
  /// }
  /// ```
  /// If the task is cancelled, the running migration is undone, and the migrations before it stay
  /// complete.
  ///
  /// - Parameters:
  ///   - path: The path of the file, as for ``init(_:migrations:configuration:)``.
  ///   - migrations: The migrations, of which the pending ones run.
  ///   - configuration: The settings.
  ///   - progress: Called on that thread at the beginning of each migration, and while the rows of
  ///     a rebuilt table are copied. It should return at once. The progress has the name of the
  ///     `migration`, its `position` from 1 among the `count` migrations to run, and the `fraction`
  ///     of copied rows from 0 to 1, which is `nil` during other work.
  /// - Throws: `CancellationError` if the task is cancelled, or ``DatabaseError`` as the
  ///   initializer does.
  public static func open(
    _ path: String, migrations: Migrations = [],
    configuration: DatabaseConfiguration = DatabaseConfiguration(),
    progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) async throws -> Database {
    let cancellation = CancellationFlag()
    let pending = PendingAnswer<Database>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.resume(continuation)
        DatabaseThread.start("offshore.opening", in: DispatchGroup()) {
          guard cancellation.begin() else { return }
          let opening = Opening(cancellation, progress)
          pending.answer(
            Result { try Database(path, migrations, configuration, following: opening) })
        }
      }
    } onCancel: {
      if cancellation.set() { pending.answer(.failure(CancellationError())) }
    }
  }

  /// Opens a file and reports the progress to an opening.
  /// - Throws: `CancellationError` if the caller has cancelled the opening, or ``DatabaseError``.
  private convenience init(
    _ path: String, _ migrations: Migrations, _ configuration: DatabaseConfiguration,
    following opening: Opening
  ) throws {
    do {
      try self.init(path, migrations, configuration, temporaryFolder: nil, opening: opening)
    } catch {
      throw opening.isCancelled ? CancellationError() : error
    }
  }
}

extension Connection {
  /// Attaches the connection to an opening, whose cancellation interrupts running statements.
  func follow(_ opening: Opening) {
    self.opening = opening
    cancellation = opening.cancellation
    sqlite3_progress_handler(
      handle, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Opening>.fromOpaque(context).takeUnretainedValue().mustStop ? 1 : 0
      }, Unmanaged.passUnretained(opening).toOpaque())
  }

  /// Detaches the connection from its opening.
  func stopFollowing() {
    sqlite3_progress_handler(handle, 0, nil, nil)
    opening = nil
    cancellation = nil
  }

  /// Runs a closure that a cancellation does not interrupt.
  func unobserved<Result>(_ body: () throws -> Result) rethrows -> Result {
    let former = cancellation
    cancellation = nil
    opening?.isUndoing = true
    defer {
      opening?.isUndoing = false
      cancellation = former
    }
    return try body()
  }
}

extension Connection {
  /// Runs a statement that inserts many rows, and reports their number after every 1,000 rows and
  /// at the end.
  ///
  /// NB: SQLite reports the rows of ordinary tables only, so those of a table without row ids are
  /// reported at the end (<https://sqlite.org/c3ref/update_hook.html>).
  func countRows(of sql: String, _ report: (Int) -> Void) throws {
    let (statement, _) = try prepare(sql)
    try withoutActuallyEscaping(report) { report in
      let counter = RowCounter(report)
      try use(statement) {
        sqlite3_update_hook(
          handle,
          { context, _, _, _, _ in
            guard let context else { return }
            Unmanaged<RowCounter>.fromOpaque(context).takeUnretainedValue().countOne()
          }, Unmanaged.passUnretained(counter).toOpaque())
        defer { sqlite3_update_hook(handle, nil, nil) }
        let code = sqlite3_step(statement.pointer)
        guard code == SQLITE_DONE else { throw failure(code, statement) }
      }
      report(Int(sqlite3_changes64(handle)))
    }
  }
}

/// Counts the rows that the running statement inserts.
private final class RowCounter {
  private let report: (Int) -> Void
  private var count = 0

  init(_ report: @escaping (Int) -> Void) { self.report = report }

  func countOne() {
    count += 1
    if count.isMultiple(of: 1000) { report(count) }
  }
}
