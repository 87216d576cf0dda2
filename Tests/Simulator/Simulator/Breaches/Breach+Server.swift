import OffshoreServer
import OffshoreWire
import ServerSupport

extension Breach {
  /// Answers a push as a server that breaks the rule.
  func push(
    _ request: PushRequest, of account: AccountID, at now: Int64, _ server: inout SimulatedServer
  ) throws -> PushResponse {
    var log = FaultyLog(server.log, server.graves, self, request)
    defer { (server.log, server.graves) = (log.base, log.graves) }
    return try server.pushRules.apply(request, of: account, at: now, to: &log)
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
        log.setGrant(Grant(cursor.scope, .viewer, seq: grant.seq), of: account)
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
