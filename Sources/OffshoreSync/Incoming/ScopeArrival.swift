import Offshore
import OffshoreWire

/// A row of `_arrival`: a large new scope, whose rows are shown as they arrive.
///
/// The rows of an ordinary new scope are applied together, when all have arrived. Those of a large one
/// would hold up all other writes meanwhile. So the rows of each page are inserted with it, as far as
/// they fit without others; the rest stays staged, and is tried again or applied by the last step.
/// The record exists until that step.
///
/// Only rows of the snapshot are inserted before the last step. A snapshot has each row once, so the
/// order of its pages does not matter, unlike that of changes.
struct ScopeArrival: Hashable, Identifiable {
  let scope: ScopeID
  /// The number of staged pages that were tried since most rows of one were inserted, or since a page was
  /// fetched. It is `nil` if no more rows are inserted before the last step.
  ///
  /// NB: Most rows, because those of a long chain of references would be inserted one by one, with a
  /// request for each.
  var idle: Int64? = 0

  var id: ScopeID { scope }

  /// The maximum number of staged pages that are tried together.
  static let pagesAtOnce = 2
}

extension ScopeArrival: Record {
  static let table = Table(
    "_arrival", ScopeArrival.init,
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("idle", \.idle)
  ).ofLibrary().withoutRowID()

  /// Creates the table in a file that lacks it.
  static func createIfAbsent(_ writer: Writer) throws {
    if try !hasTable(writer) { try writer.create(table) }
  }

  /// Returns whether a file has the table. Those of former versions lack it.
  static func hasTable(_ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = \(table.name))")
      .first(reader, as: Bool.self) == true
  }

  static func byScope(_ reader: Reader) throws -> [ScopeID: ScopeArrival] {
    Dictionary(
      try all.all(reader).map { ($0.scope, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether pages are staged of which rows may fit.
  func isUnfinished(_ reader: Reader) throws -> Bool {
    guard let idle else { return false }
    return try idle < StagedPage.of(scope).count(reader)
  }

  /// Leaves all further rows of a scope to the last step, because the scope is fetched again.
  static func leaveRest(of scope: ScopeID, _ writer: Writer) throws {
    try SQL("UPDATE _arrival SET idle = NULL WHERE scope = \(scope.text)").run(writer)
  }

  /// Returns whether the app may have tables with foreign keys that are checked only when a transaction
  /// ends. Rows that do not fit without others cannot be recognized then.
  static func hasDeferredReferences(_ reader: Reader) throws -> Bool {
    try SQL(
      """
      SELECT EXISTS (
        SELECT 1 FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%INITIALLY%DEFERRED%')
      """
    ).first(reader, as: Bool.self) == true
  }
}
