import OffshoreWire

extension ChangeLogReader {
  /// How many rows are read at once.
  private static var chunk: Int { 500 }

  /// What the rows of a scope add up to in each range.
  ///
  /// NB: This reads all of them. It is for the rare device whose sum was another.
  func rangeDigests(in scope: ScopeID) throws -> RangeDigests {
    var digests = RangeDigests()
    var last: RowID?
    while true {
      let run = try rows(
        in: scope, after: last, limit: Self.chunk, bytes: WireLimits.rowBytes)
      for row in run.rows { digests.add(row.synced.state, of: row.row) }
      guard run.isCut else { return digests }
      last = run.rows.last?.row
    }
  }
}
