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
  /// - Parameter now: the time of the device's clock, in milliseconds since 1970.
  func add(_ sealed: SealedBatch, at now: Int64) throws {
    // NB: SQL, because it runs for each batch, and the content need not be encoded again.
    try SQL(
      """
      INSERT INTO _sent (scope, device, number, ops, made, at, bytes, numbered, parts, content)
      SELECT scope, device, number, ops, made, \(now), length(content) + length(parts) + 150,
        attempts <> \(SealedBatch.renumbered), parts, content
      FROM _batch WHERE k = \(sealed.key)
      """
    ).run(writer)
    try sealed.delete(writer)
    // The sum reads an index with an entry for each batch, so it is not worth doing each time.
    guard let last = try SQL("SELECT max(k) FROM _sent").first(writer, as: Int64.self),
      last.isMultiple(of: 16)
    else { return }
    try prune(at: now)
  }

  /// Deletes the oldest batches beyond the limits. Of those of a scope, the last one stays without its
  /// content, by which ``changes(of:in:)`` knows of them.
  private func prune(at now: Int64) throws {
    let old =
      try SQL("SELECT max(k) FROM _sent WHERE at < \(now - Self.lifetime) AND bytes > 0")
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

  /// Returns the changes of a device in a scope, of which its stored batches tell.
  func changes(of device: DeviceID, in scope: ScopeID) throws -> KeptChanges {
    let sent = SentBatch.where { $0.scope == scope && $0.device == device }
    let batches =
      try sent.where { $0.bytes > 0 }.all(writer).map(\.batch)
      + SealedBatch.inOrder(of: scope).where { $0.device == device }.all(writer).map(\.batch)
    let deleted = sent.where { $0.bytes == 0 }.order { $0.number.descending }
    let last =
      try deleted.select({ (number: $0, date: $1) }) { batch in
        batch.number
        batch.date
      }.first(writer)
    return KeptChanges(
      stamps: Set(batches.flatMap(\.ops).map(\.stamp)), lastDeleted: last)
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

  /// Deletes the batches of a scope.
  func remove(_ scope: ScopeID) throws {
    try SentBatch.where { $0.scope == scope }.delete(writer)
  }
}

/// The changes of a device in a scope that its stored batches bring.
struct KeptChanges {
  /// The stamps of the changes whose batches are stored.
  let stamps: Set<Stamp>
  /// The number of the last batch whose content was deleted, and the time at which it was pulled, or
  /// `nil` if there is none.
  let lastDeleted: (number: Int64, date: Int64)?

  /// Returns whether a change of the device is either sent again, or in the server's data, where others
  /// have replaced or deleted it since.
  ///
  /// Other changes are those whose batch is not stored any more, those of a device with a copy of the
  /// file, and rows that the device has moved here: without its author, the server does not have the row.
  /// - Parameter number: the number of the last batch that the server's data includes.
  func include(_ op: Op, after number: Int64) -> Bool {
    let unknown = op.stamps.subtracting(stamps)
    if unknown.isEmpty { return true }
    guard let lastDeleted, lastDeleted.number <= number else { return false }
    return unknown.allSatisfy { $0.milliseconds <= lastDeleted.date }
  }
}

extension Op {
  /// The stamps of the values of a lost change.
  fileprivate var stamps: Set<Stamp> { Set(base.values).union([stamp]) }
}
