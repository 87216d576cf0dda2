public import OffshoreWire

/// A log as a value: the reference model that other logs are tested against.
public struct MemoryState: Hashable, Sendable {
  private struct Sender: Hashable, Sendable {
    let scope: ScopeID
    let device: DeviceID
  }

  private struct History: Hashable, Sendable {
    var state = DeviceState()
    var results: [Int64: StoredResult] = [:]
    var refusals: [Refusal] = []
  }

  private var logEpoch: UInt64
  private var scopes: [ScopeID: ScopeState] = [:]
  private var rows: [ScopeID: [RowID: SyncedRow]] = [:]
  /// The rows by sequence number.
  private var order: [ScopeID: [Int64: RowID]] = [:]
  private var referrers: [ScopeID: [RowID: Set<RowID>]] = [:]
  private var marks: [TombstoneMark] = []
  private var histories: [Sender: History] = [:]
  private var allConflicts: [ScopeID: [NumberedConflict]] = [:]
  private var grants: [AccountID: [ScopeID: Grant]] = [:]
  private var accounts: [AccountID: Account] = [:]
  private var tokens: [ContentHash: AccessToken] = [:]
  private var invitations: [ContentHash: Invitation] = [:]
  private var idempotencyRecords: [ContentHash: IdempotencyRecord] = [:]
  private var blobs: [StoredBlob] = []
  private var uploads: [BlobUpload] = []

  /// Creates an empty log.
  public init(epoch: UInt64) { logEpoch = epoch }
}

extension MemoryState: ChangeLogReader {
  public func epoch() -> UInt64 { logEpoch }

  public func scope(_ scope: ScopeID) -> ScopeState {
    scopes[scope] ?? ScopeState(epoch: logEpoch)
  }

  public func row(_ row: RowID, in scope: ScopeID) -> SyncedRow? { rows[scope]?[row] }

  public func referrers(of row: RowID, in scope: ScopeID) -> [RowID] {
    (referrers[scope]?[row] ?? []).sorted()
  }

  public func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) -> RowRun {
    RowRun(inOrder(scope, after: seq), limit: limit, bytes: bytes)
  }

  public func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) -> RowRun {
    RowRun(sorted(scope, after: row), limit: limit, bytes: bytes)
  }

  /// Returns the first rows and tombstones with a sequence number greater than `seq`.
  public func rows(in scope: ScopeID, after seq: Int64, limit: Int) -> [SyncedRow] {
    Array(inOrder(scope, after: seq).prefix(limit))
  }

  /// Returns the first rows and tombstones after a row, or the first of all if it is `nil`.
  public func rows(in scope: ScopeID, after row: RowID?, limit: Int) -> [SyncedRow] {
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
  public func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int
  ) -> [NumberedConflict] { conflicts(in: scope, after: number, limit: limit, bytes: .max) }

  public func device(_ device: DeviceID, in scope: ScopeID) -> DeviceState {
    history(device, scope).state
  }

  public func owner(of device: DeviceID) -> AccountID? {
    histories.lazy.compactMap { $0.device == device ? $1.state.account : nil }.first
  }

  public func deviceCount(of account: AccountID, in scope: ScopeID) -> Int {
    histories.count { $0.key.scope == scope && $0.value.state.account == account }
  }

  public func devices(in scope: ScopeID) -> [DeviceID: AccountID] {
    histories.reduce(into: [:]) { devices, history in
      if history.key.scope == scope { devices[history.key.device] = history.value.state.account }
    }
  }

  public func result(
    of number: Int64, by device: DeviceID, in scope: ScopeID
  ) -> StoredResult? { history(device, scope).results[number] }

  public func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) -> [Refusal] {
    history(device, scope).refusals.filter { $0.row == row }
  }

  public func conflicts(of row: RowID, in scope: ScopeID) -> [NumberedConflict] {
    (allConflicts[scope] ?? []).filter { $0.conflict.row == row }
  }

  public func conflicts(
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

  public func grant(of account: AccountID, in scope: ScopeID) -> Grant? {
    grants[account]?[scope]
  }

  public func hasGrants(in scope: ScopeID) -> Bool {
    grants.values.contains { $0[scope] != nil }
  }

  public func grants(of account: AccountID, after seq: Int64) -> [Grant] {
    let later = (grants[account] ?? [:]).values.filter { $0.seq > seq }
    return later.sorted { $0.seq < $1.seq }
  }

  private func history(_ device: DeviceID, _ scope: ScopeID) -> History {
    histories[Sender(scope: scope, device: device)] ?? History()
  }
}

extension MemoryState: ChangeLogWriter {
  public mutating func setEpoch(_ epoch: UInt64) {
    logEpoch = epoch
    for scope in scopes.keys { scopes[scope]?.epoch = epoch }
  }

  public mutating func setScope(_ scope: ScopeID, _ state: ScopeState) { scopes[scope] = state }

  public mutating func setRow(_ row: SyncedRow, in scope: ScopeID) {
    if let former = rows[scope]?[row.row] { order[scope]?[former.seq] = nil }
    rows[scope, default: [:]][row.row] = row
    order[scope, default: [:]][row.seq] = row.row
  }

