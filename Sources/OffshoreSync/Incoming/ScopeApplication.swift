import Offshore
import OffshoreWire

/// The application of one scope's pages: the staged ones, then the last one.
struct ScopeApplication {
  let writer: Writer
  let scope: ScopeID
  private let contents: ScopeContents
  /// Whether nothing of the scope was applied before.
  private let isNew: Bool
  /// Whether the rows of the scope are not shown.
  private let isHidden: Bool
  /// The rows of the last page, if they are prepared.
  private let prepared: [PreparedRows?]?
  /// The results of the insertion of these rows, if they are inserted already.
  private let inserted: [FreshRows.Result?]?
  private var replaced: RangeSet
  /// The digest of the confirmed rows.
  private(set) var digest: Digest
  /// The latest stamp of all applied rows and fields.
  private(set) var latest: Stamp?
  /// The rows that have arrived, collected only if all other rows are to be removed.
  private var seen: Set<RowID> = []

  init(
    writer: Writer, scope: ScopeID, cursor: ScopeCursor?, contents: ScopeContents,
    prepared: [PreparedRows?]? = nil, inserted: [FreshRows.Result?]? = nil
  ) {
    (self.prepared, self.inserted) = (prepared, inserted)
    self.writer = writer
    self.scope = scope
    self.contents = contents
    isNew = cursor.map { $0.epoch == 0 } ?? true
    isHidden = cursor?.isHidden ?? false
    replaced = cursor?.fetch?.replaced ?? RangeSet()
    digest = cursor?.digest ?? Digest()
  }

  mutating func run(_ page: ScopePage, _ application: inout RowApplication) throws {
    // A scope without rows has no rows to remove.
    let former = contents.rows[scope] ?? []
    if former.isEmpty { replaced = RangeSet() }
    for key in contents.pages[scope] ?? [] {
      guard let staged = try StagedPage.at(key).first(writer) else { continue }
      for table in try staged.rows.tables { try apply(table, nil, nil, &application) }
    }
    for (index, table) in page.rows.tables.enumerated() {
      let rows = prepared.flatMap { index < $0.count ? $0[index] : nil }
      try apply(table, rows, inserted?[index], &application)
    }
    for row in former
    where !seen.contains(row) && (replaced == .all || replaced.contains(row.range)) {
      try confirm(row, nil, &application)
    }
  }

  private mutating func apply(
    _ page: TablePage, _ prepared: PreparedRows?, _ inserted: FreshRows.Result?,
    _ application: inout RowApplication
  ) throws {
    if let stamp = page.latest { latest = max(latest ?? stamp, stamp) }
    if !replaced.isEmpty {
      for head in page.heads { seen.insert(RowID(table: page.table, id: head.id)) }
    }
    if case .unknown = prepared, let inserted {
      digest = Digest(value: digest.value &+ inserted.digest)
      return
    }
    guard !isHidden, let table = application.schema.present[page.table],
      let rows = prepared?.known ?? PageRows(page, of: table, in: scope)
    else {
      for row in page.rows { try confirm(row.row, row.state, &application) }
      return
    }
    let result =
      try inserted
      ?? FreshRows([rows], of: table, areNewScopes: isNew, writer).insert(into: &application)[0]
    let (others, change) = try ChangedRows(rows, writer).update(result.others, &application)
    digest = Digest(value: digest.value &+ result.digest &+ change)
    guard !others.isEmpty else { return }
    let all = page.rows
    for index in others { try confirm(all[index].row, all[index].state, &application) }
  }

  private mutating func confirm(
    _ row: RowID, _ state: RowState?, _ application: inout RowApplication
  ) throws {
    let hash = state.map { $0.isLiving ? $0.hash(of: row) : 0 } ?? 0
    let before = try application.confirm(row, state, hash: hash, in: scope)
    digest = Digest(value: digest.value &- before &+ hash)
  }
}

/// The copy of a scope's rows that stays on the device after the account has left the scope.
struct LeftCopy {
  let merge: Merge
  let writer: Writer
  let scope: ScopeID
  /// The current time of the device's clock, in milliseconds since 1970.
  let now: Int64

  /// Merges the applied batches into the copy, and stores them among the sent ones: if the server's data
  /// is restored from a copy, the account leaves the scope again.
  ///
  /// No page will bring their changes. If they moved a row to another scope, the row does not show
  /// there any more.
  /// - Returns: the rows whose pending ops have changed.
  func mergeApplied() throws -> Set<RowID> {
    let applied = try SealedBatch.inOrder(of: scope).where { $0.phase == .applied }.all(writer)
    let ops = PendingOps(applied)
    let entries = RowEntries(writer: writer)
    for row in ops.entries.keys.sorted() {
      guard let shadow = try entries.all(of: row)[scope]?.shadow else { continue }
      let confirmed = shadow.confirmed.map { [scope: $0] } ?? [:]
      let state = ops.shown(row, over: confirmed, merge) { $0 == scope }[scope]
      try entries.save(
        RowEntry.Shadow(confirmed: state, reason: shadow.reason), of: row, in: scope)
    }
    for batch in applied {
      if batch.isDone {
        try batch.delete(writer)
      } else {
        try SentBatches(writer: writer).add(batch, at: now)
      }
    }
    return Set(ops.entries.keys)
  }
}
