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
  /// ``install(_:device:now:reportingTo:)``.
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
  /// tables are moved into these, the schema's upgrades are applied to captured changes, and scopes
  /// with values in removed columns are fetched again.
  /// - Parameters:
  ///   - writer: a write on the connection whose transactions are numbered.
  ///   - device: the device id, for a file that has not been prepared before.
  ///   - now: returns the time of the device's clock at the end of a write, in milliseconds since
  ///     1970. This time decides between concurrent edits. If `now` is `nil`, a change counts as
  ///     made when it is sealed.
  ///   - report: receives the error if the end of a captured write cannot be recorded. The write
  ///     itself succeeds, and its changes are sealed together with those of the next write.
  /// - Throws: ``ReplicaError``: `newerLayout` if a newer version of the library prepared the file,
  ///   which then stays as it is; `missingTable` if the file lacks a synced column; `declaration`
  ///   if a table that is not synced could prevent the deletion of synced rows; `notInstalled` if
  ///   the connection has `recursive_triggers` off; `damaged`. `DatabaseError`.
  public func install(
    _ writer: Writer, device: @autoclosure () -> DeviceID, now: (@Sendable () -> Int64)? = nil,
    reportingTo report: (@Sendable (any Error) -> Void)? = nil
  ) throws {
    try CaptureInstaller(schema: schema, writer: writer).run(device: device)
    writer.connection.addStep(named: "OffshoreSync") { writer in
      do {
        try Self.endTransaction(writer, now)
      } catch let error as CancellationError {
        throw error
      } catch {
        report?(error)
      }
    }
  }

  /// Returns a value that changes with every captured change; empty if no unsealed change exists.
  func mark(_ reader: Reader) throws -> [Int64] {
    guard let transaction = try StateRow.all.select({ $0.transaction }).first(reader),
      let last = try JournalRow.all.max(reader, of: { $0.number })
    else { return [] }
    return [transaction, last]
  }

  /// Assigns a new number to the next write if this one was captured, and records the time at which
  /// it ended.
  ///
  /// NB: It is written in SQL, because it runs at the end of every write.
  private static func endTransaction(_ writer: Writer, _ now: (() -> Int64)?) throws {
    let isCaptured = try SQL(
      """
      UPDATE _state SET batch = batch + 1
      WHERE k = 1 AND batch = (SELECT batch FROM _outbox ORDER BY seq DESC LIMIT 1)
      """
    ).run(writer)
    guard isCaptured > 0, let now else { return }
    try SQL(
      "INSERT INTO _moment (batch, at) SELECT batch - 1, \(now()) FROM _state WHERE k = 1"
    ).run(writer)
  }
}
