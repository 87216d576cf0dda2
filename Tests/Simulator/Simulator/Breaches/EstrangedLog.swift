import Foundation
import OffshoreServer
import OffshoreWire

/// A log to which a device's earlier edits look like those of a stranger while it pushes.
struct EstrangedLog {
  private(set) var base: MemoryState
  private let device: DeviceID
  private let stranger: DeviceID

  init(_ base: MemoryState, _ device: DeviceID) {
    self.base = base
    self.device = device
    var bytes = device.uuid.uuid
    bytes.15 ^= 1
    stranger = DeviceID(UUID(uuid: bytes))
  }

  /// The value with one device in the place of another, wherever it names it.
  private func renamed<Value: WireCodable>(
    _ value: Value, _ device: DeviceID, to other: DeviceID
  ) -> Value {
    let bytes = value.encoded().replacing(device.encoded(), with: other.encoded())
    return (try? Value(decoding: bytes)) ?? value
  }
}

extension EstrangedLog: ChangeLogReader {
  func row(_ row: RowID, in scope: ScopeID) -> SyncedRow? {
    base.row(row, in: scope).map { renamed($0, device, to: stranger) }
  }

  func epoch() -> UInt64 { base.epoch() }
  func scope(_ scope: ScopeID) -> ScopeState { base.scope(scope) }
  func referrers(of row: RowID, in scope: ScopeID) -> [RowID] {
    base.referrers(of: row, in: scope)
  }
  func rows(in scope: ScopeID, after seq: Int64, limit: Int) -> [SyncedRow] {
    base.rows(in: scope, after: seq, limit: limit)
  }
  func rows(in scope: ScopeID, after row: RowID?, limit: Int) -> [SyncedRow] {
    base.rows(in: scope, after: row, limit: limit)
  }
  func device(_ device: DeviceID, in scope: ScopeID) -> DeviceState {
    base.device(device, in: scope)
  }
  func result(of number: Int64, by device: DeviceID, in scope: ScopeID) -> StoredResult? {
    base.result(of: number, by: device, in: scope)
  }
  func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) -> [Refusal] {
    base.refusals(of: row, by: device, in: scope)
  }
  func conflicts(of row: RowID, in scope: ScopeID) -> [NumberedConflict] {
    base.conflicts(of: row, in: scope)
  }
  func conflicts(in scope: ScopeID, after number: Int64, limit: Int) -> [NumberedConflict] {
    base.conflicts(in: scope, after: number, limit: limit)
  }
  func grant(of account: AccountID, in scope: ScopeID) -> Grant? {
    base.grant(of: account, in: scope)
  }
  func grants(of account: AccountID, after seq: Int64) -> [Grant] {
    base.grants(of: account, after: seq)
  }
}

extension EstrangedLog: ChangeLogWriter {
  mutating func setRow(_ row: SyncedRow, in scope: ScopeID) {
    base.setRow(renamed(row, stranger, to: device), in: scope)
  }

  /// NB: The digest was reckoned with the stranger's name.
  mutating func setScope(_ scope: ScopeID, _ state: ScopeState) {
    var state = state
    let rows = base.rows(in: scope, after: 0, limit: .max)
    state.digest = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    base.setScope(scope, state)
  }

  mutating func addConflict(_ conflict: NumberedConflict, in scope: ScopeID) {
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
  mutating func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: DeviceState) {
    base.setDevice(device, in: scope, state)
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
