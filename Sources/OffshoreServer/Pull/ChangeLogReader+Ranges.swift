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
      let rows = try rows(in: scope, after: last, limit: Self.chunk)
      for row in rows { digests.add(row.state, of: row.row) }
      if rows.count < Self.chunk { return digests }
      last = rows.last?.row
    }
  }
}
