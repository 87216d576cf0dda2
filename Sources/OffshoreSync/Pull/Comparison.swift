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
    let rows = try SQL("SELECT tbl, id, hash FROM _row WHERE scope = \(scope.text)")
      .all(writer, as: String.self, String.self, Int64.self)
    for (table, id, hash) in rows {
      sums.add(hash: UInt64(bitPattern: hash), of: RowID(table: table, id: id))
    }
    return sums
  }
}
