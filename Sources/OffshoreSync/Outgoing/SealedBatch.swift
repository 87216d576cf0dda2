import Foundation
import Offshore
import OffshoreWire

/// A row of `_batch`: a sealed batch and its progress.
struct SealedBatch: Hashable {
  /// The progress of a batch. As long as the batch is stored, its ops are merged over the confirmed
  /// rows.
  enum Phase: Int64, CaseIterable, ColumnValue {
    /// The batch is not answered yet.
    case waiting
    /// The server applied the batch, and its effects have not been pulled yet.
    case applied
    /// The server refused the batch, and it is sent again later, or it is a command that waits for files; see
    /// ``PostponedBatches``.
    case postponed
  }

  /// The position in the order of all batches, or `nil` before the batch is stored.
  private(set) var key: Int64?
  /// The scope of the batch.
  let scope: ScopeID
  /// The device id under which the batch is sent.
  let device: DeviceID
  /// The number of the batch.
  let number: Int64
  /// The number of ops.
  let count: Int
  /// The time of the oldest change, in milliseconds since 1970 by the device's clock.
  let made: Int64
  /// The number of times that the ops were refused and sealed again. It counts from ``resent`` or
  /// ``unsent`` if the server's data was restored since.
  var attempts: Int64 = 0
  var phase = Phase.waiting
  /// The number of the last change that the batch made in the scope, if it was applied.
  var last: Int64 = 0
  /// The time from which a postponed batch is sent again, in milliseconds since 1970 by the device's
  /// clock; 0 if the user wants it to be sent now.
  var due: Int64 = 0
  /// The last reason for which the ops were refused, or `nil` if they were not.
  var rejection: Rejection?
  /// The part that each op belongs to, by number. The ops of a part are refused together; see
  /// ``TransactionParts``.
  let parts: [Int]
  let batch: Batch

  /// The value of ``attempts`` for a batch that was applied before the server's data was restored.
  static let resent: Int64 = -1 << 40
  /// The value of ``attempts`` for a batch that was pending when the server's data was restored.
  static let unsent: Int64 = -1 << 41
  /// The value of ``attempts`` for an applied batch whose answer was repeated: the server may have applied
  /// it under another number.
  static let renumbered: Int64 = -1 << 42

  /// Whether the batch is sent to a server whose data was restored, which may lack rows that other
  /// devices have to send again.
  var followsRestore: Bool { attempts < 0 }

  /// Whether the batch was applied before the server's data was restored.
  var isResent: Bool { attempts < 0 && attempts >= Self.resent }

  /// The number of times that the ops were refused and sealed again.
  var refusals: Int64 {
    followsRestore ? attempts - (isResent ? Self.resent : Self.unsent) : attempts
  }

  /// Returns a batch to be sent, with other ops, and under another number or device id.
  func resealed(_ ops: [Op], by device: DeviceID, number: Int64) -> SealedBatch {
    var copy = SealedBatch(
      device: device, batch: Batch(scope, number: number, id: batch.id, ops: ops), parts: parts,
      made: made, attempts: attempts)
    (copy.key, copy.last, copy.rejection) = (key, last, rejection)
    return copy
  }

  /// Returns the batch without some ops, or `nil` if no op is left.
  func without(where isRemoved: (Op) -> Bool) -> SealedBatch? {
    with(Array(zip(batch.ops, parts).filter { !isRemoved($0.0) }))
  }

  /// Returns the batch with other ops, each with the number of its part, or `nil` if there is none.
  func with(_ ops: [(op: Op, part: Int)]) -> SealedBatch? {
    guard !ops.isEmpty else { return nil }
    var copy = SealedBatch(
      device: device, batch: Batch(scope, number: number, id: batch.id, ops: ops.map(\.op)),
      parts: ops.map(\.part), made: made, attempts: attempts)
    (copy.key, copy.phase, copy.due, copy.rejection) = (key, phase, due, rejection)
    return copy
  }

