import Foundation
import Offshore
import OffshoreWire

/// The processing of an answer to a push, within one write.
struct PushIntake {
  let replica: Replica
  let writer: Writer
  /// The current time of the device's clock, in milliseconds since 1970.
  let now: Int64
  let makeID: () -> UUID
  /// The delays before a refused batch is sent again.
  let timing: SyncEngine.Timing
  private(set) var cursors: [ScopeID: ScopeCursor]
  private(set) var report = PushReport()
  /// The rows whose pending ops have changed.
  private var touched: Set<RowID> = []
  /// The batches that the answer refuses.
  private var refused: Set<Place> = []
  /// The scopes of which commands about members were answered.
  private var changedMembers: Set<ScopeID> = []
  /// Whether changes were refused because the server's data was restored.
  private var hasLost = false

  init(
    replica: Replica, writer: Writer, now: Int64, makeID: @escaping () -> UUID,
    timing: SyncEngine.Timing = SyncEngine.Timing(), cursors: [ScopeID: ScopeCursor]
  ) {
    self.replica = replica
    self.writer = writer
    self.now = now
    self.makeID = makeID
    self.timing = timing
    self.cursors = cursors
  }

  mutating func process(
    _ response: PushResponse, to request: PushRequest, newDevice: () -> DeviceID
  ) throws {
    let sent = Dictionary(
      request.batches.map { (Place($0.scope, $0.number), $0) },
      uniquingKeysWith: { first, _ in first })
    refused = Set(response.results.filter(\.isRejected).map { Place($0.scope, $0.number) })
    var renumbered: Set<ScopeID> = []
    for result in response.results where !renumbered.contains(result.scope) {
      guard let batch = sent[Place(result.scope, result.number)] else { continue }
      guard let sealed = try waiting(batch, of: request.device) else {
        if case .applied = result.outcome { report.alreadyApplied += 1 }
        continue
      }
      switch result.outcome {
      case .applied(let range): try applied(sealed, range, isRepeated: result.isRepeated)
      case .rejected(let rejection, _): try rejected(sealed, rejection)
      case .forked:
        try forked(sealed, newDevice)
        renumbered.insert(result.scope)
      case .gap(let expected):
        try renumber(result.scope, of: request.device, from: expected)
        renumbered.insert(result.scope)
      }
    }
    for scope in Set(request.batches.map(\.scope)) where cursors[scope]?.wanted != nil {
      try HeldCommands.release(in: scope, writer)
    }
  }

  /// Updates the visible rows whose pending ops have changed.
  mutating func finish() throws {
    guard !touched.isEmpty else { return }
    let settled = try replica.settleWantedRoles(writer)
    for cursor in settled.cursors { cursors[cursor.scope] = cursor }
    try writer.applying {
      var application = try replica.application(writer, cursors, at: now)
      for row in touched { try application.touch(row) }
      for scope in settled.shownOrHidden { try application.touchAll(in: scope) }
      // Also a row that shows the same values may have another status, such as the reason of a refusal.
      for (table, rows) in Dictionary(grouping: touched, by: \.table) {
        application.recordShown(rows.lazy.map(\.id), of: table)
      }
      for scope in changedMembers.union(settled.cursors.map(\.scope)) {
        application.recordMembers(of: scope)
      }
      try application.finish()
      try replica.derive(from: application, writer)
    }
    guard hasLost else { return }
    // The rows may have been pulled before the answer arrived.
    let device = try ReplicaState(writer).device
    try LostChanges(replica: replica, writer: writer, device: device).settle(after: touched)
  }

  // MARK: - Outcomes

  private struct Place: Hashable {
    let scope: ScopeID
    let number: Int64
    init(_ scope: ScopeID, _ number: Int64) { (self.scope, self.number) = (scope, number) }
  }

  private var queue: BatchQueue { BatchQueue(writer: writer, makeID: makeID) }

  /// Returns the stored batch, if it has the content that was sent and is still unanswered.
  private func waiting(_ batch: Batch, of device: DeviceID) throws -> SealedBatch? {
    try SealedBatch.inOrder(of: batch.scope).where {
      $0.device == device && $0.number == batch.number && $0.phase == .waiting
    }.all(writer).first { $0.batch.hash == batch.hash }
  }

