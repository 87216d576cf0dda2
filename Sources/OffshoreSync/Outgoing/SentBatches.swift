import Foundation
import Offshore
import OffshoreWire

/// The batches that the server has applied and the device has pulled, stored for a while.
///
/// If the server's data is restored from a copy, the device sends those again that the copy lacks, as
/// they were: with their stamps and ids, so that increments count once, and later edits of others
/// win as they did before.
struct SentBatches {
  let writer: Writer

  /// The time for which a batch is stored: 30 days, in milliseconds. A copy should not be older.
  static let lifetime: Int64 = 30 * 86_400_000
  /// About the number of bytes that the stored batches may need in the file.
  static let mostBytes: Int64 = 16 << 20

  /// Moves a batch from the unanswered ones to these.
  ///
  /// It is stored with the time of the server's clock, because stamps, with which ``KeptChanges``
  /// compares it, are times of that clock, too.
  /// - Parameters:
  ///   - now: the time of the device's clock, in milliseconds since 1970.
  ///   - isApplied: whether the server has applied the batch.
  func add(_ sealed: SealedBatch, at now: Int64, isApplied: Bool = true) throws {
    // NB: SQL, because it runs for each batch, and the content need not be encoded again.
    let ahead = try SQL("SELECT ahead FROM _state").first(writer, as: Int64?.self) ?? nil
    let date = ClockOffset(milliseconds: ahead).serverTime(at: now)
    try SQL(
      """
      INSERT INTO _sent (scope, device, number, ops, made, at, bytes, numbered, parts, content)
      SELECT scope, device, number, ops, made, \(date), length(content) + length(parts) + 150,
        \(isApplied) AND attempts <> \(SealedBatch.renumbered), parts, content
      FROM _batch WHERE k = \(sealed.key)
      """
    ).run(writer)
    try sealed.delete(writer)
    // The sum reads an index with an entry for each batch, so it is not worth doing each time.
    guard let last = try SQL("SELECT max(k) FROM _sent").first(writer, as: Int64.self),
      last.isMultiple(of: 16)
    else { return }
    try prune(at: date)
  }

  /// Deletes the oldest batches beyond the limits. Of those of a scope, the last one stays without its
  /// content, by which ``changes(of:)`` knows of them.
  /// - Parameter now: the time of the server's clock.
  private func prune(at now: Int64) throws {
    // A wrong time of one batch does not make those before it old. NB: `+at`, so that SQLite reads by
    // key up to the first recent batch, and not the index entries of all recent ones.
    let recent =
      try SQL(
        """
        SELECT k FROM _sent WHERE bytes > 0 AND +at >= \(now - Self.lifetime) ORDER BY k LIMIT 1
        """
      ).first(writer, as: Int64.self)
    let old =
      try SQL("SELECT max(k) FROM _sent WHERE k < \(recent ?? .max) AND bytes > 0")
      .first(writer, as: Int64?.self) ?? nil
    var last = old ?? 0
    let bytes =
      try SQL("SELECT sum(bytes) FROM _sent WHERE k > \(last)")
      .first(writer, as: Int64?.self) ?? nil
    if var excess = bytes.map({ $0 - Self.mostBytes }), excess > 0 {
      let batches = try SQL("SELECT k, bytes FROM _sent WHERE k > \(last) ORDER BY k")
        .all(writer, as: Int64.self, Int64.self)
      for (key, bytes) in batches where excess > 0 { (last, excess) = (key, excess - bytes) }
    }
    guard last > 0 else { return }
    try SQL(
      "UPDATE _sent SET bytes = 0, parts = x'', content = x'' WHERE k <= \(last) AND bytes > 0"
    ).run(writer)
    try SQL(
      """
      DELETE FROM _sent WHERE k <= \(last) AND EXISTS (
        SELECT 1 FROM _sent AS later WHERE later.scope = _sent.scope
          AND later.device = _sent.device AND later.number > _sent.number AND later.bytes = 0)
      """
    ).run(writer)
  }

  /// Deletes the commands by which the account has left a scope.
  func removeLeaving(of scope: ScopeID) throws {
    for sent in try SentBatch.where({ $0.scope == scope && $0.bytes > 0 }).all(writer)
    where MemberCommand(sent.batch)?.role == .left {
      try sent.delete(writer)
    }
  }

  /// Returns the changes of a device that its stored batches have.
  func changes(of device: DeviceID) throws -> KeptChanges {
    let batches =
      try SentBatch.where { $0.device == device && $0.bytes > 0 }.all(writer).map(\.batch)
      + SealedBatch.where { $0.device == device }.all(writer).map(\.batch)
    var changes = KeptChanges()
    for batch in batches { changes.add(batch) }
    let deleted = try SentBatch.where { $0.device == device && $0.bytes == 0 }
      .select({ (scope: $0, number: $1, date: $2) }) { batch in
        batch.scope
        batch.number
        batch.date
      }.all(writer)
    for batch in deleted { changes.addDeleted(batch.number, batch.date, in: batch.scope) }
    return changes
  }

