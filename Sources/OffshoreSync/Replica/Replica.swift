import Foundation
public import Offshore
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
  let derivations: Derivations

  /// Updates columns that depend on synced columns, such as a text to search through, or on a row's status.
  ///
  /// The ids are of rows of a table that show another device's change, a cancelled, repeated or reverted
  /// change, or that have no pending or refused change any more.
  /// It runs in the transaction in which they have come, and what it writes is not captured. The ids are
  /// of rows that may be as they were, or be gone again. Where it throws nothing is applied, so it should
  /// pass over rows that it cannot make sense of.
  public typealias Derivation = @Sendable (_ ids: Set<String>, Writer) throws -> Void

  /// What the device has changed and not sent yet.
  public var outbox: Outbox { Outbox(schema, derivations) }

  /// Names what is synced; nothing happens yet.
  /// - Parameters:
  ///   - rules: the merge rules that the schema names.
  ///   - attemptLimits: how often a change that is refused for a reason is sent before it waits for
  ///     a person; once for reasons that are not named. What builds on another change is sent twice at
  ///     the least, because the other may have been sealed again.
  ///   - derivations: what depends on the rows of a table, by its name.
  /// - Throws: ``SyncError`` with the code `declaration` where a rule is missing, or what is derived is
  ///   of a table that is not synced.
  public init(
    _ schema: SyncSchema, rules: MergeRules = MergeRules(),
    attemptLimits: [Rejection.Code: Int] = [:], derivations: [String: Derivation] = [:]
  ) throws {
    if let table = derivations.keys.sorted().first(where: { schema[$0] == nil }) {
      throw SyncError(.declaration, "“\(table)” is not synced. Correct the derivation's table.")
    }
    self.schema = schema
    self.derivations = Derivations(derivations)
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
      cursors: cursors, watched: derivations.tables)
  }

  /// Has what depends on the rows that were shown worked out, inside one write that is not captured.
  func derive(from application: RowApplication, _ writer: Writer) throws {
    try derivations.run(application.shown, writer)
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
        SELECT 1 FROM _batch WHERE \(SealedBatch.canBeSent(schema.manifest)))
      """
    ).one(reader, as: Bool.self) ?? false
  }
}
