import CSQLite

extension Connection {
  /// Runs a closure that reads one unchanging snapshot of the file.
  /// - Throws: The error of the closure, or ``DatabaseError``.
  public func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try begin(.read)
    defer { rollBack() }
    let reader = Reader(self)
    defer { reader.end() }
    let result = Swift.Result { try guarded { try body(reader) } }
    if isOutdated { throw UntouchedFile.changed }
    return try result.get()
  }

  /// Runs a closure and commits its changes, or rolls all of them back if it throws.
  /// - Throws: The error of the closure, or ``DatabaseError``, with code `danglingReference` if a
  ///   reference whose check is deferred leads to no row at the end of the closure.
  @discardableResult
  public func write<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    try begin(.write)
    do {
      let result = try performFirst(body)
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  // MARK: - Lifecycle

  /// Begins a transaction. A read acquires its snapshot with its first statement, a write acquires
  /// the write lock at once.
  /// - Throws: ``DatabaseError``, with code `transaction` if a transaction is open already.
  func begin(_ mode: TransactionState.Mode) throws {
    guard transaction.mode == .none else {
      throw DatabaseError(.transaction, "A transaction is open already. Use it, or a savepoint.")
    }
    try access?.willBegin()
    if mode == .write { try requireWritable() }
    if isOutdated { throw UntouchedFile.changed }
    try control(mode == .write ? .beginImmediate : .begin)
    if mode == .write { access?.didBeginWriting() }
    transaction.mode = mode
    changedTextQueues.removeAll()
    transaction.removeChanges()
  }

  /// Runs the first closure of a write transaction, and rolls the transaction back if the closure
  /// fails.
  ///
  /// A closure fails if it throws or leaves a dangling reference. The transaction contains no other
  /// changes yet, so it needs no savepoint, for which SQLite would copy the pages that are
  /// overwritten.
  ///
  /// - Throws: The errors of ``perform(_:)``.
  func performFirst<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    defer { enforceReferences() }
    do {
      let result = try complete(body)
      try requireTransaction()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs one closure of a write transaction in its own savepoint, which is rolled back if the
  /// closure throws or leaves a dangling reference.
  ///
  /// - Throws: The error of the closure; ``DatabaseError`` with code `danglingReference`, or with
  ///   code `transaction` if SQLite has rolled back the whole transaction, as on a full disk.
  func perform<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    defer { enforceReferences() }
    return try savepoint { try complete(body) }
  }

  /// Runs a closure, updates the text indexes, runs the ``beforeRelease`` steps, and checks
  /// references.
  private func complete<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    let writer = Writer(self)
    defer { writer.end() }
    let result = try guarded { try body(writer) }
    try guarded { try TextIndexUpkeep(self).flush() }
    for step in beforeRelease { try guarded { try step(writer) } }
    try guarded { try TextIndexUpkeep(self).flush() }
    guard !hasDanglingReferences else { throw danglingReferenceError() }
    return result
  }

  private func danglingReferenceError() -> DatabaseError {
    var error = DatabaseError(
      .danglingReference,
      "The change leaves a reference without its row. Insert the row referred to, or remove "
        + "what refers to it, in the same write.")
    if let place = try? unguarded({ try danglingReference() }) {
      (error.table, error.column) = place
    }
    return error
  }

  /// Runs a closure in a savepoint, which is rolled back if the closure throws.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = transaction.beginSavepoint()
    let changedTextQueues = changedTextQueues
    try control(.savepoint)
    do {
      let result = try body()
      try requireTransaction()
      try control(.release)
      return result
    } catch {
      transaction.removeChanges(from: mark)
      undoSavepoint()
      // The rollback has restored the queue of the rows that were indexed since the savepoint.
      self.changedTextQueues = changedTextQueues
      throw error
    }
  }

  /// Rolls back to the innermost savepoint, or the whole transaction if that fails: half a closure
  /// must not be committed with the others.
  private func undoSavepoint() {
    forgetSchema()
    guard isInTransaction else { return }
    do {
      try control(.rollBackToSavepoint)
      try control(.release)
    } catch {
      // Closures that are still running fail with their next statement.
      endTransaction()
    }
  }

  /// Removes the cached facts about the schema: after a rollback, another schema can have the same
  /// version number.
  func forgetSchema() {
    schemaAnswers.removeAll()
    textIndexSchemas = (-1, [:])
  }

  /// Commits the transaction and reports its changes to ``afterCommit``.
  /// - Throws: ``DatabaseError``. The transaction may still be open then.
  func commit() throws {
    try requireTransaction()
    access?.willCommit(self)
    do {
      try control(.commit)
    } catch {
      try? access?.didCommit(self, isCommitted: false)
      throw error
    }
    transaction.mode = .none
    try access?.didCommit(self, isCommitted: true)
    guard !transaction.changes.isEmpty else { return }
    transaction.commitNumber += 1
    let changeSet = ChangeSet(number: transaction.commitNumber, transaction.changes)
    transaction.removeChanges()
    afterCommit?(changeSet)
  }

  /// Rolls the transaction back if one is open. If that fails, ``isInTransaction`` stays `true`.
  func rollBack() {
    transaction.mode = .none
    transaction.removeChanges()
    endTransaction()
  }

  private func endTransaction() {
    forgetSchema()
    // After an error, SQLite may have rolled back already, or may not have begun to.
    for _ in 0..<Self.rollBackLimit where isInTransaction { try? control(.rollBack) }
  }

  /// The number of attempts to roll back a transaction that stays open.
  private static var rollBackLimit: Int { 100 }

  /// Whether SQLite has a transaction open. A full disk, a failing disk or a `ROLLBACK` conflict
  /// clause can end a transaction without a statement of this library.
  var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// Whether a write transaction is open that was not rolled back.
  var isWriting: Bool { transaction.mode == .write && isInTransaction }

  /// Checks that the write transaction is still open.
  /// - Throws: ``DatabaseError`` with code `transaction` if SQLite has ended the transaction.
  func requireTransaction() throws {
    guard isWriting else {
      throw DatabaseError(
        .transaction,
        "SQLite has rolled back the whole transaction, and every write that shared it. "
          + "Nothing of it was stored; write again.")
    }
  }

  /// Switches off `defer_foreign_keys` if a closure has switched it on, so that it does not affect
  /// the other closures of the group. See
  /// <https://sqlite.org/pragma.html#pragma_defer_foreign_keys>.
  private func enforceReferences() {
    guard authorizer.defersReferences else { return }
    unguarded { _ = sqlite3_exec(handle, "PRAGMA defer_foreign_keys = OFF", nil, nil, nil) }
    authorizer.defersReferences = false
  }

  /// Runs a closure of the app, which may not control transactions.
  func guarded<Result>(_ body: () throws -> Result) rethrows -> Result {
    try guarded(true, body)
  }

  /// Runs a closure of the library, inside one of the app, without the app's restrictions.
  func unguarded<Result>(_ body: () throws -> Result) rethrows -> Result {
    try guarded(false, body)
  }

  private func guarded<Result>(
    _ isGuarding: Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let before = authorizer.isGuarding
    authorizer.isGuarding = isGuarding
    defer { authorizer.isGuarding = before }
    return try body()
  }

  // MARK: - Control statements

  private func statement(_ control: TransactionControl) throws -> Statement {
    if let statement = repeated[control] { return statement }
    let statement = try prepare(control.sql).0
    repeated[control] = statement
    return statement
  }

  private func control(_ control: TransactionControl) throws {
    // A step calls the authorizer, too, if SQLite recompiles the statement after a change of the
    // schema (https://sqlite.org/c3ref/prepare.html).
    try unguarded {
      let statement = try statement(control)
      let code = sqlite3_step(statement.pointer)
      statement.reset()
      guard code == SQLITE_DONE else { throw failure(code, statement) }
    }
  }
}
