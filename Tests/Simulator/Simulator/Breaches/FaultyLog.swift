import Foundation
import OffshoreServer
import OffshoreWire
import ServerSupport

/// A log that breaks the server's rules during a push: the rules read other rows than the log has,
/// or the log stores other rows than the rules write.
struct FaultyLog: TransactionWrapper {
  var base: MemoryState
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
    moving = Set(request.batches.flatMap(\.ops).filter(\.kind.isMove).map(\.row))
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

extension FaultyLog {
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

  mutating func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: StoredDevice) {
    if breach != .takenTwice { base.setDevice(device, in: scope, state) }
  }

  func grant(of account: AccountID, in scope: ScopeID) -> Grant? {
    let grant = base.grant(of: account, in: scope)
    guard breach == .openMembers, let grant, grant.role.canRead else { return grant }
    return Grant(scope, .owner, seq: grant.seq)
  }

  func result(
    withID id: UUID, by device: DeviceID, in scope: ScopeID
  ) -> (number: Int64, result: StoredResult)? {
    breach == .takenTwice ? nil : base.result(withID: id, by: device, in: scope)
  }

  mutating func addConflict(_ conflict: NumberedConflict, in scope: ScopeID, at time: Int64) {
    if breach == .forgottenBatch { return }
    base.addConflict(renamed(conflict, stranger, to: device), in: scope, at: time)
  }
}

extension Breach {
  /// Answers a push as a server that breaks the rule.
  func push(
    _ request: PushRequest, of account: AccountID, at now: Int64, _ server: inout SimulatedServer
  ) throws -> PushResponse {
    var log = FaultyLog(server.log, server.graves, self, request)
    defer { (server.log, server.graves) = (log.base, log.graves) }
    let rules =
      switch self {
      case .openTables: try server.openRules
      case .formerPolicies: try server.formerRules
      default: server.pushRules
      }
    return try rules.apply(request, of: account, at: now, to: &log)
  }

  /// Returns the log as the server reads it for a pull.
  func log(for request: PullRequest, of account: AccountID, _ server: SimulatedServer)
    -> MemoryState
  {
    var log = server.log
    switch self {
    case .firstPageOnly:
      for cursor in request.cursors where cursor.isAmidPages {
        var scope = log.scope(cursor.scope)
        scope.minSeq = 0
        log.setScope(cursor.scope, scope)
      }
    case .openScopes:
      for cursor in request.cursors {
        guard let grant = log.grant(of: account, in: cursor.scope), !grant.role.canRead else {
          continue
        }
        log.setGrant(
          Grant(cursor.scope, .viewer, seq: grant.seq), of: account, start: ReadingStart())
      }
    case .toldHistory:
      for cursor in request.cursors {
        guard let (grant, start) = log.reading(of: account, in: cursor.scope) else { continue }
        log.setGrant(grant, of: account, start: ReadingStart(head: start.head))
      }
    default: break
    }
    return log
  }
}

extension PullCursor {
  /// Whether pages were staged after the last committed position.
  fileprivate var isAmidPages: Bool {
    switch position {
    case .changes(let seq): seq > acknowledged
    case .snapshot(let head, _): head != nil
    default: false
    }
  }
}
