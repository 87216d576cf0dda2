import OffshoreWire

/// The answer to the next pull, which is asked for while the one before is stored.
struct PullAhead {
  typealias Answer = Result<(PullResponse, Exchange), SyncEngine.Failure>

  /// What the next pull is going to ask, if nothing comes between.
  let request: PullRequest
  let token: String
  let answer: Task<Answer, Never>

  /// Whether it answers a request, to whom it was asked for.
  func answers(_ request: PullRequest, token: String) -> Bool {
    !answer.isCancelled && self.token == token && self.request == request
  }
}
