package import Foundation
package import OffshoreServer
package import OffshoreWire

/// The data of a server as a value: the reference model that storages are tested against.
package struct MemoryState: StorageTransaction, Hashable, Sendable {
  package var changes = GrantChanges()
  private var currentEpoch: UInt64
  private var currentManifest: Manifest?
  var scopes: [ScopeID: ScopeState] = [:]
  var rows: [ScopeID: [RowID: SyncedRow]] = [:]
  /// The rows by sequence number.
  var order: [ScopeID: [Int64: RowID]] = [:]
  var referrers: [ScopeID: [RowID: Set<RowID>]] = [:]
  var marks: [TombstoneMark] = []
  var histories = BatchHistories()
  var allConflicts: [ScopeID: [NumberedConflict]] = [:]
  /// The times of conflicts, by their numbers.
  var conflictTimes: [ScopeID: [Int64: Int64]] = [:]
  var claims: [AccountID: Int] = [:]
  var grants: [AccountID: [ScopeID: Grant]] = [:]
  var starts: [AccountID: [ScopeID: ReadingStart]] = [:]
  var accounts: [AccountID: Account] = [:]
  var tokens: [ContentHash: AccessToken] = [:]
  var invitations: [ContentHash: Invitation] = [:]
  var removedAccounts: Set<AccountID> = []
  var idempotencyRecords: [ContentHash: IdempotencyRecord] = [:]
  var blobs: [StoredBlob] = []
  var uploads: [BlobUpload] = []
  /// The blobs to which the file columns of rows refer.
  var blobReferences: [FilePlace: ContentHash] = [:]

  /// Creates an empty state.
  package init(epoch: UInt64) { currentEpoch = epoch }
}

// MARK: - Changes

extension MemoryState {
  package func epoch() -> UInt64 { currentEpoch }

  package func scope(_ scope: ScopeID) -> ScopeState {
    scopes[scope] ?? ScopeState(epoch: currentEpoch)
  }

  package func row(_ row: RowID, in scope: ScopeID) -> SyncedRow? { rows[scope]?[row] }

  package func referrers(of row: RowID, in scope: ScopeID) -> [RowID] {
    referrers(of: row, in: scope, after: nil, limit: .max)
  }

  package func referrers(
    of row: RowID, in scope: ScopeID, after last: RowID?, limit: Int
  ) -> [RowID] {
    let all = (referrers[scope]?[row] ?? []).sorted()
    return Array(all.drop { row in last.map { row <= $0 } ?? false }.prefix(limit))
  }

  package func rowsWithRemovedKeys(before time: Int64, limit: Int) -> [(scope: ScopeID, row: RowID)]
  {
    let found = rows.flatMap { scope, rows in rows.values.map { (scope: scope, row: $0) } }
    let old = found.filter { $0.row.state.oldestRemoval.map { $0 <= time } ?? false }
      .sorted { ($0.row.state.oldestRemoval ?? 0) < ($1.row.state.oldestRemoval ?? 0) }
    return old.prefix(limit).map { ($0.scope, $0.row.row) }
  }

  package func scopes(ofKind kind: String, after last: ScopeID?, limit: Int) -> [ScopeID] {
    let all = scopes.keys.filter { $0.kind == kind }.sorted()
    return Array(all.drop { scope in last.map { scope <= $0 } ?? false }.prefix(limit))
  }

  package func usage(of account: AccountID) -> StorageUsage {
    scopes.values.filter { $0.payer == account }.map(\.usage).reduce(StorageUsage(), +)
  }

