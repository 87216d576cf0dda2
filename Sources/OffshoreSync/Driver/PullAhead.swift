import OffshoreWire

/// The answer to the next pull, which is requested while the answer before it is stored.
struct PullAhead {
  typealias Answer = Result<(PullResponse, RequestTimes), SyncEngine.Failure>

  /// The request that the next pull will make if nothing changes before.
  let request: PullRequest
  let token: String
  let answer: Task<Answer, Never>

  /// Returns whether the answer is for a request with an access token, and is not cancelled.
  func answers(_ request: PullRequest, token: String) -> Bool {
    !answer.isCancelled && self.token == token && self.request == request
  }
}
