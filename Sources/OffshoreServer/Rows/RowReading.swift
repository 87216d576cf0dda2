import OffshoreWire

/// Read access to the rows of a table, for a client without a local copy of them.
struct RowReading<Log: ChangeLogReader> {
  let table: SyncedTable
  let account: AccountID
  let log: Log

  /// A page of rows in their order, and the place after which the next one begins.
  struct Page: Sendable {
    var rows: [(scope: ScopeID, row: SyncedRow)] = []
    /// The last place that was examined, or `nil` if the page is the last one.
    var next: RowPlace?
    fileprivate var bytes = 0
    fileprivate var lookedAt = 0
  }

  /// The largest number of rows in a page.
  static var maximumLimit: Int { 1_000 }

  /// The number of rows that are read at a time, and that a page examines at most, including tombstones.
  private static var chunk: Int { 100 }
  private static var effort: Int { 10_000 }

  // MARK: - One row

  /// Returns a row that exists.
  /// - Throws: `ResourceError`: 404 if the row does not exist or may not be read, 410 if it has a
  ///   tombstone; any error of the log.
  func row(_ place: RowPlace) throws -> SyncedRow {
    guard try canRead(place.scope),
      let row = try log.row(RowID(table: table.name, id: place.id), in: place.scope)
    else { throw ResourceError.notFound }
    guard row.state.isLiving else { throw ResourceError.gone }
    return row
  }

  private func canRead(_ scope: ScopeID) throws -> Bool {
    try scope.kind == table.scopeKind && log.grant(of: account, in: scope)?.role.canRead == true
  }

  // MARK: - Pages

  /// Returns a page of the rows in a scope, or in all scopes that the account may read.
  /// - Throws: `ResourceError` with 404 if the account may not read the scope; any error of the
  ///   log.
  func page(in scope: ScopeID?, after place: RowPlace?, limit: Int) throws -> Page {
    var page = Page()
    for scope in try scopes(scope) where place.map({ scope >= $0.scope }) ?? true {
      let first = place?.scope == scope ? place?.id : nil
      guard try take(from: scope, after: first ?? "", limit, &page) else { return page }
    }
    page.next = nil
    return page
  }

  private func scopes(_ scope: ScopeID?) throws -> [ScopeID] {
    if let scope {
      guard try canRead(scope) else { throw ResourceError.notFound }
      return [scope]
    }
    return try log.grants(of: account, after: 0)
      .filter { $0.role.canRead && $0.scope.kind == table.scopeKind }.map(\.scope).sorted()
  }

  /// Appends the rows of a scope to a page.
  /// - Returns: whether the page has room for the rows of another scope.
  private func take(
    from scope: ScopeID, after id: String, _ limit: Int, _ page: inout Page
  ) throws -> Bool {
    var last = RowID(table: table.name, id: id)
    while true {
      let run = try log.rows(
        in: scope, after: last, limit: Self.chunk, bytes: WireLimits.rowBytes)
      for row in run.rows {
        guard row.row.table == table.name else { return true }
        guard Self.take(row.synced, in: scope, limit, &page) else { return false }
        last = row.row
      }
      guard run.isCut else { return true }
    }
  }

  private static func take(
    _ row: SyncedRow, in scope: ScopeID, _ limit: Int, _ page: inout Page
  ) -> Bool {
    guard page.lookedAt < effort else { return false }
    if row.state.isLiving {
      let bytes = page.bytes + row.state.byteCount
      guard page.rows.isEmpty || page.rows.count < limit && bytes <= WireLimits.rowBytes else {
        return false
      }
      page.bytes = bytes
      page.rows.append((scope, row))
    }
    page.lookedAt += 1
    page.next = RowPlace(scope, row.row.id)
    return true
  }
}