  /// Returns two batches with the first ops and the others. Only the first one has a position.
  func divided(after count: Int, _ makeID: () -> UUID) -> (first: SealedBatch, second: SealedBatch)
  {
    func part(_ range: Range<Int>) -> SealedBatch {
      SealedBatch(
        device: device,
        batch: Batch(scope, number: number, id: makeID(), ops: Array(batch.ops[range])),
        parts: Array(parts[range]), made: made, attempts: attempts)
    }
    var first = part(0..<count)
    (first.key, first.rejection) = (key, rejection)
    return (first, part(count..<batch.ops.count))
  }

  /// The batch without its position, to be inserted behind all others.
  var unplaced: SealedBatch {
    var copy = self
    copy.key = nil
    return copy
  }

  /// Whether the batch has deletions of rows that the server had already deleted. It was refused, but
  /// counts as applied.
  var isDone: Bool { phase == .applied && last == 0 }

  /// Returns an applied batch with some of the ops. It is deleted with the next page of its scope.
  func applied(_ ops: [Op]) -> SealedBatch {
    var copy = SealedBatch(
      device: device, batch: Batch(scope, number: number, id: batch.id, ops: ops),
      parts: Array(ops.indices), made: made)
    (copy.key, copy.phase) = (key, .applied)
    return copy
  }
}

extension SealedBatch {
  /// Creates a batch that is not stored yet.
  init(
    device: DeviceID, batch: Batch, parts: [Int], made: Int64, attempts: Int64 = 0,
    rejection: Rejection? = nil
  ) {
    self.init(
      key: nil, scope: batch.scope, device: device, number: batch.number, count: batch.ops.count,
      made: made, attempts: attempts, phase: .waiting, last: 0, parts: parts, batch: batch, due: 0,
      rejection: rejection)
  }
}

// MARK: - Storing

extension SealedBatch: Record {
  static let table = Table(
    "_batch",
    SealedBatch.init(
      key:scope:device:number:count:made:attempts:phase:last:parts:batch:due:rejection:),
    Column("k", \.key).primaryKey(),
    Column("scope", \.scope, as: .scope),
    Column("device", \.device, as: .message),
    Column("number", \.number),
    Column("ops", \.count),
    Column("made", \.made),
    Column("attempts", \.attempts).default(0),
    Column("phase", \.phase).default(.waiting),
    Column("last", \.last).default(0),
    Column("parts", \.parts, as: .partNumbers),
    Column("content", \.batch, as: .message),
    Column("due", \.due).default(0),
    Column("rejection", \.rejection, as: .message)
  ).ofLibrary().index(\.scope, \.device, \.number, name: "_batch_scope")

  private init(
    key: Int64?, scope: ScopeID, device: DeviceID, number: Int64, count: Int, made: Int64,
    attempts: Int64, phase: Phase, last: Int64, parts: [Int], batch: Batch, due: Int64,
    rejection: Rejection?
  ) {
    (self.key, self.scope, self.device, self.number) = (key, scope, device, number)
    (self.count, self.made, self.attempts) = (count, made, attempts)
    (self.phase, self.last, self.due, self.rejection) = (phase, last, due, rejection)
    (self.parts, self.batch) = (parts, batch)
  }

  /// The condition of postponed batches, for the index on them.
  // NB: Not `phase = 2`: SQLite would compile each statement with `phase = ?` again whenever the value is
  // bound, to find out whether the index serves it.
  static let isPostponed: SQL = "phase > 1"

  /// The batches that are to be sent, now or later, in no particular order.
  static var pending: Query<SealedBatch> { Self.where { $0.phase != .applied } }

  /// The unanswered batches, in no particular order, without the postponed ones.
  static var waiting: Query<SealedBatch> { Self.where { $0.phase == .waiting } }

  /// Returns the batches of a scope, oldest first.
  static func inOrder(of scope: ScopeID) -> Query<SealedBatch> {
    Self.where { $0.scope == scope }.order { $0.key }
  }

