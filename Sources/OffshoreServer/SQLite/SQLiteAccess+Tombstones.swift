public import Offshore
public import OffshoreWire

extension SQLiteAccess: TombstoneWriter where Access == Writer {
  public func lastTombstones() throws -> [ScopeID: Int64] {
    let found = try SQL(
      #"SELECT scope, max(seq) FROM "row" WHERE presence <> 0 GROUP BY scope"#
    ).all(access, as: String.self, Int64.self)
    return Dictionary(uniqueKeysWithValues: try found.map { (try ScopeID($0), $1) })
  }

  public func tombstoneMarks() throws -> [TombstoneMark] {
    try SQL("SELECT scope, seq, time FROM tombstone_mark ORDER BY scope, seq")
      .all(access, as: String.self, Int64.self, Int64.self)
      .map { scope, seq, time in TombstoneMark(try ScopeID(scope), seq: seq, time: time) }
  }

  public func addTombstoneMark(_ mark: TombstoneMark) throws {
    try SQL(
      """
      INSERT INTO tombstone_mark(scope, seq, time)
      VALUES (\(mark.scope.text), \(mark.seq), \(mark.time))
      """
    ).run(access)
  }

  public func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) throws {
    try SQL("DELETE FROM tombstone_mark WHERE scope = \(scope.text) AND seq <= \(seq)").run(access)
  }
}
