import Foundation
import Offshore
import OffshoreWire

/// Takes what was pulled, inside one write: keeps it until all of it is there, then applies it.
struct PullIntake {
  let replica: Replica
  let writer: Writer
  /// The device under whose name the request was made.
  let device: DeviceID
  /// What the device's clock shows.
  let now: Int64
  let makeID: () -> UUID
  private(set) var cursors: [ScopeID: ScopeCursor]
  var report = PullReport()
  /// The scopes that are not granted any more.
  var ended: Set<ScopeID> = []
  /// The scopes of which a copy stays.
  var left: Set<ScopeID> = []

  init(
    replica: Replica, writer: Writer, device: DeviceID, now: Int64,
    makeID: @escaping () -> UUID, cursors: [ScopeID: ScopeCursor]
  ) {
    self.replica = replica
    self.writer = writer
    self.device = device
    self.now = now
    self.makeID = makeID
    self.cursors = cursors
  }

  mutating func take(_ response: PullResponse, to request: PullRequest) throws {
    let hasNewScopes = try takeGrants(response.grants)
    let asked = Set(request.cursors.map(\.scope))
    var pages: [(answer: ScopeAnswer, page: ScopePage)] = []
    var isComplete = !hasNewScopes
    for answer in response.scopes where asked.contains(answer.scope) {
      switch answer.content {
      case .page(let page):
        pages.append((answer, page))
        if page.isCut { isComplete = false }
      case .resync:
        try restart(answer)
        isComplete = false
      case .notGranted:
        try end(answer.scope)
      }
    }
    try noteEpochs(response)
    report.rows = pages.reduce(0) { $0 + $1.page.rows.count }
    report.hasAdvanced = report.hasAdvanced || pages.contains { advances($0.page, $0.answer.scope) }
    pages.removeAll { ended.contains($0.answer.scope) }
    if isComplete {
      try apply(pages)
    } else {
      if !ended.isEmpty || !left.isEmpty { try apply([]) }
      for (answer, page) in pages { try keep(page, answer) }
    }
    report.isComplete = isComplete
    if !isComplete { report.hasMore = true }
    report.needsPush = try replica.hasUnsent(writer)
  }

  // MARK: - Pages

  mutating func set(_ cursor: ScopeCursor) throws {
    cursors[cursor.scope] = cursor
    try cursor.save(writer)
  }

  private mutating func restart(_ answer: ScopeAnswer) throws {
    guard var cursor = cursors[answer.scope] else { return }
    cursor.restart(epoch: answer.epoch)
    if cursor.conflicts == 0 {
      // Data that was restored gives the numbers of conflicts that it has lost to others.
      try SQL("DELETE FROM _conflict WHERE scope = \(answer.scope.text)").run(writer)
    }
    try removePages(of: answer.scope)
    try set(cursor)
  }

  /// Whether a page brings what the device does not have, if only a later place to go on from.
  private func advances(_ page: ScopePage, _ scope: ScopeID) -> Bool {
    page.rows.count > 0 || !page.conflicts.isEmpty || page.following != cursors[scope]?.position
  }

  private mutating func keep(_ page: ScopePage, _ answer: ScopeAnswer) throws {
    guard var cursor = cursors[answer.scope] else { return }
    if page.rows.count > 0 {
      try SQL(
        """
        INSERT INTO _page (scope, content)
        VALUES (\(answer.scope.text), \(Data(page.rows.encoded())))
        """
      ).run(writer)
    }
    cursor.fetch = ScopeCursor.Fetch(
      position: page.following, epoch: answer.epoch,
      replaced: cursor.fetch?.replaced ?? RangeSet())
    try keepConflicts(page, &cursor)
    try set(cursor)
  }

  private func removePages(of scope: ScopeID) throws {
    try SQL("DELETE FROM _page WHERE scope = \(scope.text)").run(writer)
  }

  // MARK: - Applying

