import Foundation
public import Offshore
public import OffshoreWire

/// What a device has not got through to the server, in total and by scope.
public struct OutboxStatus: Hashable, Sendable {
  /// One scope's part. Captured changes that are not sealed yet belong to none.
  public struct Scope: Hashable, Sendable {
    /// What the account may do, or `nil` where nothing was ever granted.
    public var role: Role?
    /// How many edits are sealed and wait for their answer.
    public var pending = 0
    /// When the oldest of them was made, in milliseconds since 1970 by the device's clock.
    public var oldest: Int64?
    /// How many changes were set aside.
    public var dead = 0
    /// How often rows were fetched anew because sums differed from the server's.
    public var repairs: Int64 = 0
    /// Whether all that the server had was here once.
    public var hasArrived = false
  }

  /// How many changes wait: rows whose captured changes come to something, and edits that are sealed.
  public var pending = 0
  /// When the oldest change was made, in milliseconds since 1970 by the device's clock.
  public var oldest: Int64?
  /// How many changes were set aside.
  public var dead = 0
  /// The scopes that the device knows.
  public var scopes: [ScopeID: Scope] = [:]

  /// The status of a device on which nothing waits.
  public init() {}
}

/// How a row stands with the server.
public enum RowStatus: Hashable, Sendable {
  /// The server has what the row shows.
  case synced
  /// The row shows a change that the server has not confirmed.
  case pending
  /// A change of the row was set aside; see ``DeadLetter``.
  case refused
}

extension Replica {
  /// What waits, and what was set aside.
  ///
  /// Ask for it in an observation: it changes with the file.
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
    if let oldest = try SQL("SELECT min(at) FROM _moment").one(reader, as: Int64?.self) ?? nil {
      status.oldest = min(status.oldest ?? oldest, oldest)
    }
    return status
  }

  /// How many changes were set aside.
  /// - Throws: `DatabaseError`.
  public func deadCount(_ reader: Reader) throws -> Int {
    try SQL("SELECT count(*) FROM _dead").one(reader, as: Int.self) ?? 0
  }

  /// Whether all that the server had of a scope was here once.
  /// - Throws: `DatabaseError`.
  public func hasArrived(_ scope: ScopeID, _ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM _cursor WHERE scope = \(scope.text) AND epoch <> 0)")
      .one(reader, as: Bool.self) ?? false
  }

  /// How a row stands with the server.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func status(of row: RowID, _ reader: Reader) throws -> RowStatus {
    try status(of: [row], reader)[row] ?? .synced
  }

  /// How rows stand with the server.
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
    ).one(reader, as: Bool.self, Bool.self)
    if found?.0 == true { return .refused }
    return found?.1 == true ? .pending : .synced
  }
}
