import OffshoreWire

/// For how long tombstones are kept.
///
/// The stamp of a tombstone tells when somebody deleted a row, and that may have reached the server much
/// later. So from time to time it is noted up to which number there are tombstones, and those go once the
/// note is old enough. A device that was away for longer fetches the scope anew.
struct Retention: Sendable {
  /// How long a tombstone is kept at the least, in milliseconds. It is kept for a thirtieth longer at the
  /// most, and until ``collect(at:in:)`` is called.
  let lifetime: Int64

  /// How long after one note of a scope the next is made, so that there are not many.
  private var interval: Int64 { lifetime / 30 }

  /// Forgets the tombstones that are old enough, and notes which ones are there.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  /// - Throws: what the log throws.
  func collect(at now: Int64, in log: inout some TombstoneWriter) throws {
    let marks = Dictionary(grouping: try log.tombstoneMarks(), by: \.scope)
    for (scope, marks) in marks {
      guard let old = marks.last(where: { $0.time <= now - lifetime }) else { continue }
      try log.collect(scope, upTo: old.seq)
      try log.removeTombstoneMarks(in: scope, upTo: old.seq)
    }
    for (scope, seq) in try log.lastTombstones() {
      if let last = marks[scope]?.last, seq <= last.seq || now - interval < last.time { continue }
      try log.addTombstoneMark(TombstoneMark(scope, seq: seq, time: now))
    }
  }
}
