import Foundation
import Offshore
import OffshoreWire

/// The processing of an answer to a pull, within one write.
///
/// Pages are staged, that is stored and hidden from the app, until all have arrived. Then they are
/// applied together. Those of a large new scope are an exception; see ``ScopeArrival``.
struct PullIntake {
  let replica: Replica
  let writer: Writer
  /// The device that made the request.
  let device: DeviceID
  /// The current time of the device's clock, in milliseconds since 1970.
  let now: Int64
  let makeID: () -> UUID
  /// The prepared rows of the answer.
  let prepared: PreparedAnswer?
  private(set) var cursors: [ScopeID: ScopeCursor]
  /// The large new scopes whose rows arrive.
  var arrivals: [ScopeID: ScopeArrival]
  var report = PullReport()
  /// The scopes whose grants were revoked.
  var ended: Set<ScopeID> = []
  /// The scopes that the account has left. Their copies stay.
  var left: Set<ScopeID> = []
  /// The scopes that the account owned and may claim again, because the server's data was restored
  /// from a copy that lacks them.
  var reclaimed: Set<ScopeID> = []
  /// The scopes that the account reads, or has read until now, by an access rule.
  private let readByRule: Set<ScopeID>
  /// The numbers of the last batches that were answered when the request was made.
  private(set) var answered: [ScopeID: Int64] = [:]
  /// The scopes whose members or whose role of the account have changed as this device shows them, apart
  /// from rows of members that pages bring.
  var changedMembers: Set<ScopeID> = []
  /// Whether the answer brings roles.
  private var hasNewRoles = false
  /// The epoch of the server's data, or 0 if it is unknown.
  private(set) var dataEpoch: UInt64 = 0

  init(
    replica: Replica, writer: Writer, device: DeviceID, now: Int64,
    makeID: @escaping () -> UUID, cursors: [ScopeID: ScopeCursor],
    arrivals: [ScopeID: ScopeArrival], prepared: PreparedAnswer? = nil
  ) {
    self.prepared = prepared
    self.arrivals = arrivals
    self.replica = replica
    self.writer = writer
    self.device = device
    self.now = now
    self.makeID = makeID
    self.cursors = cursors
    let kinds = replica.schema.manifest.personalKinds
    // An account owns its own scope of such a kind.
    readByRule =
      kinds.isEmpty
      ? []
      : Set(
        cursors.values.filter { $0.role == .viewer && kinds.contains($0.scope.kind) }.map(\.scope))
  }

  mutating func process(
    _ response: PullResponse, to request: PullRequest, ofSingleScopes: Bool
  ) throws {
    dataEpoch = response.epoch
    hasNewRoles = !response.grants.isEmpty
    let hasNewScopes = try applyGrants(response.grants)
    let asked = Set(request.cursors.map(\.scope))
    for cursor in request.cursors { answered[cursor.scope] = cursor.answeredBatch }
    var pages: [(answer: ScopeAnswer, page: ScopePage)] = []
    var isComplete = !hasNewScopes
    for answer in response.scopes where asked.contains(answer.scope) {
      switch answer.content {
      case .page(let page):
        guard try !lacksBatches(page, answer) else {
          try restart(answer, isRestored: true)
          isComplete = false
          continue
        }
        pages.append((answer, page))
        if page.isCut { isComplete = false }
        if ofSingleScopes, page.rows.hasMovedRow { report.needsAll = true }
      case .resync(let minSeq):
        try restart(answer, isRestored: isAhead(of: minSeq, in: answer))
        isComplete = false
      case .notGranted:
        try end(answer.scope, of: response.epoch)
      }
    }
    let isOtherData = try recordEpochs(response)
    if hasNewScopes || ofSingleScopes && isOtherData { report.needsAll = true }
    if report.needsAll { isComplete = false }
    report.rows = pages.reduce(0) { $0 + $1.page.rows.count }
    report.hasAdvanced = report.hasAdvanced || pages.contains { advances($0.page, $0.answer.scope) }
    pages.removeAll { ended.contains($0.answer.scope) }
    report.hasEndedScopes = !ended.isEmpty
    if isComplete, try pages.contains(where: { try isUnfinished($0.answer) }) { isComplete = false }
    if isComplete {
      try apply(pages)
    } else {
      if !ended.isEmpty || !left.isEmpty { try apply([]) }
      try store(pages)
    }
    // The next pull brings the roles of other data, whose epoch is stored with its pages.
    let lacksRoles = isComplete && isOtherData && !pages.isEmpty
    if lacksRoles { report.hasAdvanced = true }
    // The pages of a new scope have not arrived yet.
    try replica.deriveRoots(of: changedMembers, writer)
    report.isComplete = isComplete && !lacksRoles
    if !report.isComplete { report.hasMore = true }
    report.needsPush = try replica.hasUnsent(writer)
  }

