public import Foundation
public import Offshore
public import OffshoreWire

/// The changes of a device that the server has not confirmed yet.
///
/// ```swift
/// let outbox = Outbox(schema)
/// try await database.write { try outbox.install($0, device: DeviceID(UUID())) }
/// // From here on every change of a synced table is captured, also by raw SQL.
/// let batches = try await database.write { try outbox.seal($0, at: now) { UUID() } }
/// ```
public struct Outbox: Sendable {
  /// The synced tables.
  public let schema: SyncSchema
  let derivations: Derivations

  /// Creates an outbox for synced tables. Nothing is captured before
  /// ``install(_:device:account:now:reportingTo:)``.
  public init(_ schema: SyncSchema) { self.init(schema, Derivations()) }

  init(_ schema: SyncSchema, _ derivations: Derivations) {
    (self.schema, self.derivations) = (schema, derivations)
  }

  /// Prepares a file for syncing: creates the tables and triggers of the device, or updates them to
  /// a changed schema.
  ///
  /// Call it each time the file is opened, after migrations, on the connection that will write. If
  /// the file is up to date, it stays as it is. Rows that a table has when it is first synced are
  /// captured as inserted. Migrations remove the triggers, so their changes are not captured.
  ///
  /// If the schema has changed, values that other devices wrote to formerly unknown columns and
  /// tables are moved into these, and the schema's upgrades are applied to captured changes. If
  /// a table is not synced any more, or has lost a column, the next pulls fetch the scopes with its
  /// rows again.
  /// - Parameters:
  ///   - writer: a write on the connection by which the app writes. From now on, the library
  ///     numbers the writes of this connection that change synced rows.
  ///   - device: the device id, for a file that has not been prepared before.
  ///   - account: the id of the account that the file belongs to. If a table has an author column,
  ///     a write that changes rows of other authors throws ``ReplicaError`` with the code
  ///     `forbidden`.
  ///   - now: returns the time of the device's clock at the end of a write, in milliseconds since
  ///     1970. This time decides between concurrent edits. If `now` is `nil`, a change counts as
  ///     made when it is sealed.
  ///   - report: receives the error if the end of a captured write, its number and its time, cannot
  ///     be recorded. The write itself succeeds, and its changes are sealed together with those of
  ///     the next write.
  /// - Throws: ``ReplicaError``: `newerLayout` if a newer version of the library prepared the file,
  ///   which then stays as it is; `missingTable` if the file lacks a synced column; `declaration`
  ///   if a table that is not synced could prevent the deletion of synced rows; `notInstalled` if
  ///   the connection has `recursive_triggers` off; `damaged`. `DatabaseError`.
  public func install(
    _ writer: Writer, device: @autoclosure () -> DeviceID, account: UUID? = nil,
    now: (@Sendable () -> Int64)? = nil,
    reportingTo report: (@Sendable (any Error) -> Void)? = nil
  ) throws {
    try CaptureInstaller(schema: schema, writer: writer).run(device: device)
    let check = try WriteCheck(schema, account: account?.uuidString, writer)
    writer.connection.setStep(named: Self.stepName) { writer in
      do {
        guard try Self.endTransaction(writer, now) else { return }
      } catch let error as CancellationError {
        throw error
      } catch {
        report?(error)
        // Another process may have erased the file.
        guard try DeviceTables.version(writer) != nil else { return }
      }
      try check?.run(writer)
    }
  }

  /// The name of the step at the end of each write.
  private static let stepName = "OffshoreSync"

  /// Ends the numbering and the checks of a connection's writes, whose file is not prepared for syncing
  /// any more.
  static func uninstall(from connection: Connection) {
    connection.setStep(named: stepName) { _ in }
  }

  /// Returns a value that changes with every captured change, and with every batch that was sealed and is
  /// not part of a request yet; empty if there is neither.
  func mark(_ reader: Reader) throws -> [Int64] {
    var mark = try Self.lastUnsent.all(reader, as: Int64.self, Int64.self).flatMap { [$0, $1] }
    if let transaction = try Self.transaction.first(reader),
      let last = try Self.lastNumber.first(reader)
    {
      mark += [transaction, last]
    }
    return mark
  }

  // NB: Composed once, because they run after each write.
  private static let lastUnsent: SQL = """
    SELECT k, made FROM _batch JOIN _cursor USING (scope)
    WHERE k = (SELECT max(k) FROM _batch) AND phase = \(SealedBatch.Phase.waiting.rawValue)
      AND number > offered
    UNION ALL SELECT k, made FROM _batch
    WHERE \(SealedBatch.isPostponed) AND due = 0
    """
  private static let transaction = StateRow.all.select { $0.transaction }
  private static let lastNumber =
    JournalRow.order { $0.number.descending }.select { $0.number }

