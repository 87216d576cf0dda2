import OffshoreWire

extension ChangeLogReader {
  /// The number of rows that are read at a time.
  private static var chunk: Int { 500 }

  /// Returns the digests of a scope's ranges of rows.
  ///
  /// NB: This reads all rows. Only the rare device whose digest differs asks for it.
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
