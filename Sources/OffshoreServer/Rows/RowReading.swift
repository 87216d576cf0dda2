import OffshoreWire

/// The scope and the id of a row. Pages contain the rows of a table in the order of their places.
struct RowPlace: Hashable, Sendable {
  let scope: ScopeID
  let id: String

  init(_ scope: ScopeID, _ id: String) {
    self.scope = scope
    self.id = id
  }

  /// Parses the text of a place.
  /// - Throws: `ResourceError` with the code `malformed` for a text that is not the ``text`` of a
  ///   place.
  init(_ text: String) throws(ResourceError) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3,
      let scope = try? ScopeID(kind: String(parts[0]), value: String(parts[1]))
    else { throw .malformed("Send as “after” what a page has as “next”.", field: "after") }
    self.init(scope, String(parts[2]))
  }

  /// The scope, a slash and the id, for example `list/7/3`.
  var text: String { "\(scope.text)/\(id)" }
}

/// Read access to the rows of a table, for a client without a local copy of them.
struct RowReading: Sendable {
  let table: SyncedTable
  let account: AccountID
  /// The rules by which accounts read scopes of others.
  let access: AccessRules

  /// A page of rows in their order, and the place after which the next one begins.
  struct Page: Sendable {
    fileprivate(set) var rows: [(scope: ScopeID, row: SyncedRow)] = []
    /// The last place that was examined, or `nil` if the page is the last one.
    fileprivate(set) var next: RowPlace?
    private var bytes = 0
    private var examined = 0

    /// The largest number of places that a page examines, including tombstones.
    private static let effort = 10_000

    /// Adds a row that exists, or passes over a tombstone.
    /// - Returns: whether the page has room for the row.
    mutating func append(_ row: SyncedRow, in scope: ScopeID, limit: Int) -> Bool {
      guard examined < Self.effort else { return false }
      if row.state.isLiving {
        let size = bytes + row.state.byteCount
        guard rows.isEmpty || rows.count < limit && size <= WireLimits.rowBytes else {
          return false
        }
        bytes = size
        rows.append((scope, row))
      }
      examined += 1
      next = RowPlace(scope, row.row.id)
      return true
    }
  }

  /// The largest number of rows in a page.
  static let maximumLimit = 1_000

  /// The number of rows that are read at a time.
  private static let chunk = 100

  // MARK: - One row

  /// Returns a row that exists.
  /// - Throws: `ResourceError`: 404 if the row does not exist or may not be read, 410 if it has a
  ///   tombstone and the account is a member; any error of the storage.
  func row(_ place: RowPlace, from transaction: some StorageTransaction) throws -> SyncedRow {
    guard let grant = try grant(in: place.scope, transaction),
      let row = try transaction.row(RowID(table: table.name, id: place.id), in: place.scope)
    else { throw ResourceError.notFound }
    guard row.state.isLiving else {
      throw access.isDerived(grant, of: account) ? ResourceError.notFound : .gone
    }
    return row
  }

  /// Returns the grant by which the account reads a scope of the table, or `nil` if it may not.
  private func grant(
    in scope: ScopeID, _ transaction: some StorageTransaction
  ) throws -> Grant? {
    guard scope.kind == table.scopeKind,
      let grant = try transaction.grant(of: account, in: scope), grant.role.canRead
    else { return nil }
    return grant
  }

  // MARK: - Pages

  /// Returns a page of the rows in a scope, or in all scopes that the account may read.
  /// - Throws: `ResourceError` with 404 if the account may not read the scope; any error of the
  ///   storage.
  func page(
    in scope: ScopeID?, after place: RowPlace?, limit: Int,
    from transaction: some StorageTransaction
  ) throws -> Page {
    var page = Page()
    for scope in try scopes(scope, transaction) where place.map({ scope >= $0.scope }) ?? true {
      let first = place?.scope == scope ? place?.id : nil
      guard try append(scope, after: first ?? "", limit, to: &page, transaction) else {
        return page
      }
    }
    page.next = nil
    return page
  }

  private func scopes(_ scope: ScopeID?, _ transaction: some StorageTransaction) throws -> [ScopeID]
  {
    if let scope {
      guard try grant(in: scope, transaction) != nil else { throw ResourceError.notFound }
      return [scope]
    }
    return try transaction.grants(of: account, after: 0)
      .filter { $0.role.canRead && $0.scope.kind == table.scopeKind }.map(\.scope).sorted()
  }

  /// Appends the rows of a scope to a page.
  /// - Returns: whether the page has room for the rows of another scope.
  private func append(
    _ scope: ScopeID, after id: String, _ limit: Int, to page: inout Page,
    _ transaction: some StorageTransaction
  ) throws -> Bool {
    var last = id
    while true {
      let run = try transaction.rows(
        of: table.name, in: scope, after: last, limit: Self.chunk, bytes: WireLimits.rowBytes)
      for row in run.rows {
        guard page.append(row.syncedRow, in: scope, limit: limit) else { return false }
        last = row.row.id
      }
      guard run.isCut else { return true }
    }
  }
}
