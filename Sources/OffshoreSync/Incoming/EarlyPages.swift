import Offshore
import OffshoreWire

extension PullRequest {
  /// Divides the answer to a request for all scopes, so that a large new scope does not delay the
  /// others: they are applied while its pages are staged.
  ///
  /// A page is applied early if it completes its scope and no row has moved away from there: the
  /// scope with the row may be one whose pages are missing, and the row would be in no scope. Of a new
  /// scope in which this device has sent nothing, nothing is shown yet, so no row can be missing after
  /// a move away from it. A new scope in which it has sent something waits for the others. So does a large
  /// one, whose rows are shown as they arrive, if staged changes may have a row that has moved away.
  ///
  /// - Returns: the part that is applied, `nil` if there is none, and the part that is staged. Scopes
  ///   without news are in neither. `nil` if no new scope is incomplete, or if more than pages has
  ///   arrived, such as roles, or pages of another epoch.
  func parts(
    of response: PullResponse, _ waiting: WaitingScopes
  ) -> (early: PullResponse?, rest: PullResponse)? {
    guard let pages = response.pages else { return nil }
    var (early, rest): ([ScopeAnswer], [ScopeAnswer]) = ([], [])
    var hasNewCut = false
    for cursor in cursors {
      guard let (answer, page) = pages[cursor.scope] else { continue }
      guard answer.epoch == response.epoch, cursor.continues(in: answer.epoch, to: page.head)
      else { return nil }
      if page.isCut || waiting.unfinished.contains(cursor.scope) {
        if cursor.isNew { hasNewCut = true }
        rest.append(answer)
      } else if waiting.mayHideMove(page, after: cursor) {
        rest.append(answer)
      } else if cursor.epoch != answer.epoch || !cursor.isUpToDate || page.hasNews(after: cursor) {
        early.append(answer)
      }
    }
    guard hasNewCut else { return nil }
    return (early.isEmpty ? nil : response.with(early), response.with(rest))
  }

  /// Divides an answer with roles, which may name new scopes, so that their rows do not delay changes
  /// of other scopes.
  ///
  /// A page is applied at once if it completes a scope that the roles do not concern, whose rows are
  /// shown and from which none has moved away.
  ///
  /// - Returns: the pages that are applied at once, and the rest, which comes first. `nil` if the answer
  ///   has no roles or no such page.
  func partsBesideRoles(of response: PullResponse) -> (early: PullResponse, rest: PullResponse)? {
    guard !response.grants.isEmpty else { return nil }
    let concerned = Set(response.grants.map(\.scope))
    let asked = Dictionary(cursors.map { ($0.scope, $0) }, uniquingKeysWith: { first, _ in first })
    func isEarly(_ answer: ScopeAnswer) -> Bool {
      guard let cursor = asked[answer.scope], !concerned.contains(answer.scope),
        case .page(let page) = answer.content
      else { return false }
      return !page.isCut && !cursor.isNew && cursor.isUpToDate && !page.rows.hasMovedRow
        && answer.epoch == response.epoch
        && cursor.continues(in: answer.epoch, to: page.head)
    }
    let early = response.scopes.filter(isEarly)
    guard !early.isEmpty else { return nil }
    return (
      response.with(early, grants: []), response.with(response.scopes.filter { !isEarly($0) })
    )
  }
}

/// The scopes whose last page may have to wait for those of other scopes.
struct WaitingScopes {
  /// The scopes with batches of this device, also under a former device id.
  private(set) var queued: Set<ScopeID> = []
  /// The large new scopes whose rows are shown as they arrive.
  private(set) var arrivals: [ScopeID: ScopeArrival] = [:]
  /// Those of them that are not complete after their last page.
  private(set) var unfinished: Set<ScopeID> = []

  init() {}

  init(_ arrivals: [ScopeID: ScopeArrival], _ reader: Reader) throws {
    queued = try ScopeContents.queued(reader)
    self.arrivals = arrivals
    unfinished = Set(try arrivals.values.filter { try $0.isUnfinished(reader) }.map(\.scope))
  }

  /// Returns whether a row that is shown may have moved away from a scope, by its last page or a staged
  /// one.
  fileprivate func mayHideMove(_ page: ScopePage, after cursor: PullCursor) -> Bool {
    let isShown =
      !cursor.isNew || cursor.answeredBatch > 0 || page.lastBatch > 0
      || queued.contains(cursor.scope)
    if isShown { return !cursor.isUpToDate || page.rows.hasMovedRow }
    // Staged pages of a snapshot move no row that is shown, unlike those of changes.
    guard let arrival = arrivals[cursor.scope] else { return false }
    return arrival.idle == nil || page.rows.hasMovedRow
  }
}

extension PullCursor {
  /// Whether nothing of the scope was applied yet.
  var isNew: Bool { acknowledged == 0 }

  /// Whether the scope is fetched for the first time.
  fileprivate var isFirstFetch: Bool { isNew && !isUpToDate }

  /// Whether no page of the scope is staged.
  fileprivate var isUpToDate: Bool { position == .changes(after: acknowledged) }

  /// Returns whether the data of an epoch, with a head, includes the applied changes.
  fileprivate func continues(in epoch: UInt64, to head: Int64) -> Bool {
    isNew || self.epoch == epoch && head >= acknowledged
  }
}

extension PullCursor.Position {
  /// Whether no page of a snapshot has arrived.
  var isFirst: Bool { self == .snapshot(head: nil, after: nil) }
}

extension Replica {
  /// Returns the maximum number of rows of each scope in an answer.
  ///
  /// It is lower while a scope is fetched for the first time, so that the rows of a page can be inserted
  /// without holding up other writes.
  /// - Parameter limit: the maximum number otherwise.
  func rowLimit(of cursors: [PullCursor], _ limit: Int) -> Int {
    let fetched = cursors.filter(\.isFirstFetch)
    guard !fetched.isEmpty else { return limit }
    return min(limit, fetched.allSatisfy(\.position.isFirst) ? largeScopeRows : laterPageRows)
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
  fileprivate func with(_ scopes: [ScopeAnswer], grants: [Grant]? = nil) -> PullResponse {
    PullResponse(
      serverTime: serverTime, epoch: epoch, capabilities: capabilities,
      grants: grants ?? self.grants, scopes: scopes)
  }
}