  /// Stores the progress of the batch, and the number of its last change.
  func saveProgress(_ writer: Writer) throws {
    try Self.where { $0.key == key }.update(writer) {
      [$0.phase.set(phase), $0.last.set(last), $0.attempts.set(attempts)]
    }
  }
}

// NB: Composed once for a schema, because they run with each request.

/// The queries of unanswered batches, which depend on the claimable kinds of a schema.
struct BatchQueries: Sendable {
  /// The batches that can be sent, in no particular order: those in scopes for which the account
  /// was granted a role, and in scopes of a claimable kind.
  let sendable: Query<SealedBatch>
  /// The batches that cannot be sent, in no particular order.
  let unsendable: Query<SealedBatch>
  /// The first sendable batch of each scope and device id, oldest first.
  let first: Selection<First>
  /// The key, scope, device, number of ops and size in bytes of the oldest batches that can be
  /// sent. Those of a scope that is to be pulled first are left out: its epoch is not that of the
  /// server's data.
  let oldest: SQL

  struct First: Sendable {
    let scope: ScopeID
    let device: DeviceID
    let number: Int64?
  }

  init(_ manifest: Manifest) {
    // NB: A lookup for each batch. There may be thousands of scopes, and mostly few batches.
    let isKnown = { (scope: SQLExpression<ScopeID>) in
      let isGranted = ScopeCursor.where { $0.scope == scope && $0.role != nil }.exists
      return manifest.claimableKinds.sorted().reduce(isGranted) { isKnown, kind in
        isKnown || scope.hasPrefix("\(kind)/")
      }
    }
    sendable = SealedBatch.waiting.where { isKnown($0.scope) }
    unsendable = SealedBatch.waiting.where { !isKnown($0.scope) }
    first = sendable.group { batch in
      batch.scope
      batch.device
    }.order { $0.key.min() }.select(First.init) { batch in
      batch.scope
      batch.device
      batch.number.min()
    }
    // NB: SQL, because a query of records would read all the content to find out its length.
    oldest = """
      SELECT k, scope, device, ops, length(content) FROM (\(sendable.sql)) AS batch
      WHERE NOT EXISTS (
        SELECT 1 FROM _cursor WHERE _cursor.scope = batch.scope
          AND role NOT IN (\(Int64(Role.revoked.rawValue)), \(Int64(Role.left.rawValue)))
          AND epoch NOT IN (0, (SELECT epoch FROM _state)))
      ORDER BY k LIMIT \(Int64(WireLimits.batchesPerPush))
      """
  }
}

extension Rejection: StoredMessage {
  static var samples: (Rejection, Rejection) { (Rejection(.gone, ""), Rejection(.forbidden, "")) }
}

extension Batch: StoredMessage {
  static var samples: (Batch, Batch) {
    let (scope, (first, second)) = (ScopeCodec.samples.0, DeviceID.samples)
    return (
      Batch(scope, number: 1, id: first.uuid, ops: []),
      Batch(scope, number: 1, id: second.uuid, ops: [])
    )
  }
}

/// The number of the part that each op of a batch belongs to.
private struct PartNumbers: WireCodable {
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

/// A codec that stores the numbers of parts in a BLOB.
enum PartNumberCodec: ColumnCodec {
  static var sqlType: String { "BLOB" }
  static var samples: ([Int], [Int]) { ([], [0]) }

  static func read(_ row: inout RowReader, _ index: Int32) -> [Int] {
    guard row.storageClass(index) == StoredValue.blobClass,
      let parts = try? PartNumbers(decoding: Array(row.bytes(index)))
    else {
      row.fail(index, expected: "the encoded numbers of parts")
      return []
    }
    return parts.numbers
  }

  static func bind(_ value: [Int], _ row: inout RowWriter, _ index: Int32) {
    PartNumbers(numbers: value).encoded().withUnsafeBytes { row.bind(blob: $0, index) }
  }
}

extension CodecKind where Codec == PartNumberCodec {
  /// The numbers of parts.
  static var partNumbers: Self { Self() }
}
