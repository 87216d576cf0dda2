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
  /// About the most bytes of batches that are stored. A device need not have room for all its edits
  /// twice.
  static let mostBytes: Int64 = 16 << 20

  /// Creates the table in a file that does not have it. The batches that the file has sent before
  /// count as deleted.
  static func create(_ writer: Writer) throws {
    let exists = try SQL("SELECT count(*) FROM sqlite_schema WHERE name = '_sent'")
      .first(writer, as: Int64.self)
    guard exists == 0 else { return }
    let statements: [SQL] = [
      """
      CREATE TABLE _sent (
        k INTEGER PRIMARY KEY, scope TEXT NOT NULL, device BLOB NOT NULL, number INTEGER NOT NULL,
        ops INTEGER NOT NULL, made INTEGER NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL,
        parts BLOB NOT NULL, content BLOB NOT NULL)
      """,
      "CREATE INDEX _sent_scope ON _sent (scope, device, number)",
      "CREATE INDEX _sent_at ON _sent (at, bytes)",
      """
      INSERT INTO _sent (scope, device, number, ops, made, at, bytes, parts, content)
      SELECT scope, device, sent, 0, 0, 0, 0, x'', x'' FROM _cursor
      WHERE device IS NOT NULL AND sent > 0
      """,
    ]
    for statement in statements { try statement.run(writer) }
  }

  /// Moves a batch from the unanswered ones to these.
  /// - Parameter now: the time of the device's clock, in milliseconds since 1970.
  func add(_ sealed: SealedBatch, at now: Int64) throws {
    // NB: SQL, because it runs for each batch, and the content need not be encoded again.
    try SQL(
      """
      INSERT INTO _sent (scope, device, number, ops, made, at, bytes, parts, content)
      SELECT scope, device, number, ops, made, \(now), length(content), parts, content
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
  /// content, by which ``areComplete(of:in:after:)`` knows of them.
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
      DELETE FROM _sent WHERE bytes = 0 AND EXISTS (
        SELECT 1 FROM _sent AS later WHERE later.scope = _sent.scope
          AND later.device = _sent.device AND later.number > _sent.number AND later.bytes = 0)
      """
    ).run(writer)
  }

  /// Returns whether all batches of a scope are stored that follow a number.
  func areComplete(of device: DeviceID, in scope: ScopeID, after number: Int64) throws -> Bool {
    try SQL(
      """
      SELECT count(*) FROM _sent WHERE scope = \(scope.text)
        AND device = \(Data(device.encoded())) AND number > \(number) AND bytes = 0
      """
    ).first(writer, as: Int64.self) == 0
  }

  /// Makes the batches of a scope pending again that a restored server lacks, before the batches that
  /// are pending already. All of them are marked: rows that they change may be missing until the
  /// device that inserted them has sent them again, too.
  ///
  /// The caller numbers them again.
  /// - Parameter number: the number of the last batch of the device that the server has.
  func reopen(_ scope: ScopeID, of device: DeviceID, after number: Int64) throws {
    let mark = SealedBatch.resent
    try SQL(
      """
      UPDATE _batch SET attempts = \(mark), phase = \(SealedBatch.Phase.waiting.rawValue)
      WHERE scope = \(scope.text)
      """
    ).run(writer)
    let keys = try SQL(
      """
      SELECT k FROM _sent WHERE scope = \(scope.text) AND device = \(Data(device.encoded()))
        AND number > \(number) AND bytes > 0 ORDER BY number
      """
    ).all(writer, as: Int64.self)
    let first = try SQL("SELECT ifnull(min(k), 1) FROM _batch").first(writer, as: Int64.self) ?? 1
    for (index, key) in keys.enumerated() {
      try SQL(
        """
        INSERT INTO _batch (k, scope, device, number, ops, made, attempts, parts, content)
        SELECT \(first - Int64(keys.count - index)), scope, device, number, ops, made, \(mark), parts, content
        FROM _sent WHERE k = \(key)
        """
      ).run(writer)
    }
    try SQL(
      """
      DELETE FROM _sent WHERE scope = \(scope.text) AND device = \(Data(device.encoded()))
        AND number > \(number)
      """
    ).run(writer)
  }

  /// Returns the number of the last stored batch in each scope.
  func lastNumbers(of device: DeviceID) throws -> [ScopeID: Int64] {
    let numbers = try SQL(
      """
      SELECT scope, max(number) FROM _sent WHERE device = \(Data(device.encoded())) GROUP BY scope
      """
    ).all(writer, as: String.self, Int64.self)
    return try numbers.reduce(into: [:]) { $0[try ScopeID($1.0)] = $1.1 }
  }

  /// Deletes the batches of a scope.
  func remove(_ scope: ScopeID) throws {
    try SQL("DELETE FROM _sent WHERE scope = \(scope.text)").run(writer)
  }
}
