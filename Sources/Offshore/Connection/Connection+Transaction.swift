import CSQLite

extension Connection {
  /// Runs a closure that sees one unchanging snapshot of the file.
  /// - Throws: what the closure throws, or ``DatabaseError``.
  public func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try begin(.read)
    defer { rollBack() }
    let reader = Reader(self)
    defer { reader.end() }
    let result = Swift.Result { try guarded { try body(reader) } }
    if isOutdated { throw UntouchedFile.changed }
    return try result.get()
  }

  /// Runs a closure whose changes are committed together, or not at all where it throws.
  /// - Throws: what the closure throws, or ``DatabaseError``.
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

  // MARK: - The lifecycle

  /// Begins a transaction: a snapshot on first use, or at once the only writer.
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

  /// Runs the first closure of a write transaction. Where it throws, or leaves a reference without its
  /// row, the transaction is rolled back: there is nothing else in it. So SQLite need not keep what is
  /// overwritten, as it does for a savepoint.
  ///
  /// - Throws: as ``perform(_:)`` does.
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

  /// Runs one closure of a write transaction in a savepoint of its own: where it throws, or leaves a
  /// reference without its row, it alone is undone.
  ///
  /// - Throws: what the closure throws; ``DatabaseError`` with code `danglingReference`; or with
  ///   `transaction` where SQLite has given the whole transaction up, as on a full disk.
  func perform<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    defer { enforceReferences() }
    return try savepoint { try complete(body) }
  }

  /// Runs a closure and what belongs to each.
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

  /// Runs a closure whose changes are undone alone where it throws.
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
      // The rows that were indexed since the savepoint are queued again.
      self.changedTextQueues = changedTextQueues
      throw error
    }
  }

  /// Undoes what was done since the innermost savepoint. Where that cannot be, the whole transaction
  /// goes: half a closure must not be committed with the others.
  private func undoSavepoint() {
    forgetSchema()
    guard isInTransaction else { return }
    do {
      try control(.rollBackToSavepoint)
      try control(.release)
    } catch {
      // The closures that are still running learn of it by their next statement.
      endTransaction()
    }
  }

  /// Forgets the facts about the schema: after a rollback, another schema can have the same version number.
  private func forgetSchema() {
    schemaAnswers.removeAll()
    textIndexSchemas = (-1, [:])
  }

  /// Makes the transaction durable and reports what changed.
  /// - Throws: ``DatabaseError``; the transaction may still be open then.
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

  /// Gives the transaction up, if there is one. A read that could not is still ``isInTransaction``.
  func rollBack() {
    transaction.mode = .none
    transaction.removeChanges()
    endTransaction()
  }

  private func endTransaction() {
    forgetSchema()
    // An error may mean that SQLite has rolled back already, or that it could not begin to.
    for _ in 0..<Self.rollBackLimit where isInTransaction { try? control(.rollBack) }
  }

  /// How often a transaction is rolled back that stays open in spite of it.
  private static var rollBackLimit: Int { 100 }

  /// Whether SQLite has a transaction open. A full disk, a failing disk, or a `ROLLBACK` conflict
  /// clause ends it behind our back.
  var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// Whether a write transaction is open that was not given up.
  var isWriting: Bool { transaction.mode == .write && isInTransaction }

  /// - Throws: ``DatabaseError`` with code `transaction` where SQLite has ended the transaction.
  func requireTransaction() throws {
    guard isWriting else {
      throw DatabaseError(
        .transaction,
        "SQLite has rolled back the whole transaction, and every write that shared it. "
          + "Nothing of it was stored; write again.")
    }
  }

  /// Switches off what a closure may have switched on for itself; others of its group do without
  /// (<https://sqlite.org/pragma.html#pragma_defer_foreign_keys>).
  private func enforceReferences() {
    guard authorizer.defersReferences else { return }
    unguarded { _ = sqlite3_exec(handle, "PRAGMA defer_foreign_keys = OFF", nil, nil, nil) }
    authorizer.defersReferences = false
  }

  /// Runs a closure of the app's, which may not control transactions.
  func guarded<Result>(_ body: () throws -> Result) rethrows -> Result {
    try guarded(true, body)
  }

  /// Runs a closure of the library's own in the midst of one of the app's.
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
    // A step asks the authorizer too, where SQLite compiles the statement anew because the schema
    // has changed (https://sqlite.org/c3ref/prepare.html).
    try unguarded {
      let statement = try statement(control)
      let code = sqlite3_step(statement.pointer)
      statement.reset()
      guard code == SQLITE_DONE else { throw failure(code, statement) }
    }
  }
}
