import Offshore
import OffshoreWire

/// The rows of a page for a table that this version of the app does not know, as they are stored: with
/// their values in their versions.
///
/// Like ``PageRows`` they are computed from the page alone, outside of the write.
final class UnknownRows: Sendable {
  let table: String
  let scope: ScopeID
  private let rows: [(id: String, version: [UInt8], hash: UInt64)]

  init(_ page: TablePage, in scope: ScopeID) {
    (table, self.scope) = (page.table, scope)
    rows = page.rows.map { row in
      (
        row.row.id, RowVersion(row.state, in: nil).encoded(),
        row.state.isLiving ? row.state.hash(of: row.row) : 0
      )
    }
  }

  /// The sum of the hashes.
  var digest: UInt64 { rows.reduce(0) { $0 &+ $1.hash } }

  /// Stores the rows of new scopes, all of one table, in the order of their ids.
  static func insert(_ pages: [UnknownRows], of table: String, _ writer: Writer) throws {
    let rows = pages.flatMap { page in
      page.rows.map { [scope = page.scope.text] row in (row.id, scope, row.version, row.hash) }
    }
    try VersionRow.store(
      rows.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { ($0.0, $0.1, $0.2, $0.3) }, of: table,
      writer)
  }
}
