package import OffshoreWire

/// An answer to a pull, with the ``PageRows`` of those pages that are applied when it arrives.
package struct PreparedAnswer: Sendable {
  package let response: PullResponse
  /// The rows of each table's page, by scope and in the order of the pages.
  private let rows: [ScopeID: [PageRows?]]

  /// - Parameter manifest: the manifest of the device's schema.
  package init(_ response: PullResponse, _ manifest: Manifest) {
    self.response = response
    var rows: [ScopeID: [PageRows?]] = [:]
    // Rows are found by their scope, so an answer with two pages of one scope is not prepared.
    let hasOnePageEach = Set(response.scopes.map(\.scope)).count == response.scopes.count
    for answer in response.scopes where hasOnePageEach {
      // The pages of a scope that is not complete are stored as they are.
      guard case .page(let page) = answer.content, !page.isCut else { continue }
      rows[answer.scope] = page.rows.tables.map { table in
        manifest[table.table].flatMap { PageRows(table, of: $0, in: answer.scope) }
      }
    }
    self.rows = rows
  }

  /// Returns the rows of each table's page of a scope, or `nil` if they are not prepared.
  func rows(of scope: ScopeID) -> [PageRows?]? { rows[scope] }
}
