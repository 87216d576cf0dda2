import Dispatch

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
  ///   - progress: Called on that thread at the beginning of each migration, and while the rows of a
  ///     rebuilt table are copied. It should return at once. The progress has the name of the
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
