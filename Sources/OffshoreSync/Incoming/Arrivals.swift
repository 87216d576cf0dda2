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

  mutating func store(_ pages: [(answer: ScopeAnswer, page: ScopePage)]) throws {
    var arriving: [(answer: ScopeAnswer, page: ScopePage)] = []
    var postponed: [ScopeID] = []
    for (answer, page) in pages {
      if try isLarge(page, answer) { try beginArrival(of: answer) }
      switch try step(for: answer) {
      case .stage: try stage(page, answer)
      case .insert: arriving.append((answer, page))
      case .postpone: postponed.append(answer.scope)
      }
    }
    if !arriving.isEmpty || !postponed.isEmpty { try insert(arriving, postponed) }
  }

  /// Returns whether rows of a scope are staged that are inserted before its last step.
  func isUnfinished(_ answer: ScopeAnswer) throws -> Bool {
    guard let arrival = arrivals[answer.scope], let cursor = cursors[answer.scope],
      !cursor.isHidden, cursor.epoch == answer.epoch
    else { return false }
    return try arrival.isUnfinished(writer)
  }

  private func step(for answer: ScopeAnswer) throws -> Step {
    guard let cursor = cursors[answer.scope], !cursor.isHidden,
      let arrival = arrivals[answer.scope], arrival.idle != nil, cursor.epoch == answer.epoch
    else { return .stage }
    if cursor.isFetchingSnapshot { return .insert }
    return try arrival.isUnfinished(writer) ? .postpone : .stage
  }

  // MARK: - Beginning

  /// Returns whether a page is one of a new scope that is found to be large by it.
  ///
  /// A scope in which this device has sent something is applied as a whole: it has the rows already. So
  /// is one of data that was restored from a copy.
  private func isLarge(_ page: ScopePage, _ answer: ScopeAnswer) throws -> Bool {
    guard page.isFull, arrivals[answer.scope] == nil, let cursor = cursors[answer.scope],
      !cursor.isHidden, cursor.isFetchingSnapshot, cursor.epoch == 0, cursor.sent == 0,
      cursor.role?.canRead == true, answer.epoch != 0, try exceedsWrite(page, answer, cursor)
    else { return false }
    let last = try ReplicaState(writer).epoch
    return try !isOther(answer.epoch, than: cursor, or: last)
      && !ScopeContents.queued(writer).contains(answer.scope)
      && !ScopeArrival.hasDeferredReferences(writer)
  }

  /// Returns whether a full page and the staged ones have as many rows or bytes as one write may apply.
  private func exceedsWrite(
    _ page: ScopePage, _ answer: ScopeAnswer, _ cursor: ScopeCursor
  ) throws -> Bool {
    let count = page.rows.count
    if cursor.position.isFirst { return count >= replica.largeScopeRows }
    guard cursor.fetch?.epoch == answer.epoch else { return false }
    let bytes = try StagedPage.byteCount(of: answer.scope, writer)
    return bytes > 0 && count >= replica.laterPageRows || bytes >= replica.largeScopeBytes
  }

  /// Begins to show the rows of a scope. They replace none, and if the fetch begins again, it replaces
  /// these.
  private mutating func beginArrival(of answer: ScopeAnswer) throws {
    guard var cursor = cursors[answer.scope] else { return }
    cursor.epoch = answer.epoch
    cursor.fetch?.replaced = RangeSet()
    try set(cursor)
    try save(ScopeArrival(scope: answer.scope))
  }

  mutating func save(_ arrival: ScopeArrival) throws {
    guard arrivals[arrival.scope] != arrival else { return }
    arrivals[arrival.scope] = arrival
    try arrival.save(writer)
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

  // MARK: - Inserting

  /// Inserts rows, those of postponed scopes first: all of their rows are on the device.
  private mutating func insert(
    _ pages: [(answer: ScopeAnswer, page: ScopePage)], _ postponed: [ScopeID]
  ) throws {
    // A row that the user has made is known from then on.
    try replica.sealAll(writer, at: now, makeID: makeID)
    try writer.applying {
      var portion = try Portion(replica.application(writer, cursors, at: now))
      for scope in postponed where portion.work < replica.largeScopeRows {
        try tryStaged(of: scope, &portion)
      }
      for (answer, page) in pages {
        if portion.work < replica.largeScopeRows {
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
    guard var cursor = cursors[scope], var arrival = arrivals[scope] else { return }
    // The rows may refer to those of a staged page.
    try insertStaged(1, &cursor, &arrival, &portion)
    let result = try portion.insert(page.rows, of: scope, prepared: prepared?.rows(of: scope))
    try stageRest(of: result, &cursor)
    // Rows of a staged page may refer to these.
    arrival.idle = 0
    try advanceFetch(page, answer, &cursor)
    try save(arrival)
  }

  /// Inserts rows of the pages of a scope that have been staged for the longest time.
  private mutating func tryStaged(of scope: ScopeID, _ portion: inout Portion) throws {
    guard var cursor = cursors[scope], var arrival = arrivals[scope] else { return }
    try insertStaged(ScopeArrival.pagesAtOnce, &cursor, &arrival, &portion)
    report.hasAdvanced = true
    try set(cursor)
    try save(arrival)
  }

  /// - Parameter count: the maximum number of pages.
  private func insertStaged(
    _ count: Int, _ cursor: inout ScopeCursor, _ arrival: inout ScopeArrival,
    _ portion: inout Portion
  ) throws {
    for staged in try StagedPage.of(cursor.scope).order({ $0.key }).limit(count).all(writer)
    where portion.work < replica.largeScopeRows {
      let result = try portion.insert(
        try staged.rows, of: cursor.scope, work: staged.content.count / Replica.largeRowBytes)
      try stageRest(of: result, &cursor)
      if let key = staged.key { try StagedPage.at(key).delete(writer) }
      arrival.idle = result.isMostlyInserted ? 0 : (arrival.idle ?? 0) + 1
    }
  }

  /// Stages the rest of a page after all other pages, so that each is tried in its turn.
  private func stageRest(of result: Portion.Result, _ cursor: inout ScopeCursor) throws {
    cursor.digest = Digest(value: cursor.digest.value &+ result.digest)
    if result.rest.count > 0 { try StagedPage(result.rest, of: cursor.scope).insert(writer) }
  }
}
