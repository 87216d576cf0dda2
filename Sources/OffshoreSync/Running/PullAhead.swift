import OffshoreWire

/// The answer to a later pull, which is requested while the answers before it are stored.
struct PullAhead {
  typealias Response = Result<(PullResponse, RequestTimes), SyncEngine.Failure>
  typealias Answer = Result<(PreparedAnswer, RequestTimes), SyncEngine.Failure>

  /// The request that the pull will make if nothing changes before, or `nil` if it could not be
  /// predicted.
  let request: Task<PullRequest?, Never>
  let token: String
  /// Whether the request is for a round, rather than for the next page of the current one.
  let isRound: Bool
  let response: Task<Response, Never>
  /// The response with its rows prepared.
  let answer: Task<Answer, Never>

  /// Returns whether the answer is for a request with an access token, and is not cancelled.
  func answers(_ request: PullRequest, token: String) async -> Bool {
    guard !response.isCancelled, self.token == token else { return false }
    let isPredicted = await self.request.value == request
    return isPredicted && !response.isCancelled
  }

  func cancel() {
    response.cancel()
    answer.cancel()
  }

  /// Waits until its tasks have ended.
  func end() async {
    _ = await response.value
    _ = await answer.value
  }
}

extension PullRequest {
  /// Predicts the request that follows this one, before its answer is stored.
  /// - Parameters:
  ///   - isOfSingleScopes: whether the request was for single scopes rather than all.
  ///   - waiting: the scopes whose pages may wait, before the answer is stored.
  /// - Returns: `nil` if the answer has grants or anything but pages, if no more pages follow, or
  ///   if it brings nothing new: such a request is repeated only after a delay.
  func following(
    _ response: PullResponse, isOfSingleScopes: Bool, _ waiting: WaitingScopes, _ replica: Replica
  ) -> PullRequest? {
    guard let pages = response.pages, pages.values.contains(where: { $0.page.isCut }) else {
      return nil
    }
    let parts = isOfSingleScopes ? nil : parts(of: response, waiting)
    let applied = Set(parts?.early?.scopes.map(\.scope) ?? [])
    let cursors = self.cursors.sorted { $0.scope < $1.scope }.map { cursor in
      guard let (answer, page) = pages[cursor.scope] else { return cursor }
      return cursor.following(
        page, epoch: answer.epoch, isApplied: applied.contains(cursor.scope))
    }.newScopesLast
    let request = PullRequest(
      device: device, manifestVersion: manifestVersion, grantsAfter: grantsAfter,
      cursors: cursors, limit: replica.rowLimit(of: cursors, limit))
    return request == self ? nil : request
  }
}

extension PullResponse {
  /// The pages of the scopes, or `nil` if the answer has grants or anything but pages.
  var pages: [ScopeID: (answer: ScopeAnswer, page: ScopePage)]? {
    guard grants.isEmpty else { return nil }
    var pages: [ScopeID: (answer: ScopeAnswer, page: ScopePage)] = [:]
    for answer in scopes {
      guard case .page(let page) = answer.content else { return nil }
      pages[answer.scope] = (answer, page)
    }
    return pages
  }

  /// Whether the answer has only pages, and all of them are the last ones of their scopes.
  var isLast: Bool { pages?.values.allSatisfy { !$0.page.isCut } == true }
}

extension PullCursor {
  fileprivate func following(_ page: ScopePage, epoch: UInt64, isApplied: Bool) -> PullCursor {
    PullCursor(
      scope, epoch: epoch, position: isApplied ? .changes(after: page.head) : page.following,
      acknowledged: isApplied ? page.head : acknowledged,
      conflictsAfter: page.conflicts.reduce(conflictsAfter) { max($0, $1.number) },
      wantsRangeDigests: wantsRangeDigests, answeredBatch: answeredBatch)
  }
}

extension ScopePage {
  /// Whether more pages have to arrive before this one can be applied.
  var isCut: Bool {
    guard case .changes = next else { return true }
    return isFull
  }

  /// Whether the page has rows of a snapshot, and another page of its scope follows.
  var isOfSnapshot: Bool { if case .snapshot = next { true } else { false } }

  /// The position of the next page. The last page of a snapshot or a repair is followed by the
  /// changes made meanwhile, if there are any.
  var following: PullCursor.Position {
    guard !isFull else { return next }
    switch next {
    case .snapshot(let head?, _), .repair(_, let head?, _): return .changes(after: head)
    default: return next
    }
  }
}
