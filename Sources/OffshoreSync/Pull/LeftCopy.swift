import Foundation
import Offshore
import OffshoreWire

/// Settles the copy that stays of a scope which the account has left.
///
/// No page is going to tell what the last applied batches did. So the copy keeps what they made of
/// it, and they do not show any more: not in another scope either, to which they may have moved a row.
struct LeftCopy {
  let merge: Merge
  let writer: Writer
  let scope: ScopeID

  /// - Returns: the rows whose ops have changed.
  func settle() throws -> Set<RowID> {
    let applied = try SealedBatch.all(
      where: """
        scope = \(scope.text) AND phase = \(SealedBatch.Phase.applied.rawValue)
        """, writer)
    let ops = PendingOps(applied)
    let entries = RowEntries(writer: writer)
    for row in ops.entries.keys.sorted() {
      guard let shadow = try entries.all(of: row)[scope]?.shadow else { continue }
      let confirmed = shadow.confirmed.map { [scope: $0] } ?? [:]
      let state = ops.shown(row, over: confirmed, merge) { $0 == scope }[scope]
      try entries.save(
        RowEntry.Shadow(confirmed: state, reason: shadow.reason), of: row, in: scope)
    }
    for batch in applied { try batch.remove(writer) }
    return Set(ops.entries.keys)
  }
}
