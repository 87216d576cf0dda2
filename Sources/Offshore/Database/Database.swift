import Dispatch
import Foundation

/// An SQLite file that tasks share: one thread writes, several threads read, and neither waits for
/// the other.
///
/// ```swift
/// let database = try Database(path, migrations: [
///   Migration("v1.0.0_createCharters", .create(Charter.table))
/// ])
/// try await database.write { try charter.insert($0) }
/// let charters = try await database.read { try Charter.order { $0.startDate }.all($0) }
/// ```
///
/// Closures run on threads of the database, so they are synchronous and can run long without
/// blocking the calling task's thread. The database closes when its last reference is released.
public final class Database: Sendable {
  /// The path of the file.
  public let path: String

  let writer: WriterThread
  let readers: ReaderPool
  let observations: ObservationCenter
  let threads = DispatchGroup()
  private let file: SharedFile?
  /// The queue for work after the end of all threads, in order.
  private let closing = DispatchQueue(label: "offshore.closing")
  /// The folder to delete after closing, if the database is temporary.
  private let temporaryFolder: String?

  /// Opens a file, creates it if it does not exist, and runs its pending migrations.
  ///
  /// Several databases, in one or several processes, can have the file open; each observes the
  /// commits of all. A file that is deleted, moved or replaced while it is open is not created
  /// again: from then on, reads and writes fail with code `fileRemoved`.
  /// - Throws: ``DatabaseError`` as ``Connection/init(_:configuration:)`` and
  ///   ``Connection/migrate(_:)`` do; migrations before the failed one stay complete. `cannotOpen`
  ///   if this process has the file open by another hard link; `fileRemoved` if the file at this
  ///   path was replaced while a database of this process had the earlier one open: close that
  ///   database first.
  public convenience init(
    _ path: String, migrations: Migrations = [],
    configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) throws {
    try self.init(path, migrations, configuration, temporaryFolder: nil)
  }

