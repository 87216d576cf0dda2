import Foundation
import Offshore
public import OffshoreWire

/// A device's copy of what an account may see: what is sent next, and what becomes of answers.
///
/// It works on the transactions of one file and does nothing else: requests and answers are values,
/// and whoever carries them may lose them, repeat them, or bring them late.
///
/// ```swift
/// let replica = try Replica(schema)
/// let request = try await database.write { try replica.nextPull($0) }
/// // … carry it to the server and the answer back …
/// let report = try await database.write {
///   try replica.take(answer, to: request, at: exchange, $0, makeID: UUID.init)
/// }
/// ```
public struct Replica: Sendable {
  /// What is synced.
  public let schema: SyncSchema
  let merge: Merge
  /// How often a change that was refused for a reason is sent before it is set aside; once unless
  /// stated.
  let attemptLimits: [Rejection.Code: Int]

  /// What the device has changed and not sent yet.
  public var outbox: Outbox { Outbox(schema) }

  /// Names what is synced; nothing happens yet.
  /// - Parameters:
  ///   - rules: the merge rules that the schema names.
  ///   - attemptLimits: how often a change that is refused for a reason is sent before it waits for
  ///     a person; once for reasons that are not named. What builds on another change is sent twice at
  ///     the least, because the other may have been sealed again.
  /// - Throws: ``SyncError`` with the code `declaration` where a rule is missing.
  public init(
    _ schema: SyncSchema, rules: MergeRules = MergeRules(),
    attemptLimits: [Rejection.Code: Int] = [:]
  ) throws {
    self.schema = schema
    self.attemptLimits = attemptLimits.merging([.dependency: 2]) { max($0, $1) }
    do {
      merge = try Merge(schema.manifest, rules: rules)
    } catch {
      throw SyncError(.declaration, error.message)
    }
  }

  // MARK: - Within a write

  /// Seals all that is captured, so that rows can be worked out anew.
  ///
  /// NB: An edit names the versions that its user saw. So it is sealed before a row under it changes.
  func sealAll(_ writer: Writer, at now: Int64, makeID: () -> UUID) throws {
    while try hasCaptured(writer) {
      _ = try outbox.seal(writer, at: now, makeID: makeID)
    }
  }

  /// Brings rows up to date with what is known of them and the batches that are left.
  func application(_ writer: Writer, _ cursors: [ScopeID: ScopeCursor], at now: Int64) throws
    -> RowApplication
  {
    RowApplication(
      schema: schema, merge: merge, writer: writer,
      pending: PendingOps(try SealedBatch.all(where: "TRUE", writer)),
      letters: DeadLetters(writer: writer, now: now),
      cursors: cursors)
  }

  /// The scopes that the device knows.
  func cursors(_ reader: Reader) throws -> [ScopeID: ScopeCursor] {
    Dictionary(
      try ScopeCursor.all(reader).map { ($0.scope, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether changes are captured and not sealed.
  func hasCaptured(_ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM _outbox)").one(reader, as: Bool.self) ?? false
  }

  /// Whether anything waits to be sent, or to be answered.
  func hasUnsent(_ reader: Reader) throws -> Bool {
    try SQL(
      """
      SELECT EXISTS (SELECT 1 FROM _outbox) OR EXISTS (
        SELECT 1 FROM _batch b JOIN _cursor c ON c.scope = b.scope
        WHERE b.phase = \(SealedBatch.Phase.waiting.rawValue) AND c.role IS NOT NULL)
      """
    ).one(reader, as: Bool.self) ?? false
  }
}
