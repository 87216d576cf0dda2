import OffshoreWire

extension PullRequest {
  /// Divides the answer to a request for all scopes, so that a large new scope does not delay the
  /// others: they are applied while its pages are staged.
  ///
  /// A page is applied early if it completes its scope and no row has moved away from there: the
  /// scope with the row may be one whose pages are missing, and the row would be in no scope. Of a new
  /// scope in which this device has sent nothing, nothing is shown yet, so no row can be missing after
  /// a move away from it. A new scope in which it has sent something waits for the others, and so does a
  /// large one, whose rows are shown as they arrive.
  ///
  /// - Returns: the part that is applied, `nil` if there is none, and the part that is staged. Scopes
  ///   without news are in neither. `nil` if no new scope is incomplete, or if more than pages has
  ///   arrived, such as roles, or pages of another epoch.
  /// - Parameters:
  ///   - waiting: the scopes with batches of this device, also under a former device id, and the large new
  ///     ones.
  ///   - unfinished: the large new scopes that are not complete after their last page.
  func parts(
    of response: PullResponse, waiting: Set<ScopeID> = [], unfinished: Set<ScopeID> = []
  ) -> (early: PullResponse?, rest: PullResponse)? {
    guard let pages = response.pages else { return nil }
    var (early, rest): ([ScopeAnswer], [ScopeAnswer]) = ([], [])
    var hasNewCut = false
    for cursor in cursors {
      guard let (answer, page) = pages[cursor.scope] else { continue }
      guard answer.epoch == response.epoch, cursor.continues(in: answer.epoch, to: page.head)
      else { return nil }
      if page.isCut || unfinished.contains(cursor.scope) {
        if cursor.isNew { hasNewCut = true }
        rest.append(answer)
      } else if !cursor.isNew || cursor.answeredBatch > 0 || page.lastBatch > 0
        || waiting.contains(cursor.scope),
        !cursor.isUpToDate || page.rows.hasMovedRow
      {
        rest.append(answer)
      } else if cursor.epoch != answer.epoch || !cursor.isUpToDate || page.hasNews(after: cursor) {
        early.append(answer)
      }
    }
    guard hasNewCut else { return nil }
    return (early.isEmpty ? nil : response.with(early), response.with(rest))
  }
}

extension PullCursor {
  /// Whether nothing of the scope was applied yet.
  var isNew: Bool { acknowledged == 0 }

  /// Whether the scope is fetched for the first time.
  var isFirstFetch: Bool { isNew && !isUpToDate }

  /// Whether no page of the scope is staged.
  fileprivate var isUpToDate: Bool { position == .changes(after: acknowledged) }

  /// Returns whether the data of an epoch, with a head, includes the applied changes.
  fileprivate func continues(in epoch: UInt64, to head: Int64) -> Bool {
    isNew || self.epoch == epoch && head >= acknowledged
  }
}

extension [PullCursor] {
  /// The cursors with those of new scopes last, so that these do not use up the room of an answer.
  var newScopesLast: [PullCursor] { filter { !$0.isNew } + filter(\.isNew) }
}

extension ScopePage {
  /// Whether the page has more than the device has already applied.
  fileprivate func hasNews(after cursor: PullCursor) -> Bool {
    rows.count > 0 || !conflicts.isEmpty || head != cursor.acknowledged || rangeDigests != nil
      || lastBatch > cursor.answeredBatch
  }
}

extension PullResponse {
  fileprivate func with(_ scopes: [ScopeAnswer]) -> PullResponse {
    PullResponse(
      serverTime: serverTime, epoch: epoch, capabilities: capabilities, grants: grants,
      scopes: scopes)
  }
}
