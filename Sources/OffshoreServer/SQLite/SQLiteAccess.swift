import Foundation
public import Offshore
public import OffshoreWire

/// Access to a log in an SQLite file, for the length of a closure: to read, or to write too.
public struct SQLiteAccess<Access: Reader>: ChangeLogReader {
  let access: Access

  init(_ access: Access) { self.access = access }

  public func epoch() throws -> UInt64 {
    UInt64(bitPattern: try SQL("SELECT epoch FROM log").one(access, as: Int64.self) ?? 0)
  }

  public func scope(_ scope: ScopeID) throws -> ScopeState {
    let found = try SQL(
      "SELECT head, min_seq, digest, conflicts, epoch FROM scope WHERE id = \(scope.text)"
    ).one(access, as: Int64.self, Int64.self, Int64.self, Int64.self, Int64.self)
    guard let (head, minSeq, digest, conflicts, epoch) = found else {
      return ScopeState(epoch: try self.epoch())
    }
    return ScopeState(
      head: head, minSeq: minSeq, digest: Digest(value: UInt64(bitPattern: digest)),
      conflicts: conflicts, epoch: UInt64(bitPattern: epoch))
  }

  // MARK: - Rows

  public func row(_ row: RowID, in scope: ScopeID) throws -> SyncedRow? {
    let found = try SQL(
      """
      SELECT seq, state FROM "row"
      WHERE scope = \(scope.text) AND tbl = \(row.table) AND id = \(row.id)
      """
    ).one(access, as: Int64.self, Data.self)
    return try found.map { seq, state in
      SyncedRow(row, seq: seq, state: try RowState(decoding: Array(state)))
    }
  }

  public func referrers(of row: RowID, in scope: ScopeID) throws -> [RowID] {
    try SQL(
      """
      SELECT tbl, id FROM reference
      WHERE scope = \(scope.text) AND parent_tbl = \(row.table) AND parent_id = \(row.id)
      ORDER BY tbl, id
      """
    ).all(access, as: String.self, String.self).map { RowID(table: $0, id: $1) }
  }

  public func rows(in scope: ScopeID, after seq: Int64, limit: Int) throws -> [SyncedRow] {
    try rows(
      """
      SELECT tbl, id, seq, state FROM "row"
      WHERE scope = \(scope.text) AND seq > \(seq) ORDER BY seq LIMIT \(limit)
      """)
  }

  public func rows(in scope: ScopeID, after row: RowID?, limit: Int) throws -> [SyncedRow] {
    // Every name of a table comes after the empty text.
    let row = row ?? RowID(table: "", id: "")
    return try rows(
      """
      SELECT tbl, id, seq, state FROM "row"
      WHERE scope = \(scope.text) AND (tbl, id) > (\(row.table), \(row.id))
      ORDER BY tbl, id LIMIT \(limit)
      """)
  }

  private func rows(_ sql: SQL) throws -> [SyncedRow] {
    try sql.all(access, as: String.self, String.self, Int64.self, Data.self)
      .map { table, id, seq, state in
        SyncedRow(
          RowID(table: table, id: id), seq: seq, state: try RowState(decoding: Array(state)))
      }
  }

  // MARK: - Conflicts

  public func conflicts(of row: RowID, in scope: ScopeID) throws -> [NumberedConflict] {
    try conflicts(
      """
      SELECT number, content FROM "conflict"
      WHERE scope = \(scope.text) AND tbl = \(row.table) AND id = \(row.id) ORDER BY number
      """)
  }

  public func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int
  ) throws -> [NumberedConflict] {
    try conflicts(
      """
      SELECT number, content FROM "conflict"
      WHERE scope = \(scope.text) AND number > \(number) ORDER BY number LIMIT \(limit)
      """)
  }

  private func conflicts(_ sql: SQL) throws -> [NumberedConflict] {
    try sql.all(access, as: Int64.self, Data.self).map { number, content in
      NumberedConflict(number: number, try Conflict(decoding: Array(content)))
    }
  }

  // MARK: - Devices

  public func device(_ device: DeviceID, in scope: ScopeID) throws -> DeviceState {
    let found = try SQL(
      """
      SELECT last_n, acked_seq, has_refusals FROM device
      WHERE scope = \(scope.text) AND device = \(device.data)
      """
    ).one(access, as: Int64.self, Int64.self, Bool.self)
    guard let (lastNumber, acknowledged, hasRefusals) = found else { return DeviceState() }
    return DeviceState(
      lastNumber: lastNumber, acknowledged: acknowledged, hasRefusals: hasRefusals)
  }

  public func result(
    of number: Int64, by device: DeviceID, in scope: ScopeID
  ) throws -> StoredResult? {
    let found = try SQL(
      """
      SELECT hash, outcome FROM result
      WHERE scope = \(scope.text) AND device = \(device.data) AND n = \(number)
      """
    ).one(access, as: Data.self, Data.self)
    return try found.map { hash, outcome in
      StoredResult(
        hash: try ContentHash(bytes: Array(hash)),
        outcome: try BatchResult.Outcome(decoding: Array(outcome)))
    }
  }

  public func refusals(
    of row: RowID, by device: DeviceID, in scope: ScopeID
  ) throws -> [Refusal] {
    try SQL(
      """
      SELECT gen, is_insertion, stamp FROM refusal
      WHERE scope = \(scope.text) AND device = \(device.data) AND tbl = \(row.table)
      AND id = \(row.id) ORDER BY k
      """
    ).all(access, as: Int64.self, Bool.self, Data.self).map { generation, isInsertion, stamp in
      Refusal(
        row, generation: generation, isInsertion: isInsertion,
        stamp: try Stamp(decoding: Array(stamp)))
    }
  }

  // MARK: - Grants

  public func grant(of account: AccountID, in scope: ScopeID) throws -> Grant? {
    try grants("account = \(account.data) AND scope = \(scope.text)").first
  }

  public func hasGrants(in scope: ScopeID) throws -> Bool {
    try SQL(#"SELECT EXISTS (SELECT 1 FROM "grant" WHERE scope = \#(scope.text))"#)
      .one(access, as: Bool.self) ?? false
  }

  public func grants(of account: AccountID, after seq: Int64) throws -> [Grant] {
    try grants("account = \(account.data) AND seq > \(seq)")
  }

  private func grants(_ condition: SQL) throws -> [Grant] {
    let found = try SQL(#"SELECT scope, role, seq FROM "grant" WHERE \#(condition) ORDER BY seq"#)
      .all(access, as: String.self, Int64.self, Int64.self)
    return try found.map { scope, role, seq in
      Grant(try ScopeID(scope), try Self.role(role), seq: seq)
    }
  }

  static func role(_ number: Int64) throws -> Grant.Role {
    guard let role = Grant.Role(rawValue: UInt8(clamping: number)) else {
      throw DatabaseError(.invalidValue, "A grant is of no known role. Correct the row.")
    }
    return role
  }
}
