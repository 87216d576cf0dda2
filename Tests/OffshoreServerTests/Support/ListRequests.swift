import OffshoreWire

extension PushRequest {
  /// Returns a push of a list with new tasks, in one batch.
  static func list(tasks count: Int) throws -> PushRequest {
    let ops = [Op.list(at: 900)] + (0..<count).map { Op.task("task-\($0)", at: 901) }
    return PushRequest(
      device: .sample(1), epoch: 0, manifestVersion: 1, batches: [try TestServer.batch(1, ops)])
  }
}

extension PullRequest {
  /// Returns a first pull of a list.
  static func firstOfList() throws -> PullRequest {
    PullRequest(
      device: .sample(1), manifestVersion: 1, capabilities: .all, grantsAfter: 0,
      cursors: [
        PullCursor(
          try Lists.scope("1"), epoch: 0, position: .snapshot(head: nil, after: nil),
          acknowledged: 0, conflictsAfter: 0)
      ], limit: 1_000)
  }
}
