package import OffshoreWire

/// An answer to a pull, with the rows of those pages that are applied when it arrives.
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
      // The pages of a scope that is not complete are stored as they are.
      guard case .page(let page) = answer.content, !page.isCut else { continue }
      rows[answer.scope] = page.rows.tables.map { table in
        guard let known = manifest[table.table] else {
          return .unknown(UnknownRows(table, in: answer.scope))
        }
        return PageRows(table, of: known, in: answer.scope).map { .known($0) }
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

  var known: PageRows? { if case .known(let rows) = self { rows } else { nil } }
}
