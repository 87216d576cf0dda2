package import Foundation
import Offshore
package import OffshoreWire

/// Read or write access to a server's data in an SQLite file, valid within one closure.
package struct SQLiteTransaction: StorageTransaction {
  /// The access to the file.
  let reader: Reader
  /// The access, if the transaction is a write.
  private let access: Writer?
  package var changes = GrantChanges()

  init(reading reader: Reader) { (self.reader, access) = (reader, nil) }

  init(writing writer: Writer) { (reader, access) = (writer, writer) }

  /// The access for changes.
  /// - Throws: `DatabaseError` with the code `readOnly` in a transaction that reads.
  var writer: Writer {
    get throws {
      guard let access else {
        throw DatabaseError(.readOnly, "This transaction only reads. Change the data in a write.")
      }
      return access
    }
  }

  // MARK: - Epoch and manifest

  package func epoch() throws -> UInt64 { try EpochRecord.all.first(reader)?.epoch ?? 0 }

  package func setEpoch(_ epoch: UInt64) throws {
    try EpochRecord.all.update(writer) { [$0.epoch.set(epoch)] }
    try ScopeRecord.all.update(writer) { [$0.epoch.set(epoch)] }
  }

  package func manifest() throws -> Manifest? {
    try ManifestRecord.all.first(reader).map { try Manifest(json: $0.json) }
  }

  package func setManifest(_ manifest: Manifest) throws {
    try ManifestRecord(json: try manifest.json()).save(writer)
  }

  // MARK: - Scopes and rows

  package func scope(_ scope: ScopeID) throws -> ScopeState {
    try ScopeRecord.find(scope).first(reader)?.state ?? ScopeState(epoch: try epoch())
  }

  package func setScope(_ scope: ScopeID, _ state: ScopeState) throws {
    try ScopeRecord(scope, state).store(over: ScopeRecord.find(scope).first(reader), writer)
  }

  package func row(_ row: RowID, in scope: ScopeID) throws -> SyncedRow? {
    guard let found = try RowRecord.find(key: scope, row.table, row.id).first(reader) else {
      return nil
    }
    return SyncedRow(row, seq: found.seq, state: try RowState(decoding: found.state.bytes))
  }

  package func presence(of row: RowID, in scope: ScopeID) throws -> RowState.Presence? {
    try RowRecord.presence(of: row, in: scope, reader)
  }

  package func rows(
    in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int
  ) throws -> RowRun {
    try RowRecord.run(RowRecord.after(seq: seq, in: scope), limit: limit, bytes: bytes, reader)
  }

  package func rows(
    in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int
  ) throws -> RowRun {
    try RowRecord.run(RowRecord.after(row, in: scope), limit: limit, bytes: bytes, reader)
  }

  package func rows(
    of table: String, in scope: ScopeID, after id: String, limit: Int, bytes: Int
  ) throws -> RowRun {
    try RowRecord.run(
      RowRecord.of(table, after: id, in: scope), limit: limit, bytes: bytes, reader)
  }

  package func setRow(_ row: SyncedRow, in scope: ScopeID) throws {
    try RowRecord(row, in: scope).save(writer)
  }

  package func rowsWithRemovedKeys(
    before time: Int64, limit: Int
  ) throws -> [(scope: ScopeID, row: RowID)] {
    try RowRecord.withRemovedKeys(before: time, limit: limit, reader)
  }

  package func usage(of account: AccountID) throws -> StorageUsage {
    try ScopeRecord.usage(of: account, reader)
  }

  // MARK: - References

  package func referrers(
    of row: RowID, in scope: ScopeID, after last: RowID?, limit: Int
  ) throws -> [RowID] {
    try ReferenceRecord.referrers(of: row, in: scope, after: last, limit: limit, reader)
  }

  package func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws {
    try ReferenceRecord(from: row, to: parent, in: scope).insertIfAbsent(writer)
  }

  package func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws {
    try ReferenceRecord(from: row, to: parent, in: scope).delete(writer)
  }

  package func removeReferences(to table: String) throws {
    try ReferenceRecord.where { $0.parentTable == table }.delete(writer)
  }

  // MARK: - Conflicts

  package func conflicts(of row: RowID, in scope: ScopeID) throws -> [NumberedConflict] {
    try ConflictRecord
      .where { $0.scope == scope && $0.tableName == row.table && $0.id == row.id }
      .order { $0.number }.all(reader).map { try $0.conflict }
  }

  package func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) throws -> [NumberedConflict] {
    var (conflicts, room): ([NumberedConflict], Int) = ([], bytes)
    let later = ConflictRecord.where { $0.scope == scope && $0.number > number }
      .order { $0.number }
    try EndOfIteration.ends {
      try later.forEach(reader) { record in
        conflicts.append(try record.conflict)
        room -= record.content.bytes.count
        if conflicts.count >= limit || room <= 0 { throw EndOfIteration() }
      }
    }
    return conflicts
  }

  package func addConflict(
    _ conflict: NumberedConflict, in scope: ScopeID, at time: Int64
  ) throws { try ConflictRecord(conflict, in: scope, at: time).insert(writer) }

  package func removeConflicts(before time: Int64, limit: Int) throws -> Int {
    try ConflictRecord.remove(before: time, limit: limit, writer)
  }

  // MARK: - Tombstones

  // NB: SQLite uses the index of tombstones only for a condition with its literal, not with a bound
  // value (<https://sqlite.org/partialindex.html>).
  package func lastTombstones() throws -> [ScopeID: Int64] {
    let last = try SQL(#"SELECT scope, max(seq) FROM "row" WHERE presence <> 0 GROUP BY scope"#)
      .all(reader, as: String.self, Int64.self)
    return Dictionary(uniqueKeysWithValues: try last.map { (try ScopeID($0), $1) })
  }

  package func removeTombstones(in scope: ScopeID, upTo seq: Int64, limit: Int) throws -> Int {
    try RowRecord.removeTombstones(in: scope, upTo: seq, limit: limit, writer)
  }

  package func tombstoneMarks() throws -> [TombstoneMark] {
    try TombstoneMark.all.all(reader).sorted { ($0.scope, $0.seq) < ($1.scope, $1.seq) }
  }

  package func addTombstoneMark(_ mark: TombstoneMark) throws { try mark.insert(writer) }

  package func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) throws {
    try TombstoneMark.where { $0.scope == scope && $0.seq <= seq }.delete(writer)
  }

  // MARK: - Devices and batches

  package func device(_ device: DeviceID, in scope: ScopeID) throws -> StoredDevice {
    try DeviceRecord.find(key: scope, device).first(reader)?.state ?? StoredDevice()
  }

  package func owner(of device: DeviceID) throws -> AccountID? {
    try DeviceRecord.where { $0.device == device && $0.account != nil }.first(reader)?.account
  }

  package func deviceCount(of account: AccountID, in scope: ScopeID) throws -> Int {
    try DeviceRecord.where { $0.scope == scope && $0.account == account }.count(reader)
  }

  package func devices(in scope: ScopeID) throws -> [DeviceID: AccountID] {
    try DeviceRecord.where { $0.scope == scope }.all(reader).reduce(into: [:]) {
      $0[$1.device] = $1.account
    }
  }

  package func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: StoredDevice) throws {
    try DeviceRecord(device, in: scope, state)
      .store(over: DeviceRecord.find(key: scope, device).first(reader), writer)
  }

  package func resetAcknowledgements() throws {
    try DeviceRecord.all.update(writer) { [$0.acknowledged.set(0)] }
  }

  package func result(
    of number: Int64, by device: DeviceID, in scope: ScopeID
  ) throws -> StoredResult? {
    try ResultRecord.find(key: scope, device, number).first(reader).map { try $0.result }
  }

  package func result(
    withID id: UUID, by device: DeviceID, in scope: ScopeID
  ) throws -> (number: Int64, result: StoredResult)? {
    guard let number = try ResultRecord.number(ofID: id, by: device, in: scope, reader),
      let result = try result(of: number, by: device, in: scope)
    else { return nil }
    return (number, result)
  }

  package func sendersOfResults(
    before time: Int64, keeping count: Int64, limit: Int
  ) throws -> [BatchSender] {
    try ResultRecord.senders(before: time, keeping: count, limit: limit, reader)
  }

  package func removeResults(
    of sender: BatchSender, before time: Int64, keeping count: Int64, limit: Int
  ) throws -> Int {
    let last = try device(sender.device, in: sender.scope).lastNumber
    return try ResultRecord.remove(
      of: sender, upTo: last - count, before: time, limit: limit, writer)
  }

  package func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID
  ) throws { try ResultRecord(result, of: number, by: device, in: scope).insert(writer) }

  package func refusals(
    of row: RowID, by device: DeviceID, in scope: ScopeID
  ) throws -> [Refusal] {
    try RefusalRecord.of(row, by: device, in: scope).order { $0.number }.all(reader)
      .map { try $0.refusal }
  }

  package func addRefusal(_ refusal: Refusal, by device: DeviceID, in scope: ScopeID) throws {
    try RefusalRecord(refusal, by: device, in: scope).insert(writer)
  }

  package func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID
  ) throws {
    try RefusalRecord.of(row, by: device, in: scope)
      .where { $0.stamp == EncodedValue(stamp) }.delete(writer)
  }

  // MARK: - Grants

  package func grant(of account: AccountID, in scope: ScopeID) throws -> Grant? {
    try GrantRecord.find(key: account, scope).first(reader)?.grant
  }

  package func hasGrants(in scope: ScopeID) throws -> Bool {
    try GrantRecord.where { $0.scope == scope }.exists(reader)
  }

  package func grants(of account: AccountID, after seq: Int64) throws -> [Grant] {
    try GrantRecord.where { $0.account == account && $0.seq > seq }.order { $0.seq }
      .select({ Grant($0, $1, seq: $2) }) {
        $0.scope
        $0.role
        $0.seq
      }.all(reader)
  }

  package func lastGrant(of account: AccountID) throws -> Int64 {
    try SQL(#"SELECT max(seq) FROM "grant" WHERE account = \#(account.stored)"#)
      .first(reader, as: Int64?.self).flatMap(\.self) ?? 0
  }

  package func membershipCount(of account: AccountID, ofKind kind: String) throws -> Int {
    try GrantRecord.membershipCount(of: account, ofKind: kind, reader)
  }

  package func claimCount(of account: AccountID) throws -> Int {
    try ClaimRecord.find(key: account).first(reader)?.count ?? 0
  }

  package func addClaim(of account: AccountID) throws {
    try ClaimRecord(account: account, count: try claimCount(of: account) + 1).save(writer)
  }

  package func members(of scope: ScopeID) throws -> [Member] {
    try GrantRecord.joining(Account.self).on { $0.account == $1.id }
      .where { grant, _ in grant.scope == scope }
      .select({ Member($0, name: $1, role: $2) }) { grant, account in
        account.id
        account.name
        grant.role
      }.all(reader).sorted { $0.name.text < $1.name.text }
  }

  package func setGrant(_ grant: Grant, of account: AccountID, start: ReadingStart) throws {
    try GrantRecord(
      account: account, scope: grant.scope, role: grant.role, seq: grant.seq, start: start.head,
      conflicts: start.conflicts
    ).save(writer)
  }

  package func reading(
    of account: AccountID, in scope: ScopeID
  ) throws -> (grant: Grant, start: ReadingStart)? {
    guard let record = try GrantRecord.find(key: account, scope).first(reader),
      record.role.canRead
    else { return nil }
    return (record.grant, ReadingStart(head: record.start, conflicts: record.conflicts))
  }

  // MARK: - Accounts and invitations

  package func account(_ id: AccountID) throws -> Account? {
    try Account.find(key: id).first(reader)
  }

  package func account(named name: AccountName) throws -> Account? {
    try Account.where { $0.name == name }.first(reader)
  }

  package func accounts(after last: AccountID?, limit: Int) throws -> [AccountID] {
    try SQL(
      "SELECT id FROM account WHERE id > \(last?.stored ?? Data()) ORDER BY id LIMIT \(limit)"
    ).all(reader, as: Data.self).map { try AccountID(stored: $0) }
  }

  package func setAccount(_ account: Account) throws { try account.save(writer) }

  package func token(_ hash: ContentHash) throws -> AccessToken? {
    try AccessToken.find(key: hash).first(reader)
  }

  package func tokens(of account: AccountID) throws -> [AccessToken] {
    try AccessToken.where { $0.account == account }.all(reader)
      .sorted { ($0.created, $0.hash.description) < ($1.created, $1.hash.description) }
  }

  package func addToken(_ token: AccessToken) throws { try token.insert(writer) }

  package func removeToken(_ hash: ContentHash) throws {
    try AccessToken.find(key: hash).delete(writer)
  }

  package func invitation(_ hash: ContentHash) throws -> Invitation? {
    try Invitation.find(key: hash).first(reader)
  }

  package func invitations(to scope: ScopeID) throws -> [Invitation] {
    try Invitation.where { $0.scope == scope }.all(reader)
      .sorted { ($0.expires, $0.hash.description) < ($1.expires, $1.hash.description) }
  }

  package func addInvitation(_ invitation: Invitation) throws { try invitation.insert(writer) }

  package func removeInvitation(_ hash: ContentHash) throws {
    try Invitation.find(key: hash).delete(writer)
  }

  package func removeInvitations(to scope: ScopeID) throws {
    try Invitation.where { $0.scope == scope }.delete(writer)
  }

  package func removeAllTokens() throws -> Int { try AccessToken.all.delete(writer) }

  package func removeAllInvitations() throws -> Int { try Invitation.all.delete(writer) }

  package func removeExpired(at now: Int64) throws {
    try AccessToken.where { $0.expires <= now }.delete(writer)
    try Invitation.where { $0.expires <= now }.delete(writer)
  }
}

extension Record {
  /// Inserts the row, or updates the columns in which it differs from the stored one.
  ///
  /// NB: `save` would write the indexes of all columns again. Each batch stores a scope and a
  /// device, whose indexed columns hardly ever change.
  fileprivate func store(over old: Self?, _ writer: Writer) throws {
    if let old { try old.update(changing: self, writer) } else { try insert(writer) }
  }
}

/// Ends an iteration that has enough rows.
private struct EndOfIteration: Error {
  /// Runs an iteration, which may throw the error.
  static func ends(_ iteration: () throws -> Void) throws {
    do { try iteration() } catch is EndOfIteration {}
  }
}
