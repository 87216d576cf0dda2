import Foundation
public import Offshore
public import OffshoreWire

extension SQLiteAccess: ChangeLogWriter where Access == Writer {
  public func setEpoch(_ epoch: UInt64) throws {
    try SQL("UPDATE log SET epoch = \(Int64(bitPattern: epoch))").run(access)
    try SQL("UPDATE scope SET epoch = \(Int64(bitPattern: epoch))").run(access)
  }

  public func setScope(_ scope: ScopeID, _ state: ScopeState) throws {
    let digest = Int64(bitPattern: state.digest.value)
    try SQL(
      """
      INSERT INTO scope(id, head, min_seq, digest, conflicts, epoch)
      VALUES (\(scope.text), \(state.head), \(state.minSeq), \(digest), \(state.conflicts),
        \(Int64(bitPattern: state.epoch)))
      ON CONFLICT DO UPDATE SET head = excluded.head, min_seq = excluded.min_seq,
        digest = excluded.digest, conflicts = excluded.conflicts, epoch = excluded.epoch
      """
    ).run(access)
  }

  public func setRow(_ row: SyncedRow, in scope: ScopeID) throws {
    let state = row.state
    try SQL(
      """
      INSERT INTO "row"(scope, tbl, id, seq, gen, presence, state)
      VALUES (\(scope.text), \(row.row.table), \(row.row.id), \(row.seq), \(state.generation),
        \(Int64(state.presence.rawValue)), \(Data(state.encoded())))
      ON CONFLICT (scope, tbl, id) DO UPDATE SET seq = excluded.seq, gen = excluded.gen,
        presence = excluded.presence, state = excluded.state
      """
    ).run(access)
  }

  public func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws {
    try SQL(
      """
      INSERT OR IGNORE INTO reference(scope, parent_tbl, parent_id, tbl, id)
      VALUES (\(scope.text), \(parent.table), \(parent.id), \(row.table), \(row.id))
      """
    ).run(access)
  }

  public func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws {
    try SQL(
      """
      DELETE FROM reference WHERE scope = \(scope.text) AND parent_tbl = \(parent.table)
      AND parent_id = \(parent.id) AND tbl = \(row.table) AND id = \(row.id)
      """
    ).run(access)
  }

  public func removeTombstones(in scope: ScopeID, upTo seq: Int64) throws {
    try SQL(
      """
      DELETE FROM "row" WHERE scope = \(scope.text) AND seq <= \(seq) AND presence <> 0
      """
    ).run(access)
  }

  public func addConflict(_ conflict: NumberedConflict, in scope: ScopeID) throws {
    let row = conflict.conflict.row
    try SQL(
      """
      INSERT INTO "conflict"(scope, number, tbl, id, content) VALUES (\(scope.text),
        \(conflict.number), \(row.table), \(row.id), \(Data(conflict.conflict.encoded())))
      """
    ).run(access)
  }

  // MARK: - Devices

  public func setDevice(
    _ device: DeviceID, in scope: ScopeID, _ state: DeviceState
  ) throws {
    try SQL(
      """
      INSERT INTO device(
        scope, device, last_n, acked_seq, has_refusals, account, forbidden_ops)
      VALUES (\(scope.text), \(device.data), \(state.lastNumber), \(state.acknowledged),
        \(state.hasRefusals), \(state.account?.data), \(state.forbiddenOps))
      ON CONFLICT DO UPDATE SET last_n = excluded.last_n, acked_seq = excluded.acked_seq,
        has_refusals = excluded.has_refusals, account = excluded.account,
        forbidden_ops = excluded.forbidden_ops
      """
    ).run(access)
  }

  public func forgetAcknowledgements() throws {
    try SQL("UPDATE device SET acked_seq = 0").run(access)
  }

  public func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID
  ) throws {
    try SQL(
      """
      INSERT INTO result(scope, device, n, hash, outcome)
      VALUES (\(scope.text), \(device.data), \(number), \(Data(result.hash.bytes)),
        \(Data(result.outcome.encoded())))
      """
    ).run(access)
  }

  public func addRefusal(
    _ refusal: Refusal, by device: DeviceID, in scope: ScopeID
  ) throws {
    try SQL(
      """
      INSERT INTO refusal(scope, device, tbl, id, gen, is_insertion, stamp)
      VALUES (\(scope.text), \(device.data), \(refusal.row.table), \(refusal.row.id),
        \(refusal.generation), \(refusal.isInsertion), \(Data(refusal.stamp.encoded())))
      """
    ).run(access)
  }

  public func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID
  ) throws {
    try SQL(
      """
      DELETE FROM refusal
      WHERE scope = \(scope.text) AND device = \(device.data) AND tbl = \(row.table)
      AND id = \(row.id) AND stamp = \(Data(stamp.encoded()))
      """
    ).run(access)
  }

  // MARK: - Grants

  public func setGrant(_ grant: Grant, of account: AccountID) throws {
    try SQL(
      """
      INSERT INTO "grant"(account, scope, role, seq)
      VALUES (\(account.data), \(grant.scope.text), \(Int64(grant.role.rawValue)), \(grant.seq))
      ON CONFLICT (account, scope) DO UPDATE SET role = excluded.role, seq = excluded.seq
      """
    ).run(access)
  }
}

extension DeviceID {
  /// The 16 bytes.
  var data: Data { Data(encoded()) }

  init(data: Data) throws {
    try self.init(decoding: Array(data))
  }
}

extension AccountID {
  /// The 16 bytes.
  var data: Data { Data(uuid.encoded()) }
}
