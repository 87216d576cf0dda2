package import OffshoreWire

/// The lifetime of tombstones, and of other data that only devices need that were away.
///
/// The stamp of a tombstone has the time of the deletion, which may reach the server much later. So
/// the server regularly stores a ``TombstoneMark``: the number of a scope's last tombstone, with
/// the time. Once a mark is older than the lifetime, the tombstones up to its number are removed. A
/// device that was away for longer fetches the scope again.
///
/// The following is removed after the same time:
/// - conflicts;
/// - the results of batches, except for the last ones of each device, which it may still ask for;
/// - removed keys of JSON columns. The removal is a change of the row, which devices pull.
struct Retention: Sendable {
  /// The shortest time for which a tombstone is stored, in milliseconds.
  ///
  /// It is stored for up to a thirtieth longer, and until the next call of ``collect(at:in:)``.
  let lifetime: Int64
  /// The largest number of tombstones, marks or results that are removed or stored by one write, so
  /// that other writes do not wait for long.
  var chunk = 1_000
  /// The same number for conflicts and changes of rows, which may have megabytes.
  var largeChunk = 100

  /// The shortest time between two marks of a scope, which limits how many there are.
  private var interval: Int64 { lifetime / 30 }

  /// Removes all data past its lifetime, and marks the present tombstones.
  ///
  /// If it is interrupted, the next call continues.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  /// - Throws: any error of the storage.
  func collect(at now: Int64, in storage: some ServerStorage) async throws {
    let marks = Dictionary(
      grouping: try await storage.read { try $0.tombstoneMarks() }, by: \.scope)
    for (scope, marks) in marks {
      guard let old = marks.last(where: { $0.time <= now - lifetime }) else { continue }
      try await removeTombstones(of: scope, upTo: old.seq, in: storage)
    }
    try await addMarks(after: marks, at: now, in: storage)
    try await removeConflicts(at: now, in: storage)
    try await removeResults(at: now, in: storage)
    try await removeKeys(at: now, in: storage)
  }

  // MARK: - Tombstones

  /// NB: A scope states the number before any of its tombstones are removed, so that no device
  /// misses one. The marks are removed last, so that an interrupted removal is continued.
  private func removeTombstones(
    of scope: ScopeID, upTo seq: Int64, in storage: some ServerStorage
  ) async throws {
    try await inChunks(of: chunk, in: storage) { transaction in
      let minSeq = try transaction.raiseMinSeq(of: scope, to: seq)
      return try transaction.removeTombstones(in: scope, upTo: min(seq, minSeq), limit: chunk)
    }
    try await storage.write { try $0.removeTombstoneMarks(in: scope, upTo: seq) }
  }

  private func addMarks(
    after marks: [ScopeID: [TombstoneMark]], at now: Int64, in storage: some ServerStorage
  ) async throws {
    let last = try await storage.read { try $0.lastTombstones() }
    var new = last.compactMap { scope, seq -> TombstoneMark? in
      if let last = marks[scope]?.last, seq <= last.seq || now - interval < last.time { return nil }
      return TombstoneMark(scope, seq: seq, time: now)
    }[...]
    while !new.isEmpty {
      let some = new.prefix(chunk)
      try await storage.write { transaction in
        for mark in some { try transaction.addTombstoneMark(mark) }
      }
      new = new.dropFirst(chunk)
    }
  }

  // MARK: - Conflicts, results and keys

  private func removeConflicts(at now: Int64, in storage: some ServerStorage) async throws {
    try await inChunks(of: largeChunk, in: storage) { transaction in
      try transaction.removeConflicts(before: now - lifetime, limit: largeChunk)
    }
  }

  /// The number of a device's last results that are stored in any case.
  ///
  /// A device has at most one unanswered push, so the server never needs an earlier result to
  /// recognize a batch of it.
  static let retainedResults = Int64(WireLimits.batchesPerPush)

  private func removeResults(at now: Int64, in storage: some ServerStorage) async throws {
    let (time, count) = (now - lifetime, Self.retainedResults)
    var senders: [BatchSender]
    repeat {
      senders = try await storage.read {
        try $0.sendersOfResults(before: time, keeping: count, limit: chunk)
      }
      for sender in senders {
        try await inChunks(of: chunk, in: storage) { transaction in
          try transaction.removeResults(of: sender, before: time, keeping: count, limit: chunk)
        }
      }
    } while !senders.isEmpty
  }

  private func removeKeys(at now: Int64, in storage: some ServerStorage) async throws {
    try await inChunks(of: largeChunk, in: storage) { transaction in
      var count = 0
      let rows = try transaction.rowsWithRemovedKeys(before: now - lifetime, limit: largeChunk)
      for (scope, row) in rows
      where try transaction.removeKeys(of: row, in: scope, before: now - lifetime) { count += 1 }
      return count
    }
  }

  /// Repeats a removal, each time in a write of its own, until it removes fewer than a chunk.
  private func inChunks(
    of size: Int, in storage: some ServerStorage,
    _ remove: @escaping @Sendable (inout any StorageTransaction) throws -> Int
  ) async throws {
    while try await storage.write(remove) >= size { try Task.checkCancellation() }
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