  public mutating func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) {
    referrers[scope, default: [:]][parent, default: []].insert(row)
  }

  public mutating func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) {
    referrers[scope]?[parent]?.remove(row)
  }

  public mutating func removeTombstones(in scope: ScopeID, upTo seq: Int64) {
    rows[scope] = rows[scope]?.filter { $0.value.state.isLiving || $0.value.seq > seq }
    let living = rows[scope] ?? [:]
    order[scope] = order[scope]?.filter { living[$0.value] != nil }
  }

  public mutating func setDevice(
    _ device: DeviceID, in scope: ScopeID, _ state: DeviceState
  ) { histories[Sender(scope: scope, device: device), default: History()].state = state }

  public mutating func forgetAcknowledgements() {
    for sender in histories.keys { histories[sender]?.state.acknowledged = 0 }
  }

  public mutating func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID
  ) {
    histories[Sender(scope: scope, device: device), default: History()].results[number] = result
  }

  public mutating func addRefusal(
    _ refusal: Refusal, by device: DeviceID, in scope: ScopeID
  ) {
    histories[Sender(scope: scope, device: device), default: History()].refusals.append(refusal)
  }

  public mutating func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID
  ) {
    histories[Sender(scope: scope, device: device)]?.refusals
      .removeAll { $0.row == row && $0.stamp == stamp }
  }

  public mutating func addConflict(_ conflict: NumberedConflict, in scope: ScopeID) {
    let all = allConflicts[scope] ?? []
    allConflicts[scope] = (all + [conflict]).sorted { $0.number < $1.number }
  }

  public mutating func setGrant(_ grant: Grant, of account: AccountID) {
    grants[account, default: [:]][grant.scope] = grant
  }
}

extension MemoryState: TombstoneWriter {
  public func lastTombstones() -> [ScopeID: Int64] {
    rows.compactMapValues { rows in
      rows.values.filter { !$0.state.isLiving }.map(\.seq).max()
    }
  }

  public func tombstoneMarks() -> [TombstoneMark] {
    marks.sorted { ($0.scope, $0.seq) < ($1.scope, $1.seq) }
  }

  public mutating func addTombstoneMark(_ mark: TombstoneMark) { marks.append(mark) }

  public mutating func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) {
    marks.removeAll { $0.scope == scope && $0.seq <= seq }
  }
}

extension MemoryState: AccountReader {
  public func account(_ id: AccountID) -> Account? { accounts[id] }

  public func account(named name: AccountName) -> Account? {
    accounts.values.first { $0.name == name }
  }

  public func token(_ hash: ContentHash) -> AccessToken? { tokens[hash] }

  public func tokens(of account: AccountID) -> [AccessToken] {
    tokens.values.filter { $0.account == account }
      .sorted { ($0.created, $0.hash.description) < ($1.created, $1.hash.description) }
  }

  public func invitation(_ hash: ContentHash) -> Invitation? { invitations[hash] }

  public func invitations(to scope: ScopeID) -> [Invitation] {
    invitations.values.filter { $0.scope == scope }
      .sorted { ($0.expires, $0.hash.description) < ($1.expires, $1.hash.description) }
  }

  public func members(of scope: ScopeID) -> [Member] {
    accounts.values.compactMap { account in
      grants[account.id]?[scope].map { Member(account.id, name: account.name, role: $0.role) }
    }.sorted { $0.name.text < $1.name.text }
  }
}

extension MemoryState: AccountWriter {
  public mutating func setAccount(_ account: Account) { accounts[account.id] = account }

  public mutating func addToken(_ token: AccessToken) { tokens[token.hash] = token }

  public mutating func removeToken(_ hash: ContentHash) { tokens[hash] = nil }

  public mutating func addInvitation(_ invitation: Invitation) {
    invitations[invitation.hash] = invitation
  }

  public mutating func removeInvitation(_ hash: ContentHash) { invitations[hash] = nil }

  public mutating func removeInvitations(to scope: ScopeID) {
    invitations = invitations.filter { $0.value.scope != scope }
  }

  public mutating func removeExpired(at now: Int64) {
    tokens = tokens.filter { $0.value.expires > now }
    invitations = invitations.filter { $0.value.expires > now }
  }
}

extension MemoryState: IdempotencyWriter {
  public func idempotencyRecord(_ key: ContentHash) -> IdempotencyRecord? {
    idempotencyRecords[key]
  }

  public mutating func setIdempotencyRecord(_ record: IdempotencyRecord) {
    idempotencyRecords[record.key] = record
  }

  public mutating func removeIdempotencyRecords(at now: Int64) {
    idempotencyRecords = idempotencyRecords.filter { $0.value.expires > now }
  }
}

extension MemoryState: BlobWriter {
  public func blobs(_ hash: ContentHash) -> [StoredBlob] {
    blobs.filter { $0.hash == hash }.sorted { $0.scope < $1.scope }
  }

  public func blobBytes(of account: AccountID) -> Int64 {
    blobs.filter { $0.account == account }.reduce(0) { $0 + $1.byteCount }
  }

  public func uploads(of account: AccountID) -> [BlobUpload] {
    uploads.filter { $0.account == account }.sorted { $0.hash.description < $1.hash.description }
  }

  public mutating func addBlob(_ blob: StoredBlob) { blobs.append(blob) }

  public mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) {
    blobs.removeAll { $0.hash == hash && $0.scope == scope }
  }

  public mutating func setUpload(_ upload: BlobUpload) {
    removeUpload(upload.hash, of: upload.account)
    uploads.append(upload)
  }

  public mutating func removeUpload(_ hash: ContentHash, of account: AccountID) {
    uploads.removeAll { $0.hash == hash && $0.account == account }
  }

  public func uploads(expiredBy now: Int64) -> [BlobUpload] {
    uploads.filter { $0.expires <= now }.sorted { $0.expires < $1.expires }
  }

  public mutating func removeUploads(expiredBy now: Int64) -> [BlobUpload] {
    defer { uploads.removeAll { $0.expires <= now } }
    return uploads(expiredBy: now)
  }
}
