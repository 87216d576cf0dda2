import Offshore
import OffshoreWire

/// Compares the sum of a scope's rows with the server's, and says what is fetched where it differs.
///
/// First the sums of ranges are asked for, then the rows of those ranges that differ, then all rows.
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
    // The sum that was kept may be wrong, and the rows right.
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
    let rows = try SQL("SELECT tbl, id, hash FROM _row WHERE scope = \(scope.text)")
      .all(writer, as: String.self, String.self, Int64.self)
    for (table, id, hash) in rows {
      sums.add(hash: UInt64(bitPattern: hash), of: RowID(table: table, id: id))
    }
    return sums
  }
}
