import Foundation
public import Offshore
public import OffshoreWire

/// Read or write access to a log in an SQLite file, valid within one closure.
public struct SQLiteAccess<Access: Reader>: ChangeLogReader {
  let access: Access

  init(_ access: Access) { self.access = access }

  public func epoch() throws -> UInt64 {
    UInt64(bitPattern: try SQL("SELECT epoch FROM log").first(access, as: Int64.self) ?? 0)
  }

  public func scope(_ scope: ScopeID) throws -> ScopeState {
    let found = try SQL(
      "SELECT head, min_seq, digest, conflicts, epoch FROM scope WHERE id = \(scope.text)"
    ).first(access, as: Int64.self, Int64.self, Int64.self, Int64.self, Int64.self)
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
    ).first(access, as: Int64.self, Data.self)
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

  public func rows(
    in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int
  ) throws -> RowRun {
    try rows(
      """
      SELECT tbl, id, seq, state FROM "row"
      WHERE scope = \(scope.text) AND seq > \(seq) ORDER BY seq LIMIT \(limit)
      """, limit: limit, bytes: bytes)
  }

  public func rows(
    in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int
  ) throws -> RowRun {
    // The empty text sorts before every table name.
    let row = row ?? RowID(table: "", id: "")
    return try rows(
      """
      SELECT tbl, id, seq, state FROM "row"
      WHERE scope = \(scope.text) AND (tbl, id) > (\(row.table), \(row.id))
      ORDER BY tbl, id LIMIT \(limit)
      """, limit: limit, bytes: bytes)
  }

  private func rows(_ sql: SQL, limit: Int, bytes: Int) throws -> RowRun {
    var room = bytes
    let rows = try access.connection.fetch(sql, columns: 4, until: room <= 0) { found in
      let row = RowID(table: try found.value(String.self), id: try found.value(String.self))
      let seq = try found.value(Int64.self)
      let state = Array(try found.value(Data.self))
      room -= state.count
      return try KeptRow(row, seq: seq, state: state)
    }
    return RowRun(rows, isCut: rows.count >= limit || room <= 0)
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
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) throws -> [NumberedConflict] {
    try conflicts(
      """
      SELECT number, content FROM "conflict"
      WHERE scope = \(scope.text) AND number > \(number) ORDER BY number LIMIT \(limit)
      """, bytes: bytes)
  }

  private func conflicts(_ sql: SQL, bytes: Int = .max) throws -> [NumberedConflict] {
    var room = bytes
    return try access.connection.fetch(sql, columns: 2, until: room <= 0) { found in
      let number = try found.value(Int64.self)
      let content = Array(try found.value(Data.self))
      room -= content.count
      return NumberedConflict(number: number, try Conflict(decoding: content))
    }
  }

  // MARK: - Devices

  public func device(_ device: DeviceID, in scope: ScopeID) throws -> DeviceState {
    let found = try SQL(
      """
      SELECT last_n, acked_seq, has_refusals, account, forbidden_ops FROM device
      WHERE scope = \(scope.text) AND device = \(device.data)
      """
    ).first(access, as: Int64.self, Int64.self, Bool.self, Data?.self, Int64.self)
    guard let (lastNumber, acknowledged, hasRefusals, account, forbidden) = found else {
      return DeviceState()
    }
    return DeviceState(
      account: try account.map { try AccountID(data: $0) }, lastNumber: lastNumber,
      acknowledged: acknowledged, hasRefusals: hasRefusals, forbiddenOps: forbidden)
  }

  public func owner(of device: DeviceID) throws -> AccountID? {
    try SQL(
      "SELECT account FROM device WHERE device = \(device.data) AND account IS NOT NULL LIMIT 1"
    ).first(access, as: Data.self).map { try AccountID(data: $0) }
  }

  public func deviceCount(of account: AccountID, in scope: ScopeID) throws -> Int {
    try SQL(
      """
      SELECT count(*) FROM device
      WHERE scope = \(scope.text) AND account = \(account.data)
      """
    ).first(access, as: Int.self) ?? 0
  }

  public func devices(in scope: ScopeID) throws -> [DeviceID: AccountID] {
    let rows = try SQL(
      "SELECT device, account FROM device WHERE scope = \(scope.text) AND account IS NOT NULL"
    ).all(access, as: Data.self, Data.self)
    return try rows.reduce(into: [:]) { devices, row in
      devices[try DeviceID(data: row.0)] = try AccountID(data: row.1)
    }
  }

  public func result(
    of number: Int64, by device: DeviceID, in scope: ScopeID
  ) throws -> StoredResult? {
    let found = try SQL(
      """
      SELECT hash, outcome FROM result
      WHERE scope = \(scope.text) AND device = \(device.data) AND n = \(number)
      """
    ).first(access, as: Data.self, Data.self)
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
      .first(access, as: Bool.self) ?? false
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

  static func role(_ number: Int64) throws -> Role {
    guard let role = Role(rawValue: UInt8(clamping: number)) else {
      throw DatabaseError(.invalidValue, "A grant is of no known role. Correct the row.")
    }
    return role
  }
}