  /// Returns the number of the last batch of a scope that the server is known to have applied, or 0.
  func lastNumber(of device: DeviceID, in scope: ScopeID) throws -> Int64 {
    let sent = try lastNumber(of: device, in: scope, upTo: .max)
    let applied = try SealedBatch.where { batch in
      batch.scope == scope && batch.device == device && batch.phase == .applied && batch.last > 0
        && batch.attempts != SealedBatch.renumbered
    }.max(writer) { $0.number }
    return max(sent, applied ?? 0)
  }

  /// Returns the number of the last batch of a scope whose effects are pulled, or 0.
  /// - Parameter number: the largest number that is returned.
  func lastNumber(
    of device: DeviceID, in scope: ScopeID, upTo number: Int64
  ) throws -> Int64 {
    try SentBatch.where { batch in
      batch.scope == scope && batch.device == device && batch.number <= number && batch.isNumbered
    }.max(writer) { $0.number } ?? 0
  }

  /// Returns the number of the last batch of a scope that can be sent again or that the server is
  /// known to have applied, or 0.
  ///
  /// If the scope is not pulled yet, the server never had some of the batches: they were stored when
  /// restored data did not grant the scope.
  /// - Parameter number: the largest number that is returned.
  func lastStoredNumber(
    of device: DeviceID, in scope: ScopeID, upTo number: Int64
  ) throws -> Int64 {
    try SentBatch.where { batch in
      batch.scope == scope && batch.device == device && batch.number <= number
        && (batch.bytes > 0 || batch.isNumbered)
    }.max(writer) { $0.number } ?? 0
  }

  /// Deletes the batches of a scope.
  func remove(_ scope: ScopeID) throws {
    try SentBatch.where { $0.scope == scope }.delete(writer)
  }
}

/// The changes of a device that its stored batches have.
struct KeptChanges {
  /// The origin of a change that has the device's id.
  enum Origin {
    /// A batch of the scope has it: it is sent again, or the server's data includes it, and others
    /// have replaced or deleted it since.
    case stored
    /// The device made it, and its batch is not stored any more, or has moved its row to the scope.
    /// Without its author, the server does not have such a row.
    case own
    /// Another device with a copy of the file made it.
    case copied
  }

  private var ops: [ScopeID: [RowID: [Op]]] = [:]
  private var stamps: Set<Stamp> = []
  /// For each scope, the number of the last batch whose content was deleted, and the time of the
  /// server's clock at which it was pulled.
  private var deleted: [ScopeID: (number: Int64, date: Int64)] = [:]

  fileprivate mutating func add(_ batch: Batch) {
    for op in batch.ops {
      ops[batch.scope, default: [:]][op.row, default: []].append(op)
      stamps.insert(op.stamp)
    }
  }

  fileprivate mutating func addDeleted(_ number: Int64, _ date: Int64, in scope: ScopeID) {
    if number >= deleted[scope]?.number ?? 0 { deleted[scope] = (number, date) }
  }

  /// Returns the origin of a change.
  ///
  /// NB: The server gives a value an earlier version if the clock of its device is ahead, and a later
  /// one if it orders the values itself.
  /// - Parameters:
  ///   - table: the table of the row.
  ///   - number: the number of the last batch that the server's data includes.
  func origin(
    of op: Op, _ table: SyncedTable, in scope: ScopeID, after number: Int64
  ) -> Origin {
    let stored = ops[scope]?[op.row] ?? []
    var missing: Set<Stamp> = []
    if op.kind == .put, !stored.contains(where: { $0.kind == .put && $0.stamp >= op.stamp }) {
      missing.insert(op.stamp)
    }
    for (field, version) in op.base {
      let isOrdered = table.policy(of: field) == .serverOrder
      let isStored = stored.contains {
        ($0.kind == .put || $0.fields[field] != nil) && (isOrdered || $0.stamp >= version)
      }
      if !isStored { missing.insert(version) }
    }
    if missing.isEmpty { return .stored }
    if missing.isSubset(of: stamps) { return .own }
    guard let deleted = deleted[scope] else { return .copied }
    // A file of a former version has no time: all its batches were deleted.
    let isFormer =
      deleted.date == 0
      || missing.allSatisfy {
        $0.milliseconds <= deleted.date || stamps.contains($0)
      }
    guard isFormer else { return .copied }
    return deleted.number <= number ? .stored : .own
  }
}