  /// Numbers the unanswered batches of a scope again, from the number that the server expects.
  ///
  /// If the server has applied a batch of that number before, its data was restored from a copy. The
  /// batches wait then until a pull has brought the scope as it is in the copy. If the scope is not
  /// pulled yet, the stored batches are sent again before the others.
  private mutating func renumber(
    _ scope: ScopeID, of device: DeviceID, from expected: Int64
  ) throws {
    let sent = SentBatches(writer: writer)
    var last = try sent.lastNumber(of: device, in: scope)
    if cursors[scope]?.epoch ?? 0 == 0 {
      last = max(last, try sent.lastStoredNumber(of: device, in: scope, upTo: .max))
    }
    let isLacking = last >= expected
    if isLacking { report.needsPull = true }
    guard isLacking, var cursor = cursors[scope], cursor.role?.canRead == true, cursor.epoch != 0
    else {
      if isLacking {
        try Reopening(writer).run(scope, of: device, after: expected - 1)
        for sealed in try SealedBatch.inOrder(of: scope).all(writer) { try touch(sealed) }
      }
      return try BatchQueue.renumber(scope, of: device, after: expected - 1, writer)
    }
    cursor.epoch = ScopeCursor.unknownEpoch
    cursor.fetch = nil
    try StagedPage.of(scope).delete(writer)
    try ScopeArrival.leaveRest(of: scope, writer)
    try cursor.save(writer)
  }

  private mutating func applied(
    _ sealed: SealedBatch, _ range: SeqRange, isRepeated: Bool
  ) throws {
    var sealed = sealed
    if isRepeated { sealed.attempts = SealedBatch.renumbered }
    sealed.last = range.last
    report.applied += 1
    try FileAcceptance(writer: writer).record(sealed.batch)
    try FileConfirmation(schema: replica.schema, writer: writer, now: now).renew(for: sealed.batch)
    try postponed.removeEdits(replacedBy: sealed.batch.ops, in: sealed.scope)
    // An edit that made no change may have lost a conflict. Only a pull brings the winning value.
    if range.count < sealed.batch.ops.count { report.needsPull = true }
    let cursor = cursors[sealed.batch.scope]
    let isPulled = (cursor?.seq ?? 0) >= range.last
    // Nothing more is pulled from a revoked scope.
    guard !isPulled, cursor?.isShown != false else {
      if isRepeated { try sealed.saveProgress(writer) }
      try touch(sealed)
      try SentBatches(writer: writer).add(sealed, at: now)
      return
    }
    sealed.phase = .applied
    try sealed.saveProgress(writer)
    if cursor?.role == .left {
      try touch(sealed)
      let copy = LeftCopy(
        merge: replica.merge, writer: writer, scope: sealed.batch.scope, now: now)
      touched.formUnion(try copy.mergeApplied())
    } else {
      let scope = sealed.batch.scope
      report.heads[scope] = max(report.heads[scope] ?? range.last, range.last)
    }
  }

  private mutating func forked(_ sealed: SealedBatch, _ newDevice: () -> DeviceID) throws {
    try replica.sealAll(writer, at: now, makeID: makeID)
    let renamed = try queue.rename(
      sealed.scope, from: sealed.device, number: sealed.number, replica.schema.batchQueries,
      newDevice: newDevice)
    for batch in renamed { try touch(batch) }
    report.isForked = true
    report.needsPull = true
  }

  private mutating func rejected(_ sealed: SealedBatch, _ rejection: Rejection) throws {
    report.rejected += 1
    report.needsPull = true
    try touch(sealed)
    guard !isPointless(sealed, rejection) else {
      try sealed.delete(writer)
      return
    }
    let isLost = try buildsOnLostRow(sealed, rejection)
    let awaiting = isLost ? [] : try postponed.dependents(in: sealed, rejection)
    // A command that is sent again later could undo one that was made after it.
    let isCommand = MemberCommand(sealed.batch) != nil
    let limit = isCommand ? 1 : replica.attemptLimits[rejection.code] ?? 1
    let verdict = Verdict(
      sealed, rejection, limit: isLost ? 0 : limit,
      early: try tooEarly(sealed, rejection), awaiting: awaiting)
    let deadLetters = DeadLetters(writer: writer, now: now)
    for op in verdict.dead {
      if isLost {
        guard let lost = try op.lostByRestore(sealed.isResent, writer) else { continue }
        hasLost = true
        try deadLetters.add(
          op.row, in: sealed.batch.scope,
          Rejection(.lostByRestore, LostChanges.message, row: op.row), op: lost)
      } else if try !StoredRefusal.include(op, of: sealed.scope, replica.schema, writer) {
        try deadLetters.add(
          op.row, in: sealed.batch.scope, rejection, op: op, attempts: sealed.refusals + 1)
      }
    }
    for op in verdict.done {
      try StoredRefusal.include(op, of: sealed.scope, replica.schema, writer)
    }
    if verdict.done.isEmpty {
      try sealed.delete(writer)
    } else {
      // A page will remove the row. Until then, the deletion stays, so that the row does not
      // reappear.
      try sealed.applied(verdict.done).save(writer)
      try postponed.removeEdits(replacedBy: verdict.done, in: sealed.scope)
    }
    let later = try valuesArriving(before: sealed)
    for group in verdict.sealedAgain { try queue.add(later.removed(from: group), of: sealed) }
    if let group = verdict.postponed {
      try postponed.add(
        later.removed(from: group), of: sealed, rejection, areAwaiting: !awaiting.isEmpty)
    }
  }

