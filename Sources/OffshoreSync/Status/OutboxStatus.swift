import Foundation
public import Offshore
public import OffshoreWire

/// The numbers of pending and refused changes, in total and by scope.
public struct OutboxStatus: Hashable, Sendable {
  /// The status of one scope. It does not include captured changes that are not sealed yet.
  public struct Scope: Hashable, Sendable {
    /// The role of the account, or `nil` if none was ever granted.
    public var role: Role?
    /// The number of sealed edits that are not answered yet.
    public var pending = 0
    /// The time of the oldest of these edits, in milliseconds since 1970 by the device's clock.
    public var oldest: Int64?
    /// The number of refused changes.
    public var dead = 0
    /// The number of times that rows were fetched again because the digest differed from the
    /// server's.
    public var repairs: Int64 = 0
    /// Whether the first sync of the scope was completed.
    public var hasArrived = false
  }

  /// The number of pending changes: rows with captured changes that do not cancel out, and sealed
  /// edits.
  public var pending = 0
  /// The time of the oldest pending change, in milliseconds since 1970 by the device's clock.
  public var oldest: Int64?
  /// The number of refused changes.
  public var dead = 0
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
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func status(_ reader: Reader) throws -> OutboxStatus {
    var status = OutboxStatus()
    for cursor in try ScopeCursor.all(reader) {
      status.scopes[cursor.scope, default: .init()].role = cursor.role
      status.scopes[cursor.scope, default: .init()].repairs = cursor.repairs
      status.scopes[cursor.scope, default: .init()].hasArrived = cursor.epoch != 0
    }
    let sealed = try SQL(
      """
      SELECT scope, sum(ops), min(made) FROM _batch
      WHERE phase = \(SealedBatch.Phase.waiting.rawValue) GROUP BY scope
      """
    ).all(reader, as: String.self, Int.self, Int64.self)
    for (text, ops, oldest) in sealed {
      let scope = try ScopeID(text)
      status.scopes[scope, default: .init()].pending = ops
      status.scopes[scope, default: .init()].oldest = oldest
      status.oldest = min(status.oldest ?? oldest, oldest)
      status.pending += ops
    }
    let dead = try SQL("SELECT scope, count(*) FROM _dead GROUP BY scope")
      .all(reader, as: String?.self, Int.self)
    for (text, count) in dead {
      status.dead += count
      if let text { status.scopes[try ScopeID(text), default: .init()].dead = count }
    }
    status.pending += try outbox.captured(reader).count
    if let oldest = try SQL("SELECT min(at) FROM _moment").first(reader, as: Int64?.self) ?? nil {
      status.oldest = min(status.oldest ?? oldest, oldest)
    }
    return status
  }

  /// Returns the number of refused changes.
  /// - Throws: `DatabaseError`.
  public func deadCount(_ reader: Reader) throws -> Int {
    try SQL("SELECT count(*) FROM _dead").first(reader, as: Int.self) ?? 0
  }

  /// Returns whether the first sync of a scope was completed.
  /// - Throws: `DatabaseError`.
  public func hasArrived(_ scope: ScopeID, _ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM _cursor WHERE scope = \(scope.text) AND epoch <> 0)")
      .first(reader, as: Bool.self) ?? false
  }

  /// Returns the sync status of a row.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func status(of row: RowID, _ reader: Reader) throws -> RowStatus {
    try status(of: [row], reader)[row] ?? .synced
  }

  /// Returns the sync status of rows.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func status(of rows: [RowID], _ reader: Reader) throws -> [RowID: RowStatus] {
    let layout = try CaptureLayout(reader)
    return try Dictionary(
      rows.map { ($0, try status(of: $0, layout, reader)) }, uniquingKeysWith: { first, _ in first }
    )
  }

  private func status(
    of row: RowID, _ layout: CaptureLayout, _ reader: Reader
  ) throws -> RowStatus {
    guard let table = layout.number(of: row.table) else { return .synced }
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
