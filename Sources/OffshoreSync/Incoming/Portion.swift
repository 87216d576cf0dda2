import Offshore
import OffshoreWire

/// Rows of large new scopes that are inserted within one write, before the rest of their scopes.
///
/// Only rows are inserted that are new to this device and fit without others. So no row changes or hides
/// another one, and the references of all rows are valid when the write ends.
struct Portion {
  /// The outcome of a page.
  struct Result {
    /// The rows that were not inserted.
    var rest = RowPage()
    /// The number of rows that were inserted.
    var count = 0
    /// The sum of their hashes.
    var digest: UInt64 = 0
    /// The number of rows that were tried.
    var tried = 0

    /// Whether more than half of the rows that were tried were inserted.
    var isMostlyInserted: Bool { 2 * count > tried }
  }

  /// The maximum number of rows of a page that are tried one by one, which takes several statements
  /// each: rows of a table with a column that consists of several fields, and of a page that lacks a column.
  static let rowsAlone = 500
  /// The work of such a row, if that of a row among many is 1.
  private static let workAlone = 4

  private(set) var application: RowApplication
  /// The latest stamp of all rows and fields.
  private(set) var latest: Stamp?
  /// The work of all rows that were tried, in rows.
  private(set) var work = 0
  private let schema: SyncSchema
  private let writer: Writer
  /// The places of the app's tables, those first to which others refer.
  private let places: [String: Int]

  /// - Parameter application: an application that has recorded nothing.
  init(_ application: RowApplication) throws {
    (schema, writer) = (application.schema, application.writer)
    var application = application
    application.mayDefer = false
    self.application = application
    places = Dictionary(
      schema.present.tables.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
    try checkReferencesAtOnce()
  }

  /// Ends the postponement of checks that the application of other scopes has begun.
  ///
  /// NB: While rows are dangling, it would make SQLite forget them.
  private func checkReferencesAtOnce() throws {
    guard try SQL("PRAGMA defer_foreign_keys").first(writer, as: Bool.self) == true,
      !writer.connection.hasDanglingReferences
    else { return }
    try SQL("PRAGMA defer_foreign_keys = OFF").run(writer)
  }

  /// Inserts the rows of a page that are new to this device and fit.
  /// - Parameters:
  ///   - prepared: the rows of each table, if they are prepared.
  ///   - work: the least work that the page counts as.
  mutating func insert(
    _ page: RowPage, of scope: ScopeID, prepared: [PreparedRows?]? = nil, work least: Int = 0
  ) throws -> Result {
    var result = Result()
    var rest: [SyncedRow] = []
    var alone = 0
    for index in order(of: page.tables) {
      let table = page.tables[index]
      if let stamp = table.latest { latest = max(latest ?? stamp, stamp) }
      let rows =
        prepared.flatMap { index < $0.count ? $0[index] : nil }
        ?? PreparedRows(table, schema.present, in: scope)
      switch rows {
      case .unknown(let rows)?:
        try UnknownRows.insert([rows], of: rows.table, writer)
        if rows.table == MemberRow.table { application.recordMembers(of: scope) }
        result.digest &+= rows.digest
        result.count += table.count
        result.tried += table.count
      case .known(let rows)?:
        rest += try insert(rows, &result)
        result.tried += table.count
      case nil:
        let rows = table.rows
        let tried = rows.prefix(Self.rowsAlone - alone)
        for row in tried where try !insert(row, of: scope, &result) { rest.append(row) }
        rest += rows.dropFirst(tried.count)
        result.tried += tried.count
        alone += tried.count
      }
    }
    // A page of which nothing was inserted is not encoded again.
    result.rest = result.count == 0 ? page : RowPage(rest)
    work += max(least, result.tried + (Self.workAlone - 1) * alone)
    return result
  }

  private func order(of tables: [TablePage]) -> [Int] {
    func place(_ index: Int) -> Int { places[tables[index].table] ?? .max }
    return tables.indices.sorted { (place($0), $0) < (place($1), $1) }
  }

  /// - Returns: the rows that were not inserted.
  private mutating func insert(_ rows: PageRows, _ result: inout Result) throws -> [SyncedRow] {
    let fresh = FreshRows([rows], of: rows.table, areNewScopes: true, writer)
    let inserted = try fresh.insert(into: &application)[0]
    result.digest &+= inserted.digest
    result.count += rows.rows.count - inserted.others.count
    guard !inserted.others.isEmpty else { return [] }
    let all = rows.page.rows
    var rest: [SyncedRow] = []
    // Tombstones, for example, are not part of the bulk.
    for row in inserted.others
    where try row.isWhole || !insert(all[row.index], of: rows.scope, &result) {
      rest.append(all[row.index])
    }
    return rest
  }

  /// - Returns: whether the row was inserted.
  private mutating func insert(
    _ row: SyncedRow, of scope: ScopeID, _ result: inout Result
  ) throws -> Bool {
    let hash = row.state.isLiving ? row.state.hash(of: row.row) : 0
    guard try application.insertAlone(row.row, row.state, hash: hash, in: scope) else {
      return false
    }
    result.digest &+= hash
    result.count += 1
    return true
  }
}

extension TablePage {
  /// The latest stamp of the rows and fields, or `nil` if there are none.
  var latest: Stamp? {
    [
      heads.lazy.map(\.stamp).max(), versions.lazy.map(\.stamp).max(),
      parts.lazy.compactMap(\.version).max(),
    ].compactMap(\.self).max()
  }
}