  package func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) -> RowRun {
    RowRun(inOrder(scope, after: seq), limit: limit, bytes: bytes)
  }

  package func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) -> RowRun {
    RowRun(sorted(scope, after: row), limit: limit, bytes: bytes)
  }

  package func rows(
    of table: String, in scope: ScopeID, after id: String, limit: Int, bytes: Int
  ) -> RowRun {
    let later = sorted(scope, after: RowID(table: table, id: id))
    return RowRun(later.filter { $0.row.table == table }, limit: limit, bytes: bytes)
  }

  /// Returns the first rows and tombstones with a sequence number greater than `seq`.
  package func rows(in scope: ScopeID, after seq: Int64, limit: Int) -> [SyncedRow] {
    Array(inOrder(scope, after: seq).prefix(limit))
  }

  /// Returns the first rows and tombstones after a row, or the first of all if it is `nil`.
  package func rows(in scope: ScopeID, after row: RowID?, limit: Int) -> [SyncedRow] {
    Array(sorted(scope, after: row).prefix(limit))
  }

  private func inOrder(_ scope: ScopeID, after seq: Int64) -> some Sequence<SyncedRow> {
    let (rows, order) = (rows[scope] ?? [:], order[scope] ?? [:])
    // Few numbers are unused: those that rows had before they changed again.
    let last = order.keys.max() ?? 0
    return (min(seq, last) + 1..<last + 1).lazy.compactMap { order[$0].flatMap { rows[$0] } }
  }

  private func sorted(_ scope: ScopeID, after row: RowID?) -> [SyncedRow] {
    let rest = (rows[scope] ?? [:]).values.filter { other in row.map { other.row > $0 } ?? true }
    return rest.sorted { $0.row < $1.row }
  }

  /// Returns the first conflicts of a scope with a number greater than `number`.
  package func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int
  ) -> [NumberedConflict] { conflicts(in: scope, after: number, limit: limit, bytes: .max) }

  package func device(_ device: DeviceID, in scope: ScopeID) -> StoredDevice {
    histories[scope, device].state
  }

  package func owner(of device: DeviceID) -> AccountID? { histories.owner(of: device) }

  package func deviceCount(of account: AccountID, in scope: ScopeID) -> Int {
    histories.devices(in: scope).count { $0.value == account }
  }

  package func devices(in scope: ScopeID) -> [DeviceID: AccountID] { histories.devices(in: scope) }

  package func result(
    of number: Int64, by device: DeviceID, in scope: ScopeID
  ) -> StoredResult? { histories[scope, device].results[number] }

  package func result(
    withID id: UUID, by device: DeviceID, in scope: ScopeID
  ) -> (number: Int64, result: StoredResult)? {
    histories[scope, device].results.first { $0.value.id == id }.map { ($0.key, $0.value) }
  }

  package func sendersOfResults(
    before time: Int64, keeping count: Int64, limit: Int
  ) -> [BatchSender] { histories.senders(before: time, keeping: count, limit: limit) }

  package func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) -> [Refusal] {
    histories[scope, device].refusals.filter { $0.row == row }
  }

  package func conflicts(of row: RowID, in scope: ScopeID) -> [NumberedConflict] {
    (allConflicts[scope] ?? []).filter { $0.conflict.row == row }
  }

  package func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) -> [NumberedConflict] {
    var (read, size): ([NumberedConflict], Int) = ([], 0)
    for conflict in allConflicts[scope] ?? [] where conflict.number > number {
      guard read.count < limit, size < bytes else { break }
      read.append(conflict)
      let (losing, winning) = (conflict.conflict.losing, conflict.conflict.winning)
      size += losing.byteCount + (winning?.byteCount ?? 0)
    }
    return read
  }

  package func grant(of account: AccountID, in scope: ScopeID) -> Grant? {
    grants[account]?[scope]
  }

  package func hasGrants(in scope: ScopeID) -> Bool {
    grants.values.contains { $0[scope] != nil }
  }

  package func grants(of account: AccountID, after seq: Int64) -> [Grant] {
    let later = (grants[account] ?? [:]).values.filter { $0.seq > seq }
    return later.sorted { $0.seq < $1.seq }
  }

  package func lastGrant(of account: AccountID) -> Int64 {
    grants[account]?.values.map(\.seq).max() ?? 0
  }

  package func membershipCount(of account: AccountID, ofKind kind: String) -> Int {
    (grants[account] ?? [:]).values.count { $0.role.canRead && $0.scope.kind == kind }
  }

  package func claimCount(of account: AccountID) -> Int { claims[account] ?? 0 }
}

