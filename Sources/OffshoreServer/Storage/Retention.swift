package import OffshoreWire

/// The lifetime of tombstones.
///
/// The stamp of a tombstone has the time of the deletion, which may reach the server much later. So
/// the server regularly stores a ``TombstoneMark``: the number of a scope's last tombstone, with
/// the time. Once a mark is older than the lifetime, the tombstones up to its number are removed. A
/// device that was away for longer fetches the scope again.
struct Retention: Sendable {
  /// The shortest time for which a tombstone is stored, in milliseconds.
  ///
  /// It is stored for up to a thirtieth longer, and until the next call of ``collect(at:in:)``.
  let lifetime: Int64

  /// The shortest time between two marks of a scope, which limits how many there are.
  private var interval: Int64 { lifetime / 30 }

  /// Removes the tombstones that are past their lifetime, and marks the present ones.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  /// - Throws: any error of the storage.
  func collect(at now: Int64, in transaction: inout some StorageTransaction) throws {
    let marks = Dictionary(grouping: try transaction.tombstoneMarks(), by: \.scope)
    for (scope, marks) in marks {
      guard let old = marks.last(where: { $0.time <= now - lifetime }) else { continue }
      try transaction.collect(scope, upTo: old.seq)
      try transaction.removeTombstoneMarks(in: scope, upTo: old.seq)
    }
    for (scope, seq) in try transaction.lastTombstones() {
      if let last = marks[scope]?.last, seq <= last.seq || now - interval < last.time { continue }
      try transaction.addTombstoneMark(TombstoneMark(scope, seq: seq, time: now))
    }
  }
}

/// The number of a scope's last tombstone at a point in time.
package struct TombstoneMark: Hashable, Sendable {
  /// The scope.
  package let scope: ScopeID
  /// The sequence number of the last tombstone.
  package let seq: Int64
  /// The time of the mark, in milliseconds since 1970.
  package let time: Int64

  /// Creates a mark.
  package init(_ scope: ScopeID, seq: Int64, time: Int64) {
    (self.scope, self.seq, self.time) = (scope, seq, time)
  }
}
