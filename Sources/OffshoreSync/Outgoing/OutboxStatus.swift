public import Offshore
public import OffshoreWire

/// The numbers of pending and refused changes, in total and by scope.
///
/// Changes that the server has applied do not count as pending, even if no pull has fetched their
/// effects yet.
public struct OutboxStatus: Hashable, Sendable {
  /// The status of one scope. It does not include captured changes that are not sealed yet.
  public struct Scope: Hashable, Sendable {
    /// The role of the account, or `nil` if none was ever granted.
    public var role: Role?
    /// The number of pending changes that are sealed. A row that was changed in several batches
    /// counts once for each of them.
    public var pending = 0
    /// The time of the oldest change in ``pending``, in milliseconds since 1970 by the device's
    /// clock.
    public var oldest: Int64?
    /// The number of refused changes.
    public var refused = 0
    /// The number of times that rows were fetched again because the digest differed from the
    /// server's.
    public var repairs: Int64 = 0
    /// Whether the first sync of the scope was completed.
    public var hasArrived = false
  }

  /// The number of pending changes: the sealed ones of all scopes, and one for each row whose
  /// captured changes are not sealed yet and do not cancel each other out.
  public var pending = 0
  /// The time of the oldest pending change, in milliseconds since 1970 by the device's clock.
  public var oldest: Int64?
  /// The number of refused changes.
  public var refused = 0
  /// The number of refused changes that the server's data lacks because it was restored from a
  /// copy; see ``RefusedChange/Reason/lostByRestore``.
  public var lostByRestore = 0
  /// The status of the known scopes.
  public var scopes: [ScopeID: Scope] = [:]

  /// Creates the status of a device without pending changes.
  public init() {}
}

/// The sync status of a row.
public enum RowStatus: Hashable, Sendable {
  /// The server has the values that the row shows.
  case synced
  /// The row shows a change that the server has not acknowledged.
  case pending
  /// A change of the row was refused; see ``DeadLetter``.
  case refused
}

extension Replica {
  /// Returns the numbers of pending and refused changes.
  ///
  /// To receive each new status, call it in an observation.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func status(_ reader: Reader) throws -> OutboxStatus {
    var status = OutboxStatus()
    let arrivals = try ScopeArrival.byScope(reader)
    for cursor in try ScopeCursor.all.all(reader) {
      status.scopes[cursor.scope, default: .init()].role = cursor.shownRole
      status.scopes[cursor.scope, default: .init()].repairs = cursor.repairs
      status.scopes[cursor.scope, default: .init()].hasArrived =
        cursor.epoch != 0 && arrivals[cursor.scope] == nil
    }
    let sealed = try SealedBatch.pending.group { $0.scope }
      .select({ (scope: $0, count: $1, oldest: $2) }) { batch in
        batch.scope
        batch.count.sum()
        batch.made.min()
      }.all(reader)
    for (scope, count, oldest) in sealed {
      status.scopes[scope, default: .init()].pending = count
      status.scopes[scope, default: .init()].oldest = oldest
      status.oldest = [status.oldest, oldest].compactMap(\.self).min()
      status.pending += count
    }
    let dead = try StoredRefusal.group { $0.scope }.select({ (scope: $0, count: $1) }) { refusal in
      refusal.scope
      refusal.number.count()
    }.all(reader)
    for (scope, count) in dead {
      status.refused += count
      if let scope { status.scopes[scope, default: .init()].refused = count }
    }
    status.lostByRestore = try lostCount(reader)
    status.pending += try outbox.captured(reader).count
    let oldest = try TransactionEnd.all.min(reader) { $0.date }
    status.oldest = [status.oldest, oldest].compactMap(\.self).min()
    return status
  }

  /// Returns the number of refused changes.
  /// - Throws: `DatabaseError`.
  public func refusedCount(_ reader: Reader) throws -> Int {
    try StoredRefusal.all.count(reader)
  }

  /// Returns the number of refused changes that the server's data lacks because it was restored.
  func lostCount(_ reader: Reader) throws -> Int {
    try SQL("SELECT count(*) FROM _dead WHERE \(StoredRefusal.isLost)").first(
      reader, as: Int.self) ?? 0
  }

  /// Returns whether no change can be sent until the server grants a role: all are sealed, and none of
  /// the unanswered batches can be sent.
  func waitsForGrant(_ reader: Reader) throws -> Bool {
    try !JournalRow.all.exists(reader) && !schema.batchQueries.sendable.exists(reader)
      && nextTry(reader, at: 0) == nil
      && schema.batchQueries.unsendable.exists(reader)
  }

  /// Returns the changes that wait for a grant or for the user.
  package func heldChanges(_ reader: Reader) throws -> SyncEngine.HeldChanges {
    var held = SyncEngine.HeldChanges()
    held.areWaitingForGrant = try waitsForGrant(reader)
    held.areRefused = try StoredRefusal.all.exists(reader)
    return held
  }

  /// Returns whether the first sync of a scope was completed, so that its rows are on this device.
  ///
  /// Before, a large scope shows only some of its rows.
  /// - Throws: `DatabaseError`.
  public func hasArrived(_ scope: ScopeID, _ reader: Reader) throws -> Bool {
    try ScopeCursor.find(scope).where { $0.epoch != 0 }.exists(reader)
      && !ScopeArrival.find(scope).exists(reader)
  }

  /// Returns the sync status of a row.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func status(of row: RowID, _ reader: Reader) throws -> RowStatus {
    try status(of: [row], reader)[row] ?? .synced
  }

  /// Returns the sync status of rows.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func status(of rows: [RowID], _ reader: Reader) throws -> [RowID: RowStatus] {
    let layout = try CaptureLayout(reader)
    return try Dictionary(
      rows.map { ($0, try status(of: $0, layout, reader)) }, uniquingKeysWith: { first, _ in first }
    )
  }

  private func status(
    of row: RowID, _ layout: CaptureLayout, _ reader: Reader
  ) throws -> RowStatus {
    let row = schema.sent(row)
    guard let table = layout.number(of: row.table) else { return .synced }
    // NB: SQL, because it runs for each row of a list.
    let found = try SQL(
      """
      SELECT EXISTS (SELECT 1 FROM _dead WHERE tbl = \(row.table) AND id = \(row.id)),
        EXISTS (
          SELECT 1 FROM _shadow WHERE tbl = \(row.table) AND id = \(row.id) AND reason IS NULL)
        OR EXISTS (SELECT 1 FROM _outbox WHERE tbl = \(table) AND id = \(row.id))
      """
    ).first(reader, as: Bool.self, Bool.self)
    if found?.0 == true { return .refused }
    return found?.1 == true ? .pending : .synced
  }
}
