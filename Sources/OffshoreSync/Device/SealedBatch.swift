import Foundation
import Offshore
import OffshoreWire

/// A row of `_batch`: a sealed batch, and what has become of it.
struct SealedBatch: Hashable {
  /// How far a batch is. Its ops show in rows as long as it is kept.
  enum Phase: Int64 {
    /// It is to be sent, or its answer has not come.
    case waiting
    /// It was applied, and what it did has not been pulled.
    case applied
  }

  /// The place in the order of all batches, or `nil` before it is stored.
  var key: Int64?
  /// The device under whose name it is sent.
  var device: DeviceID
  var batch: Batch
  /// The transactions that the ops are from, each by a number of its own: what was changed together is
  /// refused together.
  var parts: [Int]
  /// When the oldest of its changes was made, in milliseconds since 1970 by the device's clock.
  let made: Int64
  /// How often its ops were refused and sealed again.
  var attempts: Int64 = 0
  var phase = Phase.waiting
  /// Of an applied batch, the number of its last change.
  var last: Int64 = 0

  /// The batch of other ops, under another number or another name, as it is to be sent.
  func resealed(_ ops: [Op], by device: DeviceID, number: Int64) -> SealedBatch {
    var copy = self
    copy.device = device
    copy.batch = Batch(batch.scope, number: number, id: batch.id, ops: ops)
    copy.phase = .waiting
    return copy
  }

  /// The batch with some of its ops, as one that the next page has.
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

  /// The condition of batches that are to be sent, or whose answer has not come: those in scopes where
  /// something was granted, or that may be claimed.
  static func canBeSent(_ manifest: Manifest) -> SQL {
    var known: SQL = "scope IN (SELECT scope FROM _cursor WHERE role IS NOT NULL)"
    for kind in manifest.claimableKinds.sorted() {
      known = "\(known) OR substr(scope, 1, \(kind.utf8.count + 1)) = \(kind + "/")"
    }
    return "phase = \(Phase.waiting.rawValue) AND (\(known))"
  }

  /// The batches that a condition selects, oldest first.
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

  /// Adds the batch at the end, or replaces it where it has a place.
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

  /// Keeps what has become of it.
  func savePhase(_ writer: Writer) throws {
    try SQL("UPDATE _batch SET phase = \(phase.rawValue), last = \(last) WHERE k = \(key)")
      .run(writer)
  }

  func remove(_ writer: Writer) throws {
    try SQL("DELETE FROM _batch WHERE k = \(key)").run(writer)
  }
}

/// Which part each op of a batch belongs to.
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