  /// Returns the values of batches after a refused one that arrive before its ops, or have already arrived.
  private func valuesArriving(before sealed: SealedBatch) throws -> LaterValues {
    let key = sealed.key ?? 0
    let later = try SealedBatch.inOrder(of: sealed.scope)
      .where { $0.key > key && $0.phase != .postponed }.all(writer)
    var values = try LaterValues(
      of: later, before: sealed.batch, replica.schema.present, writer,
      isRefused: { refused.contains(Place($0.scope, $0.number)) })
    // A pull may have brought them before this answer arrived.
    let sent = try SentBatch.where {
      $0.scope == sealed.scope && $0.device == sealed.device && $0.number > sealed.number
        && $0.bytes > 0
    }.all(writer)
    for op in sent.flatMap(\.batch.ops) { values.add(op) }
    return values
  }

  private var postponed: PostponedBatches {
    PostponedBatches(
      writer: writer, manifest: replica.schema.present, timing: timing, now: now, makeID: makeID)
  }

  /// Returns whether a batch is a command by which the account leaves a scope of which it is not a
  /// member any more.
  private func isPointless(_ sealed: SealedBatch, _ rejection: Rejection) -> Bool {
    guard rejection.code == .forbidden, let command = MemberCommand(sealed.batch),
      !command.role.canRead
    else { return false }
    return cursors[sealed.scope]?.wanted?.account == command.account
  }

  /// Returns whether a batch was refused because other devices have not sent a row again that a
  /// restored server lacks, or because it builds on a change that was.
  private func buildsOnLostRow(_ sealed: SealedBatch, _ rejection: Rejection) throws -> Bool {
    guard AwaitedRows.codes.contains(rejection.code) else { return false }
    if sealed.followsRestore { return true }
    guard rejection.code == .dependency, let row = rejection.row,
      sealed.batch.ops.contains(where: { $0.row == row && $0.kind != .put })
    else { return false }
    return try StoredRefusal.of(row)
      .where { $0.code == Rejection.Code.lostByRestore.rawValue }.exists(writer)
  }

  /// Divides a batch that is too large for the way to the server into two, or refuses the changes of
  /// its only row. The batches after it are numbered again, because the server has not seen it.
  mutating func divide(_ batch: Batch, of device: DeviceID) throws {
    guard let sealed = try waiting(batch, of: device), let first = batch.ops.first else { return }
    let sizes = batch.ops.map { $0.encoded().count }
    let half = sizes.reduce(0, +) / 2
    // The places between rows, at one of which the batch is divided, with the bytes before each.
    var (places, size) = ([(count: Int, size: Int)](), 0)
    for (index, op) in batch.ops.enumerated() {
      if index > 0, op.row != batch.ops[index - 1].row { places.append((index, size)) }
      size += sizes[index]
    }
    guard let place = places.first(where: { $0.size >= half }) ?? places.last else {
      try rejected(
        sealed,
        Rejection(
          .tooLarge, "The row is larger than the way to the server allows. Make it smaller.",
          row: first.row))
      return try BatchQueue.renumber(batch.scope, of: device, after: batch.number - 1, writer)
    }
    report.isDivided = true
    try queue.divide(sealed, after: place.count)
  }

  private func tooEarly(_ sealed: SealedBatch, _ rejection: Rejection) throws -> Set<RowID> {
    guard AwaitedRows.codes.contains(rejection.code) else { return [] }
    let others = try replica.schema.batchQueries.sendable.where { $0.key != sealed.key }
      .order { $0.key }.all(writer)
    return AwaitedRows(others, replica.schema.present).tooEarly(in: sealed, rejection)
  }

  /// Marks the rows of a batch for an update. Captured changes of the rows are sealed first.
  private mutating func touch(_ sealed: SealedBatch) throws {
    try replica.sealAll(writer, at: now, makeID: makeID)
    for op in sealed.batch.ops { touched.insert(op.row) }
    if MemberCommand(sealed.batch) != nil { changedMembers.insert(sealed.scope) }
  }
}

extension BatchResult {
  fileprivate var isRejected: Bool {
    if case .rejected = outcome { true } else { false }
  }
}