extension MemoryState {
  package mutating func setEpoch(_ epoch: UInt64) {
    currentEpoch = epoch
    for scope in scopes.keys { scopes[scope]?.epoch = epoch }
  }

  package func manifest() -> Manifest? { currentManifest }

  package mutating func setManifest(_ manifest: Manifest) { currentManifest = manifest }

  package mutating func setScope(_ scope: ScopeID, _ state: ScopeState) { scopes[scope] = state }

  package mutating func setRow(_ row: SyncedRow, in scope: ScopeID) {
    if let former = rows[scope]?[row.row] { order[scope]?[former.seq] = nil }
    rows[scope, default: [:]][row.row] = row
    order[scope, default: [:]][row.seq] = row.row
  }

  package mutating func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) {
    referrers[scope, default: [:]][parent, default: []].insert(row)
  }

  package mutating func removeReferences(to table: String) {
    for scope in referrers.keys {
      referrers[scope] = referrers[scope]?.filter { $0.key.table != table }
    }
  }

  package mutating func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) {
    referrers[scope]?[parent]?.remove(row)
  }

  package mutating func removeTombstones(
    in scope: ScopeID, upTo seq: Int64, limit: Int
  ) -> Int {
    let old = (rows[scope] ?? [:]).values.filter { !$0.state.isLiving && $0.seq <= seq }
    let removed = old.sorted { $0.seq < $1.seq }.prefix(limit)
    for row in removed {
      rows[scope]?[row.row] = nil
      order[scope]?[row.seq] = nil
    }
    return removed.count
  }

  package mutating func setDevice(
    _ device: DeviceID, in scope: ScopeID, _ state: StoredDevice
  ) { histories[scope, device].state = state }

  package mutating func resetAcknowledgements() { histories.resetAcknowledgements() }

  package mutating func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID
  ) { histories[scope, device].results[number] = result }

  package mutating func removeResults(
    of sender: BatchSender, before time: Int64, keeping count: Int64, limit: Int
  ) -> Int { histories.removeResults(of: sender, before: time, keeping: count, limit: limit) }

  package mutating func addRefusal(
    _ refusal: Refusal, by device: DeviceID, in scope: ScopeID
  ) { histories[scope, device].refusals.append(refusal) }

  package mutating func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID
  ) { histories[scope, device].refusals.removeAll { $0.row == row && $0.stamp == stamp } }

  package mutating func addConflict(
    _ conflict: NumberedConflict, in scope: ScopeID, at time: Int64
  ) {
    let all = allConflicts[scope] ?? []
    allConflicts[scope] = (all + [conflict]).sorted { $0.number < $1.number }
    conflictTimes[scope, default: [:]][conflict.number] = time
  }

  package mutating func removeConflicts(before time: Int64, limit: Int) -> Int {
    let old = conflictTimes.flatMap { scope, times in
      times.filter { $0.value <= time }.map { (time: $0.value, scope: scope, number: $0.key) }
    }
    let removed = old.sorted { ($0.time, $0.scope, $0.number) < ($1.time, $1.scope, $1.number) }
      .prefix(limit)
    for (_, scope, number) in removed {
      allConflicts[scope]?.removeAll { $0.number == number }
      conflictTimes[scope]?[number] = nil
    }
    return removed.count
  }

  package mutating func addClaim(of account: AccountID) { claims[account, default: 0] += 1 }

  package mutating func setGrant(_ grant: Grant, of account: AccountID, start: ReadingStart) {
    grants[account, default: [:]][grant.scope] = grant
    starts[account, default: [:]][grant.scope] = start
  }

  package func reading(
    of account: AccountID, in scope: ScopeID
  ) -> (grant: Grant, start: ReadingStart)? {
    guard let grant = grants[account]?[scope], grant.role.canRead else { return nil }
    return (grant, starts[account]?[scope] ?? ReadingStart())
  }
}

