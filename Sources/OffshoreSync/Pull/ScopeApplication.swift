import Offshore
import OffshoreWire

/// The application of one scope's pages: the staged ones, then the last one.
struct ScopeApplication {
  let writer: Writer
  let scope: ScopeID
  private var replaced: RangeSet
  /// The digest of the confirmed rows.
  private(set) var digest: Digest
  /// The latest stamp of all applied rows and fields.
  private(set) var latest: Stamp?
  /// The rows that have arrived, collected only if all other rows are to be removed.
  private var seen: Set<RowID> = []

  init(writer: Writer, scope: ScopeID, cursor: ScopeCursor?) {
    self.writer = writer
    self.scope = scope
    replaced = cursor?.fetch?.replaced ?? RangeSet()
    digest = cursor?.digest ?? Digest()
  }

  mutating func run(_ page: ScopePage, _ application: inout RowApplication) throws {
    // A scope without rows has no rows to remove.
    if !replaced.isEmpty, try !hasRows() { replaced = RangeSet() }
    for staged in try StagedPage.of(scope).order({ $0.key }).all(writer) {
      try apply(try staged.rows, &application)
    }
    try apply(page.rows, &application)
    guard !replaced.isEmpty else { return }
    for row in try RowEntries(writer: writer).rows(of: scope)
    where !seen.contains(row) && (replaced == .all || replaced.contains(row.range)) {
      try confirm(row, nil, &application)
    }
  }

  private func hasRows() throws -> Bool {
    try VersionRow.where { $0.scope == scope }.exists(writer)
  }

  private mutating func apply(_ page: RowPage, _ application: inout RowApplication) throws {
    for table in page.tables { try apply(table, &application) }
  }

  private mutating func apply(_ page: TablePage, _ application: inout RowApplication) throws {
    for row in page.heads.indices {
      let stamp = page.heads[row].stamp
      latest = max(latest ?? stamp, stamp)
    }
    for stamp in page.versions.map(\.stamp) + page.parts.compactMap(\.version) {
      latest = max(latest ?? stamp, stamp)
    }
    if !replaced.isEmpty {
      for head in page.heads { seen.insert(RowID(table: page.table, id: head.id)) }
    }
    guard let table = application.schema.manifest[page.table],
      var fresh = FreshRows(page, of: table, in: scope, writer)
    else {
      application.arrivals[page.table] = nil
      for row in page.rows { try confirm(row.row, row.state, &application) }
      return
    }
    let (known, sum) = try fresh.insert(into: &application)
    let (others, change) = try ChangedRows(fresh).update(known, &application)
    digest = Digest(value: digest.value &+ sum &+ change)
    guard !others.isEmpty else { return }
    let rows = page.rows
    for index in others { try confirm(rows[index].row, rows[index].state, &application) }
  }

  private mutating func confirm(
    _ row: RowID, _ state: RowState?, _ application: inout RowApplication
  ) throws {
    let hash = state.map { $0.isLiving ? $0.hash(of: row) : 0 } ?? 0
    let before = try application.confirm(row, state, hash: hash, in: scope)
    digest = Digest(value: digest.value &- before &+ hash)
  }
}
