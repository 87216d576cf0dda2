import OffshoreWire

/// The answer to a pull for one scope.
struct ScopePull {
  let cursor: PullCursor
  let request: PullRequest
  let rangeDigests: RangeDigestCache
  let account: AccountID
  /// The head of the scope when the account began to read it by a rule, or `nil` for a member. A reader by
  /// a rule gets no conflicts, and no deletions from before.
  let start: Int64?
  /// The number of conflicts that the scope had when the account began to read it.
  let conflictStart: Int64

  /// The number of rows that are read at a time.
  private static let chunk = 500

  func answer(
    from transaction: some StorageTransaction, _ room: inout PageRoom
  ) throws -> ScopeAnswer {
    let scope = try transaction.scope(cursor.scope)
    guard canGoOn(in: scope) else {
      return ScopeAnswer(cursor.scope, epoch: scope.epoch, .resync(minSeq: first(of: scope)))
    }
    let lastBatch = try lastBatch(transaction)
    if room.isFull, lacksContents(of: scope) {
      return ScopeAnswer(cursor.scope, epoch: scope.epoch, .page(unread(scope, lastBatch)))
    }
    let rows = try rows(of: scope, from: transaction, &room)
    let (conflicts, hasMore) = try conflicts(in: scope, from: transaction, &room)
    let (batches, lacksBatches) = try batches(upTo: lastBatch, from: transaction, &room)
    let (digests, lacksDigests) = try rangeDigests(of: scope, from: transaction, &room)
    let page = ScopePage(
      rows: rows.page, conflicts: conflicts,
      isFull: rows.isFull || hasMore || lacksBatches || lacksDigests,
      next: next(rows, scope), head: scope.head, digest: scope.digest,
      rangeDigests: digests, minSeq: scope.minSeq, lastBatch: lastBatch, batches: batches)
    return ScopeAnswer(cursor.scope, epoch: scope.epoch, .page(page))
  }

  /// Returns whether the device can continue from its cursor without missing a tombstone.
  ///
  /// NB: This is checked for each page. A tombstone that is removed between two pages is on neither
  /// of them.
  private func canGoOn(in scope: ScopeState) -> Bool {
    switch cursor.position {
    case .snapshot(head: nil, after: nil): true
    case .repair(_, head: nil, after: nil): cursor.epoch == scope.epoch
    case .snapshot(head: nil, after: _), .repair(_, head: nil, after: _): false
    // The changes of a scope begin with deletions.
    case .changes(after: 0) where cursor.epoch == 0: scope.minSeq == 0 && start == nil
    case .changes(let seq), .snapshot(let seq?, after: _), .repair(_, let seq?, after: _):
      cursor.epoch == scope.epoch && first(of: scope) <= seq && seq <= scope.head
    }
  }

  /// Returns the first number from which a device can continue.
  private func first(of scope: ScopeState) -> Int64 { max(scope.minSeq, start ?? 0) }

  /// Returns the number of the last batch of the device, or 0 if it is the device of another account,
  /// whose id is in the rows that it has changed.
  private func lastBatch(_ transaction: some StorageTransaction) throws -> Int64 {
    let device = try transaction.device(request.device, in: cursor.scope)
    guard start == nil, device.account == nil || device.account == account else { return 0 }
    return device.lastNumber
  }

  // MARK: - Pages without contents

  /// Returns whether rows or conflicts of the scope may be missing on the device.
  private func lacksContents(of scope: ScopeState) -> Bool {
    !isUpToDate(with: scope) || lacksConflicts(of: scope)
  }

  /// Returns whether there is no row after the cursor.
  private func isUpToDate(with scope: ScopeState) -> Bool {
    cursor.position == .changes(after: scope.head)
  }

  /// Returns a page that leaves everything for the next one. A device has no use for digests and
  /// results before its last page.
  private func unread(_ scope: ScopeState, _ lastBatch: Int64) -> ScopePage {
    ScopePage(
      rows: RowPage(), isFull: true, next: cursor.position, head: scope.head,
      digest: scope.digest, minSeq: scope.minSeq, lastBatch: lastBatch)
  }

  // MARK: - Digests and batches

  /// Returns the requested range digests, and whether they are left out because they do not fit.
  /// They are computed from all rows, and therefore only if they fit.
  private func rangeDigests(
    of scope: ScopeState, from transaction: some StorageTransaction, _ room: inout PageRoom
  ) throws -> (digests: RangeDigests?, areLeftOut: Bool) {
    guard cursor.wantsRangeDigests, request.capabilities.contains(.repair) else {
      return (nil, false)
    }
    guard room.reserveRangeDigests() else { return (nil, true) }
    let digests = try rangeDigests.digests(of: cursor.scope, at: scope) {
      try transaction.rangeDigests(in: cursor.scope, chunk: Self.chunk)
    }
    return (digests, false)
  }

  /// Returns the results of the batches whose answers the device may have missed, and whether some
  /// are left out because they do not fit. A device misses at most as many answers as a push has
  /// batches.
  private func batches(
    upTo last: Int64, from transaction: some StorageTransaction, _ room: inout PageRoom
  ) throws -> (batches: [DecidedBatch], areLeftOut: Bool) {
    let answered = max(cursor.answeredBatch, 0)
    guard answered < last else { return ([], false) }
    let count = min(last - answered, Int64(WireLimits.batchesPerPush))
    var batches: [DecidedBatch] = []
    for number in (answered + 1)...(answered + count) {
      guard let result = try transaction.result(of: number, by: request.device, in: cursor.scope)
      else {
        continue
      }
      let batch = DecidedBatch(number: number, hash: result.hash, isApplied: result.isApplied)
      guard room.reserve(batch) else { return (batches, true) }
      batches.append(batch)
    }
    return (batches, false)
  }