  /// Assigns a new number to the next write if this one was captured, and records the time at which
  /// it ended.
  ///
  /// NB: It is written in SQL, because it runs at the end of every write.
  /// - Returns: whether the write was captured.
  @discardableResult
  static func endTransaction(_ writer: Writer, _ now: (() -> Int64)?) throws -> Bool {
    let isCaptured = try SQL(
      """
      UPDATE _state SET batch = batch + 1
      WHERE batch = (SELECT batch FROM _outbox ORDER BY seq DESC LIMIT 1)
      """
    ).run(writer)
    guard isCaptured > 0 else { return false }
    if let now {
      try SQL("INSERT INTO _moment (batch, at) SELECT batch - 1, \(now()) FROM _state").run(writer)
    }
    return true
  }
}

extension Outbox {
  /// Seals the oldest captured transactions that fit together, as one batch for each of their
  /// scopes.
  ///
  /// The batches have the values that the rows had after the last of those transactions, bit for
  /// bit. They are read from the rows or, if later captured changes have replaced them, from the
  /// journal. The batches of a scope are numbered without a gap, and stay as they are until they
  /// are answered. A change that cannot be sent, for example because its row has no scope, is
  /// stored as a refused change, and the others are sealed. Call the function again until no
  /// captured transaction is left.
  /// - Parameters:
  ///   - milliseconds: the time of the device's clock, in milliseconds since 1970.
  ///   - limits: the limits of a batch.
  ///   - makeID: returns a new id for a batch.
  /// - Returns: the batches; empty if nothing was captured or the changes cancel each other out.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func seal(
    _ writer: Writer, at milliseconds: Int64, limits: SealingLimits = SealingLimits(),
    makeID: () -> UUID
  ) throws -> [Batch] {
    var room: Int?
    let batches = try seal(writer, at: milliseconds, limits: limits, room: &room, makeID: makeID)
    try BatchQueue.offer(batches, of: try ReplicaState(writer).device, writer)
    return batches
  }

  /// Seals changes as ``seal(_:at:limits:makeID:)`` does, several times in a row. The batches can still be
  /// taken back: they are not part of a request yet.
  /// - Parameter room: the number of journal entries that fitted into the previous batch, or `nil`
  ///   before the first one.
  func seal(
    _ writer: Writer, at milliseconds: Int64, limits: SealingLimits, room: inout Int?,
    makeID: () -> UUID
  ) throws -> [Batch] {
    try withoutActuallyEscaping(makeID) { makeID in
      try Sealer(
        schema: schema, derivations: derivations, writer: writer, now: milliseconds,
        limits: limits, makeID: makeID
      ).run(&room)
    }
  }

  /// Returns the stored sealed batches, by scope and number.
  ///
  /// A batch is stored until it is answered, and if it was applied, until a pull has fetched its
  /// effects.
  /// - Throws: `DatabaseError`.
  public func sealedBatches(_ reader: Reader) throws -> [Batch] {
    try SealedBatch.order { [$0.scope.ascending, $0.number.ascending] }.select { $0.batch }
      .all(reader)
  }
}

extension Outbox {
  /// Captures the insertion of a row again that the app's table has and the server does not.
  ///
  /// - Returns: Whether the table of the row is synced.
  func reinsert(_ row: RowID, _ writer: Writer) throws -> Bool {
    guard let number = try CaptureLayout(writer).number(of: row.table) else { return false }
    return try SQL(
      """
      INSERT INTO _outbox (batch, tbl, id, kind, mask)
      SELECT batch, \(number), \(row.id), \(CaptureTriggers.Kind.insert.rawValue), 0
      FROM _state WHERE k = 1
      """
    ).run(writer) > 0
  }

  /// Captures an edit that writes the values again that columns of a row have, so that it is later
  /// than all other edits of them.
  ///
  /// - Returns: Whether the row exists and its table is synced.
  /// - Parameter columns: the names of the columns in messages.
  /// - Precondition: The columns are synced, and are neither counters nor merged by their parts.
  func restate(_ columns: Set<String>, of row: RowID, _ writer: Writer) throws -> Bool {
    let layout = try CaptureLayout(writer)
    guard let table = schema[row.table], let number = layout.number(of: row.table) else {
      return false
    }
    let places = layout.tables[number].columns.enumerated().filter { columns.contains($1) }
    let mask = places.reduce(Int64(0)) { $0 | 1 << Int64($1.offset) }
    let names = places.reduce("" as SQL) {
      "\($0), \(identifier: JournalRow.column(of: $1.offset))"
    }
    let values = places.reduce("" as SQL) {
      "\($0), t.\(identifier: table.presentName(of: $1.element))"
    }
    let key: SQL = "t.\(identifier: table.idColumn)"
    return try SQL(
      """
      INSERT INTO _outbox (batch, tbl, id, kind, mask\(names))
      SELECT s.batch, \(number), \(key), \(CaptureTriggers.Kind.restatement.rawValue), \(mask)\(values)
      FROM _state s, \(identifier: table.name) t WHERE s.k = 1 AND \(key) = \(row.id)
      """
    ).run(writer) > 0
  }
}
