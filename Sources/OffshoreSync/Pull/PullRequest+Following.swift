import OffshoreWire

extension PullRequest {
  /// The request after this one, as it will be once the answer to this one is kept. It can be told before
  /// that where the answer has pages and nothing else, with more to follow; of one that brings nothing none
  /// follows, as there is a delay before it is asked for again.
  func following(_ response: PullResponse) -> PullRequest? {
    guard response.grants.isEmpty else { return nil }
    var pages: [ScopeID: (answer: ScopeAnswer, page: ScopePage)] = [:]
    for answer in response.scopes {
      guard case .page(let page) = answer.content else { return nil }
      pages[answer.scope] = (answer, page)
    }
    guard pages.values.contains(where: { $0.page.isCut }) else { return nil }
    let request = PullRequest(
      device: device, manifestVersion: manifestVersion, grantsAfter: grantsAfter,
      cursors: cursors.map { cursor in
        pages[cursor.scope].map { cursor.following($0.page, epoch: $0.answer.epoch) } ?? cursor
      }, limit: limit)
    return request == self ? nil : request
  }
}

extension PullCursor {
  fileprivate func following(_ page: ScopePage, epoch: UInt64) -> PullCursor {
    PullCursor(
      scope, epoch: epoch, position: page.following, acknowledged: acknowledged,
      conflictsAfter: page.conflicts.reduce(conflictsAfter) { max($0, $1.number) },
      wantsRangeDigests: wantsRangeDigests, answeredBatch: answeredBatch)
  }
}

extension ScopePage {
  /// Whether another page has to come before what came can be applied.
  var isCut: Bool {
    guard case .changes = next else { return true }
    return isFull
  }

  /// Where the page after this one begins: once a snapshot is through, with what changed meanwhile.
  var following: PullCursor.Position {
    guard !isFull else { return next }
    switch next {
    case .snapshot(let head?, _), .repair(_, let head?, _): return .changes(after: head)
    default: return next
    }
  }
}
