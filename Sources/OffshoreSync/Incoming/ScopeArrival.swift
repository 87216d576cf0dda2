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
  /// The number of staged pages that were tried since a row was last inserted. It is `nil` if no more
  /// rows are inserted before the last step.
  var idle: Int64? = 0

  var id: ScopeID { scope }

  /// The number of staged pages that are left to the last step.
  static let fewPages = 2
}

extension ScopeArrival: Record {
  static let table = Table(
    "_arrival", ScopeArrival.init,
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("idle", \.idle)
  ).ofLibrary().withoutRowID()

  /// Creates the table in a file that lacks it.
  static func createIfAbsent(_ writer: Writer) throws {
    let exists = try SQL(
      "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = \(table.name))"
    ).first(writer, as: Bool.self)
    if exists != true { try writer.create(table) }
  }

  static func byScope(_ reader: Reader) throws -> [ScopeID: ScopeArrival] {
    Dictionary(
      try all.all(reader).map { ($0.scope, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether so many rows are staged that some are to be inserted before the last step, and some
  /// may fit.
  func isUnfinished(_ reader: Reader) throws -> Bool {
    guard let idle else { return false }
    let count = try StagedPage.of(scope).count(reader)
    return count > Self.fewPages && idle < count
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
        SELECT 1 FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%DEFERRED%')
      """
    ).first(reader, as: Bool.self) == true
  }
}
