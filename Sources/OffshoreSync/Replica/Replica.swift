import Foundation
public import Offshore
public import OffshoreWire

/// A device's copy of the rows that an account may see. It creates requests and applies their
/// answers.
///
/// It only works on the transactions of one file. Requests and answers are values, which the caller
/// transports. They may be lost, repeated or delayed.
///
/// ```swift
/// let replica = try Replica(schema)
/// let request = try await database.write { try replica.nextPull($0) }
/// // … send the request and receive the answer …
/// let report = try await database.write {
///   try replica.apply(answer, to: request, at: times, $0, makeID: UUID.init)
/// }
/// ```
public struct Replica: Sendable {
  /// The synced tables.
  public let schema: SyncSchema
  let merge: Merge
  /// The maximum number of times that a change is sent before it is refused, by the code of the
  /// rejection. Other codes have a limit of 1.
  let attemptLimits: [Rejection.Code: Int]
  let derivations: Derivations

  /// Updates columns that depend on synced columns, such as a text to search through, or on a row's
  /// status.
  ///
  /// The ids are those of a table's rows that show another device's change or a cancelled, retried
  /// or reverted one, or that no longer have a pending or refused change. Some of these rows may be
  /// unchanged or deleted.
  ///
  /// The closure runs in the transaction of these changes, and its writes are not captured. If it
  /// throws, nothing is applied, so it should skip rows that it cannot process.
  public typealias Derivation = @Sendable (_ ids: Set<String>, Writer) throws -> Void

  /// The pending changes of the device.
  public var outbox: Outbox { Outbox(schema, derivations) }

  /// Creates a replica without accessing a file.
  /// - Parameters:
  ///   - rules: the merge rules that the schema names.
  ///   - attemptLimits: the maximum number of times that a change is sent before it is refused, by
  ///     the code of the rejection; 1 for other codes. A change that depends on a refused one is
  ///     sent at least twice, because the other may have been sealed again.
  ///   - derivations: the updates of derived columns, by the name of the table they depend on.
  /// - Throws: ``ReplicaError`` with the code `declaration` if a rule is missing, or if the table of a
  ///   derivation is not synced.
  public init(
    _ schema: SyncSchema, rules: MergeRules = MergeRules(),
    attemptLimits: [Rejection.Code: Int] = [:], derivations: [String: Derivation] = [:]
  ) throws {
    if let table = derivations.keys.sorted().first(where: { schema[$0] == nil }) {
      throw ReplicaError(.declaration, "“\(table)” is not synced. Correct the derivation's table.")
    }
    self.schema = schema
    self.derivations = Derivations(derivations)
    self.attemptLimits = attemptLimits.merging([.dependency: 2]) { max($0, $1) }
    do {
      merge = try Merge(schema.manifest, rules: rules)
    } catch {
      throw ReplicaError(.declaration, error.message)
    }
  }

  // MARK: - Within a write

  /// Seals all captured changes, before rows are recomputed.
  ///
  /// NB: An edit names the versions that its user saw. So it is sealed before the row under it
  /// changes.
  func sealAll(_ writer: Writer, at now: Int64, makeID: () -> UUID) throws {
    while try hasCaptured(writer) {
      _ = try outbox.seal(writer, at: now, makeID: makeID)
    }
  }

  /// Creates an application that updates rows from their confirmed states and the remaining
  /// batches.
  func application(_ writer: Writer, _ cursors: [ScopeID: ScopeCursor], at now: Int64) throws
    -> RowApplication
  {
    RowApplication(
      schema: schema, merge: merge, writer: writer,
      pending: PendingOps(try SealedBatch.order { $0.key }.all(writer)),
      letters: DeadLetters(writer: writer, now: now),
      cursors: cursors, watched: derivations.tables)
  }

  /// Runs the derivations for the rows that an application has updated. Call it while changes are
  /// not captured.
  func derive(from application: RowApplication, _ writer: Writer) throws {
    try derivations.run(application.shown, writer)
  }

  /// Returns the cursors of the known scopes.
  func cursors(_ reader: Reader) throws -> [ScopeID: ScopeCursor] {
    Dictionary(
      try ScopeCursor.all.all(reader).map { ($0.scope, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether captured changes are not sealed yet.
  func hasCaptured(_ reader: Reader) throws -> Bool {
    try JournalRow.all.exists(reader)
  }

  /// Returns whether changes are to be sent, or batches are unanswered.
  func hasUnsent(_ reader: Reader) throws -> Bool {
    try hasCaptured(reader) || SealedBatch.sendable(schema.manifest).exists(reader)
  }
}
