import Dispatch

extension Database {
  /// Opens a file as ``init(_:migrations:configuration:)`` does, on a thread of its own: the caller's is
  /// free, however long migrations take.
  ///
  /// ```swift
  /// let database = try await Database.open(path, migrations: migrations) { progress in
  ///   print("\(progress.position) of \(progress.count)")
  /// }
  /// ```
  /// If the task is cancelled, the migration that runs is undone, and the file is as the last complete
  /// one left it.
  ///
  /// - Parameter progress: called on that thread at the beginning of each migration, and as the rows of a
  ///   rebuilt table are copied. It should return at once.
  /// - Throws: `CancellationError`; ``DatabaseError`` as the initializer does.
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

  /// - Throws: `CancellationError` if the caller of the opening gave up.
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