  // MARK: - Pages

  mutating func set(_ cursor: ScopeCursor) throws {
    cursors[cursor.scope] = cursor
    try cursor.save(writer)
  }

  /// Returns whether a page brings rows, conflicts or a new position.
  private func advances(_ page: ScopePage, _ scope: ScopeID) -> Bool {
    page.rows.count > 0 || !page.conflicts.isEmpty || page.following != cursors[scope]?.position
  }

  mutating func storePage(_ page: ScopePage, _ answer: ScopeAnswer) throws {
    guard var cursor = cursors[answer.scope] else { return }
    if page.rows.count > 0 { try StagedPage(page.rows, of: answer.scope).insert(writer) }
    try advanceFetch(page, answer, &cursor)
  }

  /// Records that the fetch continues after a page.
  mutating func advanceFetch(
    _ page: ScopePage, _ answer: ScopeAnswer, _ cursor: inout ScopeCursor
  ) throws {
    cursor.fetch = ScopeCursor.Fetch(
      position: page.following, epoch: answer.epoch,
      replaced: cursor.fetch?.replaced ?? RangeSet())
    try storeConflicts(page, &cursor)
    try set(cursor)
  }

  // MARK: - Applying

  mutating func apply(_ pages: [(answer: ScopeAnswer, page: ScopePage)]) throws {
    try replica.sealAll(writer, at: now, makeID: makeID)
    let contents = try ScopeContents(of: pages.compactMap { cursors[$0.answer.scope] }, writer)
    let former = try ReplicaState(writer)
    let older = try olderScopes(pages, after: former.epoch)
    let missing = ended.filter { isOther(dataEpoch, than: cursors[$0], or: former.epoch) }
    var lost = LostRows(
      schema: replica.schema, writer: writer, now: now, device: former.device, sender: device)
    // The owners of scopes that the account reads by a rule bring back their rows themselves.
    for (answer, page) in pages
    where older.contains(answer.scope) && !readByRule.contains(answer.scope) {
      try lost.find(in: answer.scope, page)
    }
    for scope in missing.subtracting(readByRule).sorted() { try lost.findAll(in: scope) }
    var touched: Set<RowID> = []
    let hasArrivals = pages.contains { arrivals[$0.answer.scope] != nil }
    let reopening = older.isEmpty && reclaimed.isEmpty ? nil : try Reopening(writer)
    for (answer, page) in pages {
      let isOlder = older.contains(answer.scope)
      guard isOlder || contents.queued.contains(answer.scope) else { continue }
      touch(
        try acknowledge(page, in: answer.scope, isOlder ? reopening : nil), in: answer.scope,
        &touched)
    }
    for scope in ended.sorted() where !reclaimed.contains(scope) {
      let end = EndedScope(writer: writer, scope: scope)
      try end.removeSettings(isMissing: missing.contains(scope))
      if missing.contains(scope) {
        try storeBatches(of: scope)
      } else {
        try removeApplied(in: scope)
        try end.removeLostValues(besides: former.device)
      }
    }
    if let reopening {
      for scope in reclaimed.sorted() { touch(try reopen(scope, reopening), in: scope, &touched) }
    }
    for scope in left.sorted() {
      touched.formUnion(
        try LeftCopy(merge: replica.merge, writer: writer, scope: scope, now: now).mergeApplied())
    }
    // A command of the account about itself applies at once, also if it is sent again.
    let settled = try replica.settleWantedRoles(writer, reopened: older.union(reclaimed))
    for cursor in settled.cursors { cursors[cursor.scope] = cursor }
    changedMembers.formUnion(settled.cursors.map(\.scope))
    try writer.applying {
      var application = try replica.application(writer, cursors, at: now)
      var state = try ReplicaState(writer)
      for scope in ended.sorted() { try removeCopy(scope, &application) }
      try apply(pages, contents, &state.clock, &application)
      for row in touched { try application.touch(row) }
      for scope in changedMembers { try application.recordRole(in: scope) }
      // Refused insertions return with the scope that has them.
      for refusal in try StoredRefusal.kept(replica.schema, writer)
      where try !VersionRow.of(refusal.row).exists(writer) {
        try application.touch(refusal.row)
      }
      for scope in settled.shownOrHidden { try application.touchAll(in: scope) }
      try application.finish()
      report.changed = application.changedCount
      try replica.derive(from: application, writer)
      changedMembers = []
      if let epoch = pages.last?.answer.epoch { state.epoch = epoch }
      // The other device sends its changes itself, under the former id.
      if lost.isCopied, state.device == former.device { state.rename(DeviceID(makeID())) }
      try state.save(writer)
    }
    let changes = LostChanges(
      replica: replica, writer: writer, device: try ReplicaState(writer).device)
    if hasNewRoles || !lost.found.isEmpty || !contents.pages.isEmpty || hasArrivals {
      try changes.settleAll(lost.found)
    } else if report.rows > 0 || !touched.isEmpty {
      try changes.settle(after: touched.union(pages.flatMap { $0.page.rows.ids }))
    }
  }

