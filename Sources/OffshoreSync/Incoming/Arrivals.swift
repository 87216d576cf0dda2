import Offshore
import OffshoreWire

/// The pages of an answer that does not complete the pull. Those of large new scopes are inserted, the
/// others are staged.
extension PullIntake {
  private enum Step {
    /// The page is staged.
    case stage
    /// Its rows are inserted, and the rest is staged.
    case insert
    /// It is ignored and fetched again, because many earlier rows are staged, of which some may fit now.
    case postpone
  }

  private typealias Arriving = (answer: ScopeAnswer, page: ScopePage, isPostponed: Bool)

  mutating func store(_ pages: [(answer: ScopeAnswer, page: ScopePage)]) throws {
    var arriving: [Arriving] = []
    for (answer, page) in pages {
      switch try step(for: page, answer) {
      case .stage: try stage(page, answer)
      case .insert: arriving.append((answer, page, false))
      case .postpone: arriving.append((answer, page, true))
      }
    }
    if !arriving.isEmpty { try insert(arriving) }
  }

  /// Returns whether rows of a scope are staged that are inserted before its last step.
  func isUnfinished(_ answer: ScopeAnswer) throws -> Bool {
    guard let arrival = arrivals[answer.scope], let cursor = cursors[answer.scope],
      !cursor.isHidden, cursor.epoch == answer.epoch
    else { return false }
    return try arrival.isUnfinished(writer)
  }

  private func step(for page: ScopePage, _ answer: ScopeAnswer) throws -> Step {
    guard let cursor = cursors[answer.scope], !cursor.isHidden else { return .stage }
    guard let arrival = arrivals[answer.scope] else {
      return try isLarge(page, answer, cursor) ? .insert : .stage
    }
    guard arrival.idle != nil, cursor.epoch == answer.epoch else { return .stage }
    if cursor.isFetchingSnapshot { return .insert }
    return try arrival.isUnfinished(writer) ? .postpone : .stage
  }

  /// Returns whether a new scope is large: its second full page is not the last one.
  ///
  /// A scope in which this device has sent something is applied as a whole: it has the rows already. So
  /// is one of data that was restored from a copy.
  private func isLarge(
    _ page: ScopePage, _ answer: ScopeAnswer, _ cursor: ScopeCursor
  ) throws -> Bool {
    guard page.isCut, page.rows.count >= replica.firstPageRows, cursor.isFetchingSnapshot,
      cursor.epoch == 0, cursor.sent == 0, cursor.role?.canRead == true, answer.epoch != 0,
      cursor.fetch?.epoch == answer.epoch, try StagedPage.of(answer.scope).exists(writer)
    else { return false }
    let last = try ReplicaState(writer).epoch
    return try !isOther(answer.epoch, than: cursor, or: last)
      && !ScopeContents.queued(writer).contains(answer.scope)
      && !ScopeArrival.hasDeferredReferences(writer)
  }

  // MARK: - Staging

  private mutating func stage(_ page: ScopePage, _ answer: ScopeAnswer) throws {
    if var arrival = arrivals[answer.scope], arrival.idle != nil {
      // The order of pages matters as soon as one has changes.
      arrival.idle = cursors[answer.scope]?.isFetchingSnapshot == true ? 0 : nil
      try save(arrival)
    }
    try storePage(page, answer)
  }

  private mutating func save(_ arrival: ScopeArrival) throws {
    guard arrivals[arrival.scope] != arrival else { return }
    arrivals[arrival.scope] = arrival
    try arrival.save(writer)
  }

  // MARK: - Inserting

  private mutating func insert(_ pages: [Arriving]) throws {
    // A row that the user has made is known from then on.
    try replica.sealAll(writer, at: now, makeID: makeID)
    try writer.applying {
      var portion = try Portion(replica.application(writer, cursors, at: now))
      for (answer, page, isPostponed) in pages {
        if isPostponed {
          try insertStaged(answer.scope, &portion)
        } else if portion.count < 2 * replica.firstPageRows {
          try insert(page, answer, &portion)
        } else {
          try stage(page, answer)
        }
      }
      report.changed += portion.application.changedCount
      try replica.derive(from: portion.application, writer)
      guard let latest = portion.latest else { return }
      var state = try ReplicaState(writer)
      state.clock.observe(latest, at: now)
      try state.save(writer)
    }
  }

  private mutating func insert(
    _ page: ScopePage, _ answer: ScopeAnswer, _ portion: inout Portion
  ) throws {
    let scope = answer.scope
    guard var cursor = cursors[scope] else { return }
    let isNew = arrivals[scope] == nil
    if isNew {
      // The rows replace none. If the fetch begins again, it replaces these.
      cursor.epoch = answer.epoch
      cursor.fetch?.replaced = RangeSet()
      _ = try insertStaged(.max, &cursor, &portion)
    }
    let result = try portion.insert(page.rows, of: scope, prepared: prepared?.rows(of: scope))
    cursor.digest = Digest(value: cursor.digest.value &+ result.digest)
    // Rows that refer to these may fit now.
    if !isNew, result.count > 0 { _ = try insertStaged(1, &cursor, &portion) }
    if result.rest.count > 0 { try StagedPage(result.rest, of: scope).insert(writer) }
    try advanceFetch(page, answer, &cursor)
    try save(ScopeArrival(scope: scope))
  }

  /// Inserts rows of the pages of a scope that have been staged for the longest time.
  private mutating func insertStaged(_ scope: ScopeID, _ portion: inout Portion) throws {
    guard var cursor = cursors[scope], var arrival = arrivals[scope] else { return }
    let count = ScopeArrival.fewPages
    let hasInserted = try insertStaged(count, &cursor, &portion)
    arrival.idle = hasInserted ? 0 : (arrival.idle ?? 0) + Int64(count)
    report.hasAdvanced = true
    try set(cursor)
    try save(arrival)
  }

  /// - Parameter count: the maximum number of pages.
  /// - Returns: whether a row was inserted.
  private func insertStaged(
    _ count: Int, _ cursor: inout ScopeCursor, _ portion: inout Portion
  ) throws -> Bool {
    var hasInserted = false
    for staged in try StagedPage.of(cursor.scope).order({ $0.key }).limit(count).all(writer) {
      let result = try portion.insert(try staged.rows, of: cursor.scope)
      cursor.digest = Digest(value: cursor.digest.value &+ result.digest)
      hasInserted = hasInserted || result.count > 0
      // The rest comes after the other pages, so that each is tried in its turn.
      if result.rest.count > 0 {
        try StagedPage(result.rest, of: cursor.scope).insert(writer)
      }
      if let key = staged.key { try StagedPage.at(key).delete(writer) }
    }
    return hasInserted
  }
}
