package import OffshoreWire

/// An answer to a pull, with the rows of those pages that are applied or inserted when it arrives.
package struct PreparedAnswer: Sendable {
  package let response: PullResponse
  /// The rows of each table's page, by scope and in the order of the pages.
  private let rows: [ScopeID: [PreparedRows?]]

  /// - Parameter manifest: the manifest of the device's schema.
  package init(_ response: PullResponse, _ manifest: Manifest) {
    self.response = response
    var rows: [ScopeID: [PreparedRows?]] = [:]
    // Rows are found by their scope, so an answer with two pages of one scope is not prepared.
    let hasOnePageEach = Set(response.scopes.map(\.scope)).count == response.scopes.count
    for answer in response.scopes where hasOnePageEach {
      // Pages of changes after which others follow are stored as they are. Those of a snapshot are mostly
      // inserted, because the scope is large.
      guard case .page(let page) = answer.content, !page.isCut || page.isOfSnapshot else {
        continue
      }
      rows[answer.scope] = page.rows.tables.map {
        PreparedRows($0, manifest, in: answer.scope)
      }
    }
    self.rows = rows
  }

  /// Returns the rows of each table's page of a scope, or `nil` if they are not prepared.
  func rows(of scope: ScopeID) -> [PreparedRows?]? { rows[scope] }
}

/// The prepared rows of a page: those of a table of the app, or of one that it does not know.
enum PreparedRows: Sendable {
  case known(PageRows)
  case unknown(UnknownRows)

  /// - Returns: `nil` if the rows of a known table have to be applied one by one.
  init?(_ page: TablePage, _ manifest: Manifest, in scope: ScopeID) {
    guard let table = manifest[page.table] else {
      self = .unknown(UnknownRows(page, in: scope))
      return
    }
    guard let rows = PageRows(page, of: table, in: scope) else { return nil }
    self = .known(rows)
  }

  var known: PageRows? { if case .known(let rows) = self { rows } else { nil } }
}
