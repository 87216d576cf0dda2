import Offshore
import OffshoreWire

/// The comparison of a scope's digest with the server's, which plans a repair if they differ.
///
/// A repair first requests the digests of ranges, then the rows of the ranges that differ, then all
/// rows of the scope. If that does not help, it begins again with the next change.
struct Comparison {
  let writer: Writer

  func run(_ cursor: inout ScopeCursor, _ page: ScopePage) throws {
    guard cursor.digest != page.digest else {
      cursor.doubt = .none
      return
    }
    switch cursor.doubt {
    case .none: cursor.doubt = .asking
    case .asking: try repair(&cursor, page)
    case .repairing:
      cursor.doubt = .replacing
      cursor.repairs += 1
      cursor.restart(epoch: cursor.epoch)
    case .replacing: cursor.doubt = .lasting
    case .lasting: if page.rows.count > 0 { cursor.doubt = .asking }
    }
  }

  private func repair(_ cursor: inout ScopeCursor, _ page: ScopePage) throws {
    guard let theirs = page.rangeDigests else { return }
    let ours = try sums(of: cursor.scope)
    // The stored digest may be wrong although the rows are right.
    cursor.digest = ours.total
    guard ours.total != page.digest else {
      cursor.doubt = .none
      return
    }
    cursor.doubt = .repairing
    cursor.repairs += 1
    cursor.repair(ours.ranges(differingFrom: theirs))
  }

  private func sums(of scope: ScopeID) throws -> RangeDigests {
    var sums = RangeDigests()
    let rows = try VersionRow.where { $0.scope == scope }
      .select({ (row: RowID(table: $0, id: $1), hash: $2) }) { row in
        row.tableName
        row.id
        row.hash
      }.all(writer)
    for (row, hash) in rows { sums.add(hash: hash, of: row) }
    return sums
  }
}