  /// Adds the rows of a scope whose pending ops have changed to others.
  private mutating func touch(
    _ rows: Set<RowID>, in scope: ScopeID, _ touched: inout Set<RowID>
  ) {
    touched.formUnion(rows)
    // A command about a member is no longer pending, or is pending again.
    if rows.contains(where: { $0.table == MemberRow.table }) { changedMembers.insert(scope) }
  }

  /// Makes all batches of a scope pending again, to claim it by them.
  private func reopen(_ scope: ScopeID, _ reopening: Reopening) throws -> Set<RowID> {
    try reopening.run(scope, of: device, after: 0)
    try BatchQueue.renumber(scope, of: device, after: 0, writer)
    let batches = try SealedBatch.inOrder(of: scope).all(writer)
    return Set(batches.flatMap { $0.batch.ops.map(\.row) })
  }

  /// Removes the applied batches of a revoked scope: no page will bring their changes.
  private func removeApplied(in scope: ScopeID) throws {
    try SealedBatch.where { $0.scope == scope && $0.phase == .applied }.delete(writer)
    try SentBatches(writer: writer).remove(scope)
  }

  /// Stores the batches of a scope that the server's data does not grant, because it was restored. If it is
  /// granted again, they are sent again.
  ///
  /// They are not sent before: the account would become the owner of a scope that the data lacks.
  private func storeBatches(of scope: ScopeID) throws {
    let sent = SentBatches(writer: writer)
    // Postponed batches have no numbers: they stay.
    for sealed in try SealedBatch.inOrder(of: scope).all(writer) where sealed.phase != .postponed {
      if sealed.isDone {
        try sealed.delete(writer)
      } else {
        try sent.add(sealed, at: now, isApplied: sealed.phase == .applied)
      }
    }
  }

  private mutating func removeCopy(_ scope: ScopeID, _ application: inout RowApplication) throws {
    for row in try RowEntries(writer: writer).rows(of: scope) {
      _ = try application.confirm(row, nil, hash: 0, in: scope)
    }
    try StagedPage.of(scope).delete(writer)
    try StoredConflict.where { $0.scope == scope }.delete(writer)
    try endArrival(of: scope)
    guard var cursor = cursors[scope] else { return }
    cursor.reset()
    try set(cursor)
  }

  mutating func advance(
    _ answer: ScopeAnswer, _ page: ScopePage, _ digest: Digest
  ) throws {
    guard var cursor = cursors[answer.scope] else { return }
    try endArrival(of: answer.scope)
    cursor.fetch = nil
    cursor.epoch = answer.epoch
    cursor.seq = page.head
    cursor.digest = digest
    try storeConflicts(page, &cursor)
    try Comparison(writer: writer).run(&cursor, page)
    if cursor.doubt != .none { report.differingScopes.insert(answer.scope) }
    if cursor.fetch != nil || cursor.doubt == .asking { report.hasMore = true }
    report.heads[answer.scope] = page.head
    try set(cursor)
  }

  private mutating func endArrival(of scope: ScopeID) throws {
    if let arrival = arrivals.removeValue(forKey: scope) { try arrival.delete(writer) }
  }

  /// Stores the conflicts of a page at once. They stay true even if the page's rows are not applied
  /// yet.
  private func storeConflicts(_ page: ScopePage, _ cursor: inout ScopeCursor) throws {
    for numbered in page.conflicts {
      try StoredConflict(numbered, in: cursor.scope).save(writer)
      cursor.conflicts = max(cursor.conflicts, numbered.number)
    }
  }

  /// Removes the batches whose changes the page includes.
  /// - Parameter reopening: makes batches pending again if the page is of data that may lack changes
  ///   which this device has seen, or is `nil` otherwise.
  /// - Returns: the rows whose pending ops have changed.
  private mutating func acknowledge(
    _ page: ScopePage, in scope: ScopeID, _ reopening: Reopening?
  ) throws -> Set<RowID> {
    let acknowledgement = Acknowledgement(
      schema: replica.schema, writer: writer,
      postponed: PostponedBatches(
        writer: writer, manifest: replica.schema.present, now: now, makeID: makeID),
      scope: scope, device: device, page: page, now: now)
    guard let reopening else { return try acknowledgement.run() }
    let touched = try acknowledgement.runOnOtherData(
      reopening, BatchQueue(writer: writer, makeID: makeID), replica.schema.batchQueries)
    cursors[scope] = try ScopeCursor.of(scope, writer)
    return touched
  }
}