  /// Opens an empty database in a temporary folder that is deleted when the database closes.
  ///
  /// It is a file with a write-ahead log like any other, but commits do not wait for the disk.
  /// - Throws: ``DatabaseError`` with code `cannotOpen` if the folder cannot be created, or as
  ///   ``Connection/migrate(_:)`` does.
  public static func temporary(
    migrations: Migrations = [], configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) throws -> Database {
    var configuration = configuration
    configuration.synchronous = .off
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "offshore-\(UUID().uuidString)").path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw DatabaseError(.cannotOpen, "No temporary folder can be made. Check the disk.")
    }
    do {
      return try Database(
        folder + "/database.sqlite", migrations, configuration, temporaryFolder: folder)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  init(
    _ path: String, _ migrations: Migrations, _ configuration: DatabaseConfiguration,
    temporaryFolder: String?, opening: Opening? = nil
  ) throws {
    self.path = path
    self.temporaryFolder = temporaryFolder
    let observations = ObservationCenter()
    self.observations = observations
    try SharedFile.check(path)
    let connection = try Connection(path, configuration: configuration)
    // A file that is read without locks has no commits to follow. Other processes do not open a
    // temporary file.
    let file =
      try connection.isFollowable
      ? SharedFile.join(
        connection, watcher: temporaryFolder == nil ? .shared : nil,
        receive: { observations.committed($0) }) : nil
    self.file = file
    if let file { connection.afterCommit = { file.publish($0) } }
    if let opening { connection.follow(opening) }
    if !configuration.isReadOnly { try configuration.prepareWriter?(connection) }
    if !migrations.all.isEmpty { try connection.migrate(migrations) }
    if !configuration.isReadOnly { try connection.indexQueuedTexts() }
    connection.stopFollowing()
    if !configuration.isReadOnly { try connection.followLog() }
    let reads = RunningReads()
    writer = WriterThread(
      connection, threads: threads, groupDuration: configuration.groupDuration, reads: reads)
    readers = ReaderPool(limit: configuration.readerCount, threads: threads, reads: reads) {
      try file?.openReader(configuration) ?? Connection(path, configuration: configuration)
    }
    observations.start(on: readers)
  }

  /// The error due to which commits of other processes are not noticed at once; `nil` if they are.
  ///
  /// They are then noticed when the database is used, for example if the system has no more file
  /// watches; or not at all, if this build of SQLite counts commits in an unknown way.
  @_documentation(visibility: internal)
  public var watchError: DatabaseError? { file?.watchError }

  deinit { stop() }

  // MARK: - Reading and writing

  /// Runs a closure that reads one unchanging snapshot of the database. It never waits for a write.
  ///
  /// If the task is cancelled, a running statement is interrupted. A read that is still queued
  /// throws at once and never runs.
  /// - Throws: The error of the closure, `CancellationError`, or ``DatabaseError``.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Reader) throws -> Result
  ) async throws -> Result {
    let ticket = ReadTicket()
    let pending = PendingAnswer<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.resume(continuation)
        enqueueRead(ticket, body) { pending.answer($0) }
      }
    } onCancel: {
      if ticket.cancel() { pending.answer(.failure(CancellationError())) }
    }
  }

  /// Runs a closure and commits its changes, or rolls all of them back if it throws.
  ///
  /// The call returns when the commit is durable. Writes that are queued at the same time run one
  /// after another in one transaction of SQLite and share its commit; if one fails, only its own
  /// changes are rolled back. If the shared commit fails, each of these writes throws the error of
  /// the commit. If the task is cancelled before its closure has ended, the write is rolled back at
  /// its next statement; a running statement is never interrupted. A write that is still queued
  /// throws at once and never runs.
  /// - Throws: The error of the closure; `CancellationError`; or ``DatabaseError``, with code
  ///   `danglingReference` if a reference whose check is deferred leads to no row at the end of the
  ///   closure, and `transaction` if SQLite has rolled back the whole shared transaction, for
  ///   example because the disk was full during another write.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await answer { enqueueWrite($0, body, answer: $1) }
  }

  /// Awaits the answer to a job of the writer, and cancels the job with the task.
  func answer<Result: Sendable>(
    _ enqueue: (CancellationFlag, @escaping @Sendable (Swift.Result<Result, any Error>) -> Void) ->
      Void
  ) async throws -> Result {
    let cancellation = CancellationFlag()
    let pending = PendingAnswer<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.resume(continuation)
        enqueue(cancellation) { pending.answer($0) }
      }
    } onCancel: {
      if cancellation.set() { pending.answer(.failure(CancellationError())) }
    }
  }

  /// Completes the queued work, closes all connections, and refuses further work.
  ///
  /// The folder of a temporary database is deleted when this returns.
  public func close() async {
    stop()
    await withCheckedContinuation { continuation in
      threads.notify(queue: closing) { continuation.resume() }
    }
  }

  // MARK: - Queues

  func enqueueWrite<Result: Sendable>(
    _ cancellation: CancellationFlag, _ body: @escaping @Sendable (Writer) throws -> Result,
    answer: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    enqueue(WriteJob(cancellation, body, answer: answer))
  }

  /// Enqueues a job for the writer, which answers it. A closed database refuses the job.
  func enqueue(_ job: WriteJob) {
    if !writer.enqueue(job) { job.fail(DatabaseError.closed) }
  }

  func enqueueRead<Result: Sendable>(
    _ ticket: ReadTicket, _ body: @escaping @Sendable (Reader) throws -> Result,
    answer: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    let isAccepted = readers.enqueue { connection in
      answer(Swift.Result { try ticket.run(on: connection.get(), body) })
    }
    if !isAccepted { answer(.failure(DatabaseError.closed)) }
  }

  private func stop() {
    observations.close()
    writer.close()
    readers.close()
    guard let temporaryFolder else { return }
    threads.notify(queue: closing) {
      try? FileManager.default.removeItem(atPath: temporaryFolder)
    }
  }
}

extension DatabaseError {
  /// The error of work after the database was closed.
  static let closed = DatabaseError(.closed, "The database has been closed. Open it again.")
}