// MARK: - Tombstones

extension MemoryState {
  package func lastTombstones() -> [ScopeID: Int64] {
    rows.compactMapValues { rows in
      rows.values.filter { !$0.state.isLiving }.map(\.seq).max()
    }
  }

  package func tombstoneMarks() -> [TombstoneMark] {
    marks.sorted { ($0.scope, $0.seq) < ($1.scope, $1.seq) }
  }

  package mutating func addTombstoneMark(_ mark: TombstoneMark) { marks.append(mark) }

  package mutating func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) {
    marks.removeAll { $0.scope == scope && $0.seq <= seq }
  }
}

// MARK: - Accounts

extension MemoryState {
  package func account(_ id: AccountID) -> Account? { accounts[id] }

  package func account(named name: AccountName) -> Account? {
    accounts.values.first { $0.name == name }
  }

  package func token(_ hash: ContentHash) -> AccessToken? { tokens[hash] }

  package func tokens(of account: AccountID) -> [AccessToken] {
    tokens.values.filter { $0.account == account }
      .sorted { ($0.created, $0.hash.description) < ($1.created, $1.hash.description) }
  }

  package func invitation(_ hash: ContentHash) -> Invitation? { invitations[hash] }

  package func invitations(to scope: ScopeID) -> [Invitation] {
    invitations.values.filter { $0.scope == scope }
      .sorted { ($0.expires, $0.hash.description) < ($1.expires, $1.hash.description) }
  }

  package func members(of scope: ScopeID) -> [Member] {
    accounts.values.compactMap { account in
      grants[account.id]?[scope].map { Member(account.id, name: account.name, role: $0.role) }
    }.sorted { $0.name.text < $1.name.text }
  }
}

extension MemoryState {
  package func accounts(after last: AccountID?, limit: Int) -> [AccountID] {
    Array(accounts.keys.sorted().drop { id in last.map { id <= $0 } ?? false }.prefix(limit))
  }

  package mutating func setAccount(_ account: Account) { accounts[account.id] = account }

  package mutating func addToken(_ token: AccessToken) { tokens[token.hash] = token }

  package mutating func removeToken(_ hash: ContentHash) { tokens[hash] = nil }

  package mutating func addInvitation(_ invitation: Invitation) {
    invitations[invitation.hash] = invitation
  }

  package mutating func removeInvitation(_ hash: ContentHash) { invitations[hash] = nil }

  package mutating func removeInvitations(to scope: ScopeID) {
    invitations = invitations.filter { $0.value.scope != scope }
  }

  package mutating func removeAllTokens() -> Int {
    defer { tokens = [:] }
    return tokens.count
  }

  package mutating func removeAllInvitations() -> Int {
    defer { invitations = [:] }
    return invitations.count
  }

  package mutating func removeExpired(at now: Int64) {
    tokens = tokens.filter { $0.value.expires > now }
    invitations = invitations.filter { $0.value.expires > now }
  }
}

extension RowRun {
  /// Creates a run of the first rows of a sequence.
  /// - Parameters:
  ///   - limit: the largest number of rows.
  ///   - bytes: about how many bytes of rows are read. The row that reaches this size is the last
  ///     one.
  fileprivate init(_ rows: some Sequence<SyncedRow>, limit: Int, bytes: Int) {
    var (read, size): ([SyncedRow], Int) = ([], 0)
    for row in rows {
      guard read.count < limit, size < bytes else { break }
      read.append(row)
      size += row.state.byteCount
    }
    self.init(read.map { StoredRow($0) }, isCut: read.count >= limit || size >= bytes)
  }
}
