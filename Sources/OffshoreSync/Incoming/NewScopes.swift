import Offshore
import OffshoreWire

/// The application of the pages of an answer, of which those of new scopes are inserted together.
extension PullIntake {
  mutating func apply(
    _ pages: [(answer: ScopeAnswer, page: ScopePage)], _ contents: ScopeContents,
    _ clock: inout HybridClock, _ application: inout RowApplication
  ) throws {
    let new = newScopes(of: pages, contents)
    // If a row has moved to a new scope, the former scope comes first.
    for (answer, page) in pages where !new.contains(answer.scope) {
      try apply(page, answer, contents, &clock, &application)
    }
    let inserted = try insertRows(of: new, into: &application)
    for (answer, page) in pages where new.contains(answer.scope) {
      try apply(page, answer, contents, inserted: inserted[answer.scope], &clock, &application)
    }
  }

  private mutating func apply(
    _ page: ScopePage, _ answer: ScopeAnswer, _ contents: ScopeContents,
    inserted: [FreshRows.Result?]? = nil, _ clock: inout HybridClock,
    _ application: inout RowApplication
  ) throws {
    let scope = answer.scope
    var applying = ScopeApplication(
      writer: writer, scope: scope, cursor: cursors[scope], contents: contents,
      prepared: prepared?.rows(of: scope), inserted: inserted)
    try applying.run(page, &application)
    if let latest = applying.latest { clock.observe(latest, at: now) }
    for key in contents.pages[scope] ?? [] { try StagedPage.at(key).delete(writer) }
    try advance(answer, page, applying.digest)
  }

  /// Returns the scopes of which nothing was applied before, and whose rows all are prepared.
  private func newScopes(
    of pages: [(answer: ScopeAnswer, page: ScopePage)], _ contents: ScopeContents
  ) -> Set<ScopeID> {
    Set(
      pages.map(\.answer.scope).filter { scope in
        cursors[scope]?.epoch == 0 && cursors[scope]?.isHidden == false
          && contents.pages[scope] == nil
          && prepared?.rows(of: scope) != nil
      })
  }

  /// Inserts the prepared rows of new scopes, those of each table together.
  /// - Returns: for each scope, the results in the order of its tables.
  private func insertRows(
    of scopes: Set<ScopeID>, into application: inout RowApplication
  ) throws -> [ScopeID: [FreshRows.Result?]] {
    typealias Place = (scope: ScopeID, index: Int, rows: PageRows)
    var results: [ScopeID: [FreshRows.Result?]] = [:]
    var places: [String: [Place]] = [:]
    var unknown: [String: [UnknownRows]] = [:]
    for scope in scopes.sorted() {
      let tables = prepared?.rows(of: scope) ?? []
      results[scope] = tables.map { _ in nil }
      for (index, rows) in tables.enumerated() {
        switch rows {
        case .known(let rows):
          places[rows.table.name, default: []].append((scope, index, rows))
        case .unknown(let rows):
          unknown[rows.table, default: []].append(rows)
          results[scope]?[index] = FreshRows.Result(digest: rows.digest)
        case nil: continue
        }
      }
    }
    for (table, rows) in unknown { try UnknownRows.insert(rows, of: table, writer) }
    for rows in unknown[MemberRow.table] ?? [] { application.recordMembers(of: rows.scope) }
    for table in replica.schema.present.tables {
      guard let places = places[table.name] else { continue }
      let fresh = FreshRows(places.map(\.rows), of: table, areNewScopes: true, writer)
      for (place, result) in zip(places, try fresh.insert(into: &application)) {
        results[place.scope]?[place.index] = result
      }
    }
    return results
  }
}
