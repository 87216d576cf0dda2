import Offshore
import OffshoreWire

/// The copy of a scope's rows that stays on the device after the account has left the scope.
struct LeftCopy {
  let merge: Merge
  let writer: Writer
  let scope: ScopeID

  /// Merges the applied batches into the copy, and removes the batches.
  ///
  /// No page will bring their changes. If they moved a row to another scope, the row does not show
  /// there any more.
  /// - Returns: the rows whose pending ops have changed.
  func mergeApplied() throws -> Set<RowID> {
    let applied = try SealedBatch.inOrder(of: scope).where { $0.phase == .applied }.all(writer)
    let ops = PendingOps(applied)
    let entries = RowEntries(writer: writer)
    for row in ops.entries.keys.sorted() {
      guard let shadow = try entries.all(of: row)[scope]?.shadow else { continue }
      let confirmed = shadow.confirmed.map { [scope: $0] } ?? [:]
      let state = ops.shown(row, over: confirmed, merge) { $0 == scope }[scope]
      try entries.save(
        RowEntry.Shadow(confirmed: state, reason: shadow.reason), of: row, in: scope)
    }
    for batch in applied { try batch.delete(writer) }
    return Set(ops.entries.keys)
  }
}