  mutating func apply(_ pages: [(answer: ScopeAnswer, page: ScopePage)]) throws {
    try replica.sealAll(writer, at: now, makeID: makeID)
    var touched: Set<RowID> = []
    for (answer, page) in pages { touched.formUnion(try acknowledge(page, answer)) }
    for scope in ended { try removeApplied(in: scope) }
    for scope in left.sorted() {
      touched.formUnion(try LeftCopy(merge: replica.merge, writer: writer, scope: scope).settle())
    }
    try writer.applying {
      var application = try replica.application(writer, cursors, at: now)
      var clock = try DeviceState(writer).clock
      for scope in ended.sorted() { try forget(scope, &application) }
      for (answer, page) in pages {
        var applying = ScopeApplication(
          writer: writer, scope: answer.scope, cursor: cursors[answer.scope])
        try applying.run(page, &application)
        if let latest = applying.latest { clock.observe(latest, at: now) }
        try advance(answer, page, applying.digest)
      }
      for row in touched { try application.touch(row) }
      try application.finish()
      report.changed = application.changedCount
      try replica.derive(from: application, writer)
      var state = try DeviceState(writer)
      state.clock = clock
      if let epoch = pages.last?.answer.epoch { state.epoch = epoch }
      try state.save(writer)
    }
  }

  /// Lets go of batches of which no page is going to tell what they did.
  private func removeApplied(in scope: ScopeID) throws {
    try SQL(
      """
      DELETE FROM _batch
      WHERE scope = \(scope.text) AND phase = \(SealedBatch.Phase.applied.rawValue)
      """
    ).run(writer)
  }

  private mutating func forget(_ scope: ScopeID, _ application: inout RowApplication) throws {
    for row in try RowEntries(writer: writer).rows(in: "_row", where: "scope = \(scope.text)") {
      _ = try application.confirm(row, nil, hash: 0, in: scope)
    }
    try removePages(of: scope)
    try SQL("DELETE FROM _conflict WHERE scope = \(scope.text)").run(writer)
    guard var cursor = cursors[scope] else { return }
    cursor.forget()
    try set(cursor)
  }

  private mutating func advance(
    _ answer: ScopeAnswer, _ page: ScopePage, _ digest: Digest
  ) throws {
    guard var cursor = cursors[answer.scope] else { return }
    try removePages(of: answer.scope)
    cursor.fetch = nil
    cursor.epoch = answer.epoch
    cursor.seq = page.head
    cursor.digest = digest
    try keepConflicts(page, &cursor)
    try Comparison(writer: writer).run(&cursor, page)
    if cursor.doubt != .none { report.inDoubt.insert(answer.scope) }
    if cursor.fetch != nil || cursor.doubt == .asking { report.hasMore = true }
    report.heads[answer.scope] = page.head
    try set(cursor)
  }

  /// Keeps what was decided, which is true whatever rows have come.
  private func keepConflicts(_ page: ScopePage, _ cursor: inout ScopeCursor) throws {
    for numbered in page.conflicts {
      let (row, content) = (numbered.conflict.row, Data(numbered.conflict.encoded()))
      try SQL(
        """
        INSERT INTO _conflict (scope, number, tbl, id, content) VALUES (
          \(cursor.scope.text), \(numbered.number), \(row.table), \(row.id), \(content))
        ON CONFLICT DO UPDATE SET tbl = excluded.tbl, id = excluded.id, content = excluded.content
        """
      ).run(writer)
      cursor.conflicts = max(cursor.conflicts, numbered.number)
    }
  }

  /// Takes note of the batches that the page has.
  /// - Returns: the rows whose ops have changed.
  private mutating func acknowledge(
    _ page: ScopePage, _ answer: ScopeAnswer
  ) throws -> Set<RowID> {
    let isOtherData = try isOther(answer.epoch, than: cursors[answer.scope])
    let acknowledgement = Acknowledgement(
      writer: writer, scope: answer.scope, device: device, page: page)
    guard isOtherData else { return try acknowledgement.run() }
    let touched = try acknowledgement.runOnOtherData(
      BatchQueue(writer: writer, makeID: makeID))
    cursors[answer.scope] = try ScopeCursor.of(answer.scope, writer)
    return touched
  }
}
