package import Foundation
package import Offshore
package import OffshoreWire

/// The sealed batches of which no server has anything: they were never part of a request, or were refused.
struct UnsentBatches {
  private let reader: Reader
  private var cursors: [ScopeID: ScopeCursor] = [:]

  init(_ reader: Reader) { self.reader = reader }

  mutating func contains(_ sealed: SealedBatch) throws -> Bool {
    switch sealed.phase {
    case .applied: return false
    case .postponed: return true
    case .waiting: break
    }
    guard !sealed.followsRestore else { return false }
    let cursor = try cursors[sealed.scope] ?? ScopeCursor.of(sealed.scope, reader)
    cursors[sealed.scope] = cursor
    return cursor.device == sealed.device && sealed.number > cursor.offered
  }

  /// Removes ops from batches that are still unsent.
  /// - Parameter isRemoved: returns whether an op is removed.
  static func remove(
    from batches: [SealedBatch], _ writer: Writer, where isRemoved: (Op) -> Bool
  ) throws {
    try replace(batches, writer) { $0.without(where: isRemoved) }
  }

  /// Replaces batches that are still unsent by others, or deletes them.
  static func replace(
    _ batches: [SealedBatch], _ writer: Writer, by other: (SealedBatch) throws -> SealedBatch?
  ) throws {
    var empty: [SealedBatch] = []
    for sealed in batches {
      if let other = try other(sealed) {
        try other.save(writer)
      } else if sealed.phase == .postponed {
        try sealed.delete(writer)
      } else {
        empty.append(sealed)
      }
    }
    // NB: At last, because it numbers the others again.
    try BatchQueue.cancel(empty, writer)
  }
}

extension Replica {
  /// Computes the visible state of rows again.
  ///
  /// All captured changes have to be sealed before, because the shown rows become confirmed states.
  /// - Parameter touch: marks the rows.
  func recompute(
    _ writer: Writer, at now: Int64, _ touch: (inout RowApplication) throws -> Void
  ) throws {
    let cursors = try cursors(writer)
    try writer.applying {
      var application = try application(writer, cursors, at: now)
      try touch(&application)
      try application.finish()
      try derive(from: application, writer)
    }
  }

  /// Undoes sealed changes of rows that no server has, together with the later changes of these rows. Unless
  /// only deletions are undone, these include refused insertions that have stayed in their places.
  /// - Parameter isDeletion: whether only the deletions of the rows are undone.
  /// - Returns: `false` if the server may have one of the changes, or if later changes build on one:
  ///   other rows refer to an inserted one, or a deleted one was inserted again.
  package func takeBack(
    _ rows: Set<RowID>, isDeletion: Bool, _ writer: Writer, at now: Int64, makeID: () -> UUID
  ) throws -> Bool {
    // NB: Rows are computed again, and captured changes of others must not be lost.
    try sealAll(writer, at: now, makeID: makeID)
    let batches = try SealedBatch.pending.order { $0.key }.all(writer)
      .filter { $0.batch.ops.contains { rows.contains($0.row) } }
    let kept = isDeletion ? [] : try keptInPlace(rows, writer)
    let inserted = Set(
      batches.flatMap { $0.batch.ops.filter { rows.contains($0.row) && $0.kind == .put } }
        .map(\.row) + kept.map(\.row))
    guard !isDeletion || inserted.isEmpty else { return false }
    let isTakenBack = { (op: Op) in
      rows.contains(op.row) && (!isDeletion || op.kind == .delete)
    }
    let affected = batches.filter { $0.batch.ops.contains(where: isTakenBack) }
    var unsent = UnsentBatches(writer)
    guard !affected.isEmpty || !kept.isEmpty,
      try affected.allSatisfy({ try unsent.contains($0) })
    else { return false }
    let visible = VisibleRows(schema: schema, writer: writer)
    for row in inserted
    where try visible.referrers(to: row).contains(where: { !rows.contains($0) }) {
      return false
    }
    try UnsentBatches.remove(from: affected, writer, where: isTakenBack)
    for refusal in kept { try StoredRefusal.where { $0.number == refusal.number }.delete(writer) }
    try recompute(writer, at: now) { for row in rows { try $0.touch(row) } }
    if !kept.isEmpty {
      // A change that one of them had superseded can be made again.
      try LostChanges(replica: self, writer: writer, device: try ReplicaState(writer).device)
        .settle(after: rows)
    }
    return true
  }

  /// Returns the refused insertions of rows that have stayed in their places.
  private func keptInPlace(_ rows: Set<RowID>, _ reader: Reader) throws -> [StoredRefusal] {
    try StoredRefusal.kept(schema, reader, of: rows).filter { refusal in
      guard let number = refusal.number else { return false }
      return try StoredRefusal.inPlace(number, of: refusal.row, schema, reader) != nil
    }
  }
}
