import Foundation
import OffshoreServer
import OffshoreWire

/// A log that breaks the server's rules during a push: the rules read other rows than the log has,
/// or the log stores other rows than the rules write.
struct FaultyLog {
  private(set) var base: MemoryState
  /// The last living states of deleted rows.
  private(set) var graves: Graves
  private let breach: Breach
  private let device: DeviceID
  /// The rows that the request moves. They keep their tombstones, since a move begins another life.
  private let moving: Set<RowID>
  private let stranger: DeviceID

  typealias Graves = [ScopeID: [RowID: RowState]]

  init(_ base: MemoryState, _ graves: Graves, _ breach: Breach, _ request: PushRequest) {
    self.base = base
    self.graves = graves
    self.breach = breach
    device = request.device
    moving = Set(
      request.batches.flatMap(\.ops).filter { if case .move = $0.kind { true } else { false } }
        .map(\.row))
    var bytes = device.uuid.uuid
    bytes.15 ^= 1
    stranger = DeviceID(UUID(uuid: bytes))
  }

  /// Returns the value with each reference to a device replaced by another device.
  private func renamed<Value: WireCodable>(
    _ value: Value, _ device: DeviceID, to other: DeviceID
  ) -> Value {
    let bytes = value.encoded().replacing(device.encoded(), with: other.encoded())
    return (try? Value(decoding: bytes)) ?? value
  }
}

extension FaultyLog: ChangeLogReader {
  func row(_ row: RowID, in scope: ScopeID) -> SyncedRow? {
    let found = base.row(row, in: scope)
    switch breach {
    case .strangersEdits: return found.map { renamed($0, device, to: stranger) }
    case .undeadRows:
      guard let found, found.state.presence == .deleted, !moving.contains(row),
        let grave = graves[scope]?[row]
      else { return found }
      return SyncedRow(row, seq: found.seq, state: grave)
    default: return found
    }
  }

  func epoch() -> UInt64 { base.epoch() }
  func scope(_ scope: ScopeID) -> ScopeState { base.scope(scope) }
  func owner(of device: DeviceID) -> AccountID? { base.owner(of: device) }
  func referrers(of row: RowID, in scope: ScopeID) -> [RowID] {
    base.referrers(of: row, in: scope)
  }
  func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) -> RowRun {
    base.rows(in: scope, after: seq, limit: limit, bytes: bytes)
  }
  func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) -> RowRun {
    base.rows(in: scope, after: row, limit: limit, bytes: bytes)
  }
  func device(_ device: DeviceID, in scope: ScopeID) -> DeviceState {
    base.device(device, in: scope)
  }
  func deviceCount(of account: AccountID, in scope: ScopeID) -> Int {
    base.deviceCount(of: account, in: scope)
  }
  func devices(in scope: ScopeID) -> [DeviceID: AccountID] { base.devices(in: scope) }
  func result(of number: Int64, by device: DeviceID, in scope: ScopeID) -> StoredResult? {
    base.result(of: number, by: device, in: scope)
  }
  func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) -> [Refusal] {
    base.refusals(of: row, by: device, in: scope)
  }
  func conflicts(of row: RowID, in scope: ScopeID) -> [NumberedConflict] {
    base.conflicts(of: row, in: scope)
  }
  func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) -> [NumberedConflict] {
    base.conflicts(in: scope, after: number, limit: limit, bytes: bytes)
  }
  func grant(of account: AccountID, in scope: ScopeID) -> Grant? {
    base.grant(of: account, in: scope)
  }
  func hasGrants(in scope: ScopeID) -> Bool { base.hasGrants(in: scope) }
  func grants(of account: AccountID, after seq: Int64) -> [Grant] {
    base.grants(of: account, after: seq)
  }
}

extension FaultyLog: ChangeLogWriter {
  mutating func setRow(_ row: SyncedRow, in scope: ScopeID) {
    if row.state.presence == .deleted, let old = base.row(row.row, in: scope), old.state.isLiving {
      graves[scope, default: [:]][row.row] = old.state
    }
    switch breach {
    case .forgottenBatch: break
    case .strangersEdits: base.setRow(renamed(row, stranger, to: device), in: scope)
    case .sharedNumbers:
      let seq = base.scope(scope).head + 1
      base.setRow(SyncedRow(row.row, seq: seq, state: row.state), in: scope)
    case .keptGeneration where !row.state.isLiving:
      let state = RowState(
        generation: row.state.generation - 1, presence: row.state.presence, stamp: row.state.stamp)
      base.setRow(SyncedRow(row.row, seq: row.seq, state: state), in: scope)
    default: base.setRow(row, in: scope)
    }
  }

  mutating func setScope(_ scope: ScopeID, _ state: ScopeState) {
    var state = state
    switch breach {
    case .forgottenBatch: return
    case .otherDigest: state.digest = Digest(value: state.digest.value &+ 1)
    case .strangersEdits, .undeadRows:
      // The rules computed the digest from the altered rows.
      let rows = base.rows(in: scope, after: 0, limit: .max)
      state.digest = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    default: break
    }
    base.setScope(scope, state)
  }

  mutating func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: DeviceState) {
    if breach != .takenTwice { base.setDevice(device, in: scope, state) }
  }

  mutating func addConflict(_ conflict: NumberedConflict, in scope: ScopeID) {
    if breach == .forgottenBatch { return }
    base.addConflict(renamed(conflict, stranger, to: device), in: scope)
  }

  mutating func setEpoch(_ epoch: UInt64) { base.setEpoch(epoch) }
  mutating func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) {
    base.addReference(from: row, to: parent, in: scope)
  }
  mutating func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) {
    base.removeReference(from: row, to: parent, in: scope)
  }
  mutating func removeTombstones(in scope: ScopeID, upTo seq: Int64) {
    base.removeTombstones(in: scope, upTo: seq)
  }
  mutating func forgetAcknowledgements() { base.forgetAcknowledgements() }
  mutating func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID
  ) { base.addResult(result, of: number, by: device, in: scope) }
  mutating func addRefusal(_ refusal: Refusal, by device: DeviceID, in scope: ScopeID) {
    base.addRefusal(refusal, by: device, in: scope)
  }
  mutating func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID
  ) { base.removeRefusals(of: row, at: stamp, by: device, in: scope) }
  mutating func setGrant(_ grant: Grant, of account: AccountID) {
    base.setGrant(grant, of: account)
  }
}
