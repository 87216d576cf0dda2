public import Offshore
public import OffshoreWire

/// What a device has changed and not sent yet.
///
/// ```swift
/// let outbox = Outbox(schema)
/// try await database.write { try outbox.install($0, device: DeviceID(UUID())) }
/// // From here on every change of a synced table is captured, whoever makes it.
/// let batches = try await database.write { try outbox.seal($0, at: now) { UUID() } }
/// ```
public struct Outbox: Sendable {
  /// What is synced.
  public let schema: SyncSchema
  let derivations: Derivations

  /// Names what is synced; nothing happens yet.
  public init(_ schema: SyncSchema) { self.init(schema, Derivations()) }

  init(_ schema: SyncSchema, _ derivations: Derivations) {
    (self.schema, self.derivations) = (schema, derivations)
  }

  /// Prepares a file for syncing, or for a schema that has changed: tables of the device and triggers.
  ///
  /// Call it after migrations, on the connection that is going to write, each time the file is
  /// opened. Where all is there, it changes nothing. Rows that a table has when it is first synced
  /// are captured as inserted. Migrations remove the triggers, so their changes are not captured.
  ///
  /// Where the schema is another than before, values that others have written to columns and tables
  /// unknown until now appear in them, the schema's upgrades are applied to changes that wait, and
  /// scopes with values in columns that went are fetched anew.
  /// - Parameters:
  ///   - writer: a write on the connection whose transactions are to be told apart.
  ///   - device: names the device, where the file has not been prepared before.
  ///   - now: tells what the device's clock shows, in milliseconds since 1970, when a write ends. Of
  ///     two edits that did not know of each other the later one stays, so tell it: what is written
  ///     without it counts as made when it is sealed.
  ///   - report: receives the error if the end of a captured write cannot be recorded. The write itself
  ///     succeeds: its changes are only sealed together with the next one's.
  /// - Throws: ``SyncError``: `newerLayout` where a newer version prepared the file, which stays as
  ///   it is; `missingTable` where it lacks a synced column; `declaration` where a table that is not
  ///   synced would keep rows of synced ones from being deleted. `DatabaseError`.
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

  /// What is another after each captured change than before it, and empty where none waits.
  func mark(_ reader: Reader) throws -> [Int64] {
    let found = try SQL(
      "SELECT batch, (SELECT max(seq) FROM _outbox) FROM _state WHERE k = 1"
    ).one(reader, as: Int64.self, Int64?.self)
    return found.flatMap { batch, last in last.map { [batch, $0] } } ?? []
  }

  /// Gives the next write another number if this one was captured, and records when it ended.
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
