package import Foundation
package import OffshoreServer
package import OffshoreWire

/// A transaction that passes its calls to another one. A test implements the calls that it alters.
package protocol TransactionWrapper: StorageTransaction {
  associatedtype Base: StorageTransaction
  /// The transaction that receives the calls.
  var base: Base { get set }
}

extension TransactionWrapper {
  package var changes: GrantChanges {
    get { base.changes }
    set { base.changes = newValue }
  }
  package func epoch() throws -> UInt64 { try base.epoch() }
  package mutating func setEpoch(_ epoch: UInt64) throws { try base.setEpoch(epoch) }
  package func manifest() throws -> Manifest? { try base.manifest() }
  package mutating func setManifest(_ manifest: Manifest) throws { try base.setManifest(manifest) }
  package func scope(_ scope: ScopeID) throws -> ScopeState { try base.scope(scope) }
  package mutating func setScope(_ scope: ScopeID, _ state: ScopeState) throws {
    try base.setScope(scope, state)
  }
  package func row(_ row: RowID, in scope: ScopeID) throws -> SyncedRow? {
    try base.row(row, in: scope)
  }
  package func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) throws -> RowRun {
    try base.rows(in: scope, after: seq, limit: limit, bytes: bytes)
  }
  package func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) throws -> RowRun {
    try base.rows(in: scope, after: row, limit: limit, bytes: bytes)
  }
  package func rows(
    of table: String, in scope: ScopeID, after id: String, limit: Int, bytes: Int
  ) throws -> RowRun {
    try base.rows(of: table, in: scope, after: id, limit: limit, bytes: bytes)
  }
  package mutating func setRow(_ row: SyncedRow, in scope: ScopeID) throws {
    try base.setRow(row, in: scope)
  }
  package func rowsWithRemovedKeys(
    before time: Int64, limit: Int
  ) throws -> [(scope: ScopeID, row: RowID)] {
    try base.rowsWithRemovedKeys(before: time, limit: limit)
  }
  package mutating func removeContents(
    of scope: ScopeID, retainingResults retainsResults: Bool
  ) throws -> Set<ContentHash> {
    try base.removeContents(of: scope, retainingResults: retainsResults)
  }
  package func scopes(ofKind kind: String, after last: ScopeID?, limit: Int) throws -> [ScopeID] {
    try base.scopes(ofKind: kind, after: last, limit: limit)
  }
  package func usage(of account: AccountID) throws -> StorageUsage { try base.usage(of: account) }
  package func referrers(
    of row: RowID, in scope: ScopeID, after last: RowID?, limit: Int
  ) throws -> [RowID] { try base.referrers(of: row, in: scope, after: last, limit: limit) }
  package mutating func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws {
    try base.addReference(from: row, to: parent, in: scope)
  }
  package mutating func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws
  { try base.removeReference(from: row, to: parent, in: scope) }
  package mutating func removeReferences(to table: String) throws {
    try base.removeReferences(to: table)
  }
  package func conflicts(of row: RowID, in scope: ScopeID) throws -> [NumberedConflict] {
    try base.conflicts(of: row, in: scope)
  }
  package func conflicts(in scope: ScopeID, after number: Int64, limit: Int, bytes: Int) throws
    -> [NumberedConflict]
  { try base.conflicts(in: scope, after: number, limit: limit, bytes: bytes) }
  package mutating func addConflict(
    _ conflict: NumberedConflict, in scope: ScopeID, at time: Int64
  ) throws { try base.addConflict(conflict, in: scope, at: time) }
  package mutating func removeConflicts(before time: Int64, limit: Int) throws -> Int {
    try base.removeConflicts(before: time, limit: limit)
  }
  package func lastTombstones() throws -> [ScopeID: Int64] { try base.lastTombstones() }
  package mutating func removeTombstones(
    in scope: ScopeID, upTo seq: Int64, limit: Int
  ) throws -> Int { try base.removeTombstones(in: scope, upTo: seq, limit: limit) }
  package func tombstoneMarks() throws -> [TombstoneMark] { try base.tombstoneMarks() }
  package mutating func addTombstoneMark(_ mark: TombstoneMark) throws {
    try base.addTombstoneMark(mark)
  }
  package mutating func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) throws {
    try base.removeTombstoneMarks(in: scope, upTo: seq)
  }
  package func device(_ device: DeviceID, in scope: ScopeID) throws -> StoredDevice {
    try base.device(device, in: scope)
  }
  package func owner(of device: DeviceID) throws -> AccountID? { try base.owner(of: device) }
  package func deviceCount(of account: AccountID, in scope: ScopeID) throws -> Int {
    try base.deviceCount(of: account, in: scope)
  }
  package func devices(in scope: ScopeID) throws -> [DeviceID: AccountID] {
    try base.devices(in: scope)
  }
  package mutating func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: StoredDevice)
    throws
  { try base.setDevice(device, in: scope, state) }
  package mutating func resetAcknowledgements() throws { try base.resetAcknowledgements() }
  package func result(of number: Int64, by device: DeviceID, in scope: ScopeID) throws
    -> StoredResult?
  { try base.result(of: number, by: device, in: scope) }
  package func result(
    withID id: UUID, by device: DeviceID, in scope: ScopeID
  ) throws -> (number: Int64, result: StoredResult)? {
    try base.result(withID: id, by: device, in: scope)
  }
  package func sendersOfResults(
    before time: Int64, keeping count: Int64, limit: Int
  ) throws -> [BatchSender] {
    try base.sendersOfResults(before: time, keeping: count, limit: limit)
  }
  package mutating func removeResults(
    of sender: BatchSender, before time: Int64, keeping count: Int64, limit: Int
  ) throws -> Int {
    try base.removeResults(of: sender, before: time, keeping: count, limit: limit)
  }
  package mutating func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID
  ) throws { try base.addResult(result, of: number, by: device, in: scope) }
  package func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) throws -> [Refusal] {
    try base.refusals(of: row, by: device, in: scope)
  }
  package mutating func addRefusal(_ refusal: Refusal, by device: DeviceID, in scope: ScopeID)
    throws
  { try base.addRefusal(refusal, by: device, in: scope) }
  package mutating func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID
  ) throws { try base.removeRefusals(of: row, at: stamp, by: device, in: scope) }
  package func grant(of account: AccountID, in scope: ScopeID) throws -> Grant? {
    try base.grant(of: account, in: scope)
  }
  package func hasGrants(in scope: ScopeID) throws -> Bool { try base.hasGrants(in: scope) }
  package func grants(of account: AccountID, after seq: Int64) throws -> [Grant] {
    try base.grants(of: account, after: seq)
  }
  package func lastGrant(of account: AccountID) throws -> Int64 {
    try base.lastGrant(of: account)
  }
  package func membershipCount(of account: AccountID, ofKind kind: String) throws -> Int {
    try base.membershipCount(of: account, ofKind: kind)
  }
  package func claimCount(of account: AccountID) throws -> Int {
    try base.claimCount(of: account)
  }
  package mutating func addClaim(of account: AccountID) throws { try base.addClaim(of: account) }
  package func members(of scope: ScopeID) throws -> [Member] { try base.members(of: scope) }
  package mutating func setGrant(_ grant: Grant, of account: AccountID, start: ReadingStart) throws
  {
    try base.setGrant(grant, of: account, start: start)
  }
  package func reading(
    of account: AccountID, in scope: ScopeID
  ) throws -> (grant: Grant, start: ReadingStart)? {
    try base.reading(of: account, in: scope)
  }
  package func account(_ id: AccountID) throws -> Account? { try base.account(id) }
  package func account(named name: AccountName) throws -> Account? { try base.account(named: name) }
  package func accounts(after last: AccountID?, limit: Int) throws -> [AccountID] {
    try base.accounts(after: last, limit: limit)
  }
  package mutating func setAccount(_ account: Account) throws { try base.setAccount(account) }
  package mutating func removeAccount(_ id: AccountID) throws { try base.removeAccount(id) }
  package func isRemoved(_ id: AccountID) throws -> Bool { try base.isRemoved(id) }
  package func token(_ hash: ContentHash) throws -> AccessToken? { try base.token(hash) }
  package func tokens(of account: AccountID) throws -> [AccessToken] {
    try base.tokens(of: account)
  }
  package mutating func addToken(_ token: AccessToken) throws { try base.addToken(token) }
  package mutating func removeToken(_ hash: ContentHash) throws { try base.removeToken(hash) }
  package func invitation(_ hash: ContentHash) throws -> Invitation? { try base.invitation(hash) }
  package func invitations(to scope: ScopeID) throws -> [Invitation] {
    try base.invitations(to: scope)
  }
  package mutating func addInvitation(_ invitation: Invitation) throws {
    try base.addInvitation(invitation)
  }
  package mutating func removeInvitation(_ hash: ContentHash) throws {
    try base.removeInvitation(hash)
  }
  package mutating func removeInvitations(to scope: ScopeID) throws {
    try base.removeInvitations(to: scope)
  }
  package mutating func removeAllTokens() throws -> Int { try base.removeAllTokens() }

  package mutating func removeAllInvitations() throws -> Int { try base.removeAllInvitations() }

  package mutating func removeExpired(at now: Int64) throws { try base.removeExpired(at: now) }
  package func idempotencyRecord(_ key: ContentHash) throws -> IdempotencyRecord? {
    try base.idempotencyRecord(key)
  }
  package mutating func setIdempotencyRecord(_ record: IdempotencyRecord) throws {
    try base.setIdempotencyRecord(record)
  }
  package mutating func removeIdempotencyRecords(at now: Int64) throws {
    try base.removeIdempotencyRecords(at: now)
  }
  package func blobs(_ hash: ContentHash) throws -> [StoredBlob] { try base.blobs(hash) }
  package func blobBytes(of account: AccountID) throws -> Int64 { try base.blobBytes(of: account) }
  package func blobBytes(in scope: ScopeID) throws -> Int64 { try base.blobBytes(in: scope) }
  package mutating func addBlob(_ blob: StoredBlob) throws { try base.addBlob(blob) }
  package mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws {
    try base.removeBlob(hash, from: scope)
  }
  package mutating func setUnused(_ time: Int64?, _ hash: ContentHash, in scope: ScopeID) throws {
    try base.setUnused(time, hash, in: scope)
  }
  package mutating func renewUnused(at time: Int64) throws { try base.renewUnused(at: time) }
  package mutating func removeBlobs(unusedSince time: Int64, limit: Int) throws -> [StoredBlob] {
    try base.removeBlobs(unusedSince: time, limit: limit)
  }
  package func isUsed(_ hash: ContentHash, in scope: ScopeID) throws -> Bool {
    try base.isUsed(hash, in: scope)
  }
  package func rows(
    of table: String, referringTo hash: ContentHash, in scope: ScopeID
  ) throws -> [String] { try base.rows(of: table, referringTo: hash, in: scope) }
  package mutating func setBlobReference(
    _ hash: ContentHash?, from row: RowID, column: String, in scope: ScopeID
  ) throws { try base.setBlobReference(hash, from: row, column: column, in: scope) }
  package mutating func resetBlobs(ofKind kind: String, unusedSince time: Int64?) throws {
    try base.resetBlobs(ofKind: kind, unusedSince: time)
  }
  package func uploads(of account: AccountID) throws -> [BlobUpload] {
    try base.uploads(of: account)
  }
  package func uploads(expiredBy now: Int64) throws -> [BlobUpload] {
    try base.uploads(expiredBy: now)
  }
  package mutating func setUpload(_ upload: BlobUpload) throws { try base.setUpload(upload) }
  package mutating func removeUpload(_ hash: ContentHash, of account: AccountID) throws {
    try base.removeUpload(hash, of: account)
  }
  package mutating func removeUploads(expiredBy now: Int64) throws -> [BlobUpload] {
    try base.removeUploads(expiredBy: now)
  }
}