  // MARK: - Rows

  /// The rows of a page, and the position of the last one that was looked at.
  private struct Rows {
    var page = RowPage()
    var last: (row: RowID, seq: Int64)?
    /// Whether more rows may follow.
    var isFull = false
  }

  /// Returns the next rows.
  ///
  /// A repair looks at rows of other ranges too, which count against the limits like those of the
  /// page. So a page may have no rows and still advance.
  private func rows(
    of scope: ScopeState, from transaction: some StorageTransaction, _ room: inout PageRoom
  ) throws -> Rows {
    guard !isUpToDate(with: scope) else { return Rows() }
    let limit = min(max(request.limit, 1), WireLimits.rowsPerPage)
    var rows = Rows(isFull: true)
    var count = 0
    while count < limit, !room.isFull {
      let run = try self.rows(
        after: rows.last, limit: min(limit - count, Self.chunk), bytes: room.bytesToRead,
        from: transaction)
      for row in run.rows {
        guard room.reserve(row) else { return rows }
        if isShown(row) { rows.page.append(row) }
        rows.last = (row.row, row.seq)
      }
      count += run.rows.count
      guard run.isCut else {
        rows.isFull = false
        return rows
      }
    }
    return rows
  }

  /// Returns whether a row is among the requested ones.
  private func isShown(_ row: StoredRow) -> Bool {
    if start != nil, !row.isLiving, !cursor.position.isOfChanges { return false }
    return ranges?.contains(row.row.range) ?? true
  }

  /// The requested ranges, or `nil` if the device requests all rows.
  private var ranges: RangeSet? {
    if case .repair(let ranges, _, _) = cursor.position { ranges } else { nil }
  }

  private func rows(
    after last: (row: RowID, seq: Int64)?, limit: Int, bytes: Int,
    from transaction: some StorageTransaction
  ) throws -> RowRun {
    let scope = cursor.scope
    return switch cursor.position {
    case .changes(let seq):
      try transaction.rows(in: scope, after: last?.seq ?? seq, limit: limit, bytes: bytes)
    case .snapshot(_, let row), .repair(_, _, let row):
      try transaction.rows(in: scope, after: last?.row ?? row, limit: limit, bytes: bytes)
    }
  }

  // MARK: - Conflicts

  /// Returns the number of the last conflict that the device has or that arose before the account could
  /// read the scope.
  ///
  /// NB: Restored data may lack conflicts that the device has, and reuses their numbers. So a
  /// device of another epoch gets the conflicts from the first one on.
  private func lastConflict(in scope: ScopeState) -> Int64 {
    max(cursor.epoch == scope.epoch ? cursor.conflictsAfter : 0, conflictStart)
  }

  private func lacksConflicts(of scope: ScopeState) -> Bool {
    start == nil && lastConflict(in: scope) < scope.conflicts
      && request.capabilities.contains(.conflicts)
  }

  /// Returns the next conflicts, and whether there are more.
  private func conflicts(
    in scope: ScopeState, from transaction: some StorageTransaction, _ room: inout PageRoom
  ) throws -> (conflicts: [NumberedConflict], hasMore: Bool) {
    guard lacksConflicts(of: scope) else { return ([], false) }
    guard !room.isFull else { return ([], true) }
    let last = lastConflict(in: scope)
    var conflicts: [NumberedConflict] = []
    let limit = WireLimits.conflictsPerPage
    let found = try transaction.conflicts(
      in: cursor.scope, after: last, limit: limit, bytes: room.bytesToRead)
    for conflict in found {
      guard room.reserve(conflict) else { return (conflicts, true) }
      conflicts.append(conflict)
    }
    return (conflicts, conflicts.last.map { $0.number < scope.conflicts } ?? false)
  }

  // MARK: - Next position

  /// NB: A fetch ends with its last page if no change was made since its first one, as with a scope
  /// that fits on one page. Otherwise a page of changes follows.
  private func next(_ rows: Rows, _ scope: ScopeState) -> PullCursor.Position {
    switch cursor.position {
    case .changes(let seq): return .changes(after: rows.isFull ? rows.last?.seq ?? seq : scope.head)
    case .snapshot(let first, let row):
      let head = first ?? scope.head
      if !rows.isFull, head == scope.head { return .changes(after: head) }
      return .snapshot(head: head, after: rows.last?.row ?? row)
    case .repair(let ranges, let first, let row):
      let head = first ?? scope.head
      if !rows.isFull, head == scope.head { return .changes(after: head) }
      return .repair(ranges: ranges, head: head, after: rows.last?.row ?? row)
    }
  }
}

extension PullCursor.Position {
  fileprivate var isOfChanges: Bool {
    if case .changes = self { true } else { false }
  }
}

extension StorageTransaction {
  /// Returns the digests of a scope's ranges of rows.
  ///
  /// NB: This reads all rows. Only the rare device whose digest differs asks for it.
  fileprivate func rangeDigests(in scope: ScopeID, chunk: Int) throws -> RangeDigests {
    var digests = RangeDigests()
    var last: RowID?
    while true {
      let run = try rows(
        in: scope, after: last, limit: chunk, bytes: WireLimits.rowBytes)
      for row in run.rows { digests.add(row.syncedRow.state, of: row.row) }
      guard run.isCut else { return digests }
      last = run.rows.last?.row
    }
  }
}
