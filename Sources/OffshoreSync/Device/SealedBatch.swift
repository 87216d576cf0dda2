import Foundation
import Offshore
import OffshoreWire

/// A row of `_batch`: a sealed batch and its progress.
struct SealedBatch: Hashable {
  /// The progress of a batch. As long as the batch is stored, its ops are merged over the confirmed
  /// rows.
  enum Phase: Int64 {
    /// The batch is not answered yet.
    case waiting
    /// The server applied the batch, and its effects have not been pulled yet.
    case applied
  }

  /// The position in the order of all batches, or `nil` before the batch is stored.
  var key: Int64?
  /// The device id under which the batch is sent.
  var device: DeviceID
  var batch: Batch
  /// The part that each op belongs to, by number. The ops of a part are refused together; see
  /// ``TransactionParts``.
  var parts: [Int]
  /// The time of the oldest change, in milliseconds since 1970 by the device's clock.
  let made: Int64
  /// The number of times that the ops were refused and sealed again.
  var attempts: Int64 = 0
  var phase = Phase.waiting
  /// The number of the last change that the batch made in the scope, if it was applied.
  var last: Int64 = 0

  /// Returns a batch to be sent, with other ops, and under another number or device id.
  func resealed(_ ops: [Op], by device: DeviceID, number: Int64) -> SealedBatch {
    var copy = self
    copy.device = device
    copy.batch = Batch(batch.scope, number: number, id: batch.id, ops: ops)
    copy.phase = .waiting
    return copy
  }

  /// Returns an applied batch with some of the ops. It is deleted with the next page of its scope.
  func applied(_ ops: [Op]) -> SealedBatch {
    var copy = SealedBatch(
      device: device, batch: Batch(batch.scope, number: batch.number, id: batch.id, ops: ops),
      parts: Array(ops.indices), made: made)
    copy.key = key
    copy.phase = .applied
    return copy
  }
}

// MARK: - Storing

extension SealedBatch {
  private static let columns: SQL =
    "k, device, made, attempts, phase, last, parts, content"

  /// Returns the condition for unanswered batches that can be sent.
  ///
  /// These are the batches in scopes for which the account was granted a role, and in scopes of a
  /// claimable kind.
  static func canBeSent(_ manifest: Manifest) -> SQL {
    var known: SQL = "scope IN (SELECT scope FROM _cursor WHERE role IS NOT NULL)"
    for kind in manifest.claimableKinds.sorted() {
      known = "\(known) OR substr(scope, 1, \(kind.utf8.count + 1)) = \(kind + "/")"
    }
    return "phase = \(Phase.waiting.rawValue) AND (\(known))"
  }

  /// Returns the batches that a condition selects, oldest first.
  static func all(where condition: SQL, _ reader: Reader, limit: Int = -1) throws -> [SealedBatch] {
    try reader.connection.fetch(
      "SELECT \(columns) FROM _batch WHERE \(condition) ORDER BY k LIMIT \(limit)"
    ) { try SealedBatch(&$0) }
  }

  private init(_ row: inout RowReader) throws {
    key = try row.value(Int64.self)
    device = try DeviceID(decoding: Array(try row.value(Data.self)))
    made = try row.value(Int64.self)
    attempts = try row.value(Int64.self)
    guard let phase = Phase(rawValue: try row.value(Int64.self)) else {
      throw SyncError(.damaged, "“_batch” is not readable. Restore the file from a backup.")
    }
    self.phase = phase
    last = try row.value(Int64.self)
    parts = try PartNumbers(decoding: Array(try row.value(Data.self))).numbers
    batch = try Batch(decoding: Array(try row.value(Data.self)))
  }

  /// Stores the batch, after all others if it is new.
  func save(_ writer: Writer) throws {
    try SQL(
      """
      INSERT INTO _batch (
        k, scope, device, number, ops, made, attempts, phase, last, parts, content)
      VALUES (\(key), \(batch.scope.text), \(Data(device.encoded())), \(batch.number),
        \(batch.ops.count), \(made), \(attempts), \(phase.rawValue), \(last),
        \(Data(PartNumbers(numbers: parts).encoded())), \(Data(batch.encoded())))
      ON CONFLICT (k) DO UPDATE SET device = excluded.device, number = excluded.number,
        ops = excluded.ops, parts = excluded.parts,
        attempts = excluded.attempts, phase = excluded.phase, last = excluded.last,
        content = excluded.content
      """
    ).run(writer)
  }

  /// Stores the phase of the batch, and the number of its last change.
  func savePhase(_ writer: Writer) throws {
    try SQL("UPDATE _batch SET phase = \(phase.rawValue), last = \(last) WHERE k = \(key)")
      .run(writer)
  }

  func remove(_ writer: Writer) throws {
    try SQL("DELETE FROM _batch WHERE k = \(key)").run(writer)
  }
}

/// The number of the part that each op of a batch belongs to.
struct PartNumbers: Hashable, WireCodable {
  let numbers: [Int]

  init(numbers: [Int]) { self.numbers = numbers }

  func encode(into writer: inout WireWriter) {
    writer.count(numbers.count)
    for number in numbers { writer.count(number) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    var numbers: [Int] = []
    for _ in 0..<(try reader.count()) { numbers.append(Int(clamping: try reader.natural())) }
    self.numbers = numbers
  }
}
