import OffshoreServer
import OffshoreWire

extension Breach {
  /// Answers a push as a server that breaks the rule.
  func push(
    _ request: PushRequest, of account: AccountID, at now: Int64, _ server: inout SimulatedServer
  ) throws -> PushResponse {
    let before = server.log
    if self == .strangersEdits {
      var log = EstrangedLog(before, request.device)
      defer { server.log = log.base }
      return try server.pushRules.apply(request, of: account, at: now, to: &log)
    }
    let response = try server.pushRules.apply(request, of: account, at: now, to: &server.log)
    for (batch, result) in zip(request.batches, response.results) {
      guard case .applied(let range) = result.outcome, !result.isRepeated else { continue }
      spoil(batch, range, request.device, before, &server)
    }
    return response
  }

  private func spoil(
    _ batch: Batch, _ range: SeqRange, _ device: DeviceID, _ before: MemoryState,
    _ server: inout SimulatedServer
  ) {
    let scope = batch.scope
    switch self {
    case .forgottenBatch: server.log = before
    case .takenTwice: server.log.setDevice(device, in: scope, before.device(device, in: scope))
    case .sharedNumbers:
      for row in changed(range, in: scope, server.log) {
        server.log.setRow(SyncedRow(row.row, seq: range.last, state: row.state), in: scope)
      }
    case .keptGeneration:
      for row in changed(range, in: scope, server.log) where !row.state.isLiving {
        let state = RowState(
          generation: row.state.generation - 1, presence: row.state.presence,
          stamp: row.state.stamp)
        server.log.setRow(SyncedRow(row.row, seq: row.seq, state: state), in: scope)
      }
    case .undeadRows:
      for row in changed(range, in: scope, server.log) where row.state.presence == .deleted {
        guard let old = before.row(row.row, in: scope), old.state.isLiving else { continue }
        // The deletion was noted before the row came back.
        _ = server.history.check([row], in: scope)
        server.log.setRow(SyncedRow(row.row, seq: row.seq, state: old.state), in: scope)
      }
    case .otherDigest:
      var state = server.log.scope(scope)
      state.digest = Digest(value: state.digest.value &+ 1)
      server.log.setScope(scope, state)
    default: break
    }
  }

  private func changed(
    _ range: SeqRange, in scope: ScopeID, _ log: MemoryState
  ) -> [SyncedRow] {
    log.rows(in: scope, after: range.first - 1, limit: .max).filter { $0.seq <= range.last }
  }

  /// The log as the server looks at it for a pull.
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
        log.setGrant(Grant(cursor.scope, .viewer, seq: grant.seq), of: account)
      }
    default: break
    }
    return log
  }
}

extension PullCursor {
  /// Whether pages are staged that go on from what is committed.
  fileprivate var isAmidPages: Bool {
    switch position {
    case .changes(let seq): seq > acknowledged
    case .snapshot(let head, _): head != nil
    default: false
    }
  }
}
