import Foundation
import Offshore
import OffshoreWire

// The tables of devices, and of the results and refused ops of their batches, in a server's file.

/// The state of a device in a scope.
struct DeviceRecord: Record {
  static let table = Table(
    "device", DeviceRecord.init,
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("device", \.device, as: .stored()).primaryKey(),
    Column("last_n", \.lastNumber),
    Column("acked_seq", \.acknowledged),
    Column("has_refusals", \.hasRefusals),
    Column("account", \.account, as: .stored()),
    Column("forbidden_ops", \.forbiddenOps)
  ).index(\.device, \.account, name: "device_owner").strict().withoutRowID()

  let scope: ScopeID
  let device: DeviceID
  let lastNumber: Int64
  let acknowledged: Int64
  let hasRefusals: Bool
  let account: AccountID?
  let forbiddenOps: Int64
}

extension DeviceRecord {
  init(_ device: DeviceID, in scope: ScopeID, _ state: StoredDevice) {
    self.init(
      scope: scope, device: device, lastNumber: state.lastNumber,
      acknowledged: state.acknowledged, hasRefusals: state.hasRefusals, account: state.account,
      forbiddenOps: state.forbiddenOps)
  }

  var state: StoredDevice {
    StoredDevice(
      account: account, lastNumber: lastNumber, acknowledged: acknowledged,
      hasRefusals: hasRefusals, forbiddenOps: forbiddenOps)
  }
}

/// The final result of a batch.
struct ResultRecord: Record {
  static let table = Table(
    "result", ResultRecord.init,
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("device", \.device, as: .stored()).primaryKey(),
    Column("n", \.number).primaryKey(),
    Column("hash", \.hash, as: .stored()),
    Column("outcome", \.outcome),
    Column("id", \.id, as: .blob),
    Column("time", \.time)
  ).index(\.device, \.id, \.scope, name: "result_id").strict().withoutRowID()

  let scope: ScopeID
  let device: DeviceID
  let number: Int64
  let hash: ContentHash
  let outcome: EncodedValue
  let id: UUID?
  let time: Int64
}

extension ResultRecord {
  init(_ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID) {
    self.init(
      scope: scope, device: device, number: number, hash: result.hash,
      outcome: EncodedValue(result.outcome), id: result.id, time: result.time)
  }

  var result: StoredResult {
    get throws {
      StoredResult(
        id: id, hash: hash, outcome: try BatchResult.Outcome(decoding: outcome.bytes), time: time)
    }
  }

  /// Returns the number of a device's batch with an id.
  static func number(
    ofID id: UUID, by device: DeviceID, in scope: ScopeID, _ reader: Reader
  ) throws -> Int64? {
    try SQL(
      """
      SELECT n FROM result
      WHERE device = \(device.stored) AND id = \(id, as: .blob) AND scope = \(scope.text)
      """
    ).first(reader, as: Int64.self)
  }

  /// Returns the first devices with old results before their last ones.
  ///
  /// The results of a device are in the order of time, so only its first one is read.
  static func senders(
    before time: Int64, keeping count: Int64, limit: Int, _ reader: Reader
  ) throws -> [BatchSender] {
    try SQL(
      """
      SELECT scope, device FROM device d WHERE last_n > \(count) AND (
        SELECT time FROM result r
        WHERE r.scope = d.scope AND r.device = d.device AND r.n <= d.last_n - \(count)
        ORDER BY r.n LIMIT 1) <= \(time)
      LIMIT \(limit)
      """
    ).all(reader, as: String.self, Data.self)
      .map { BatchSender(try ScopeID($0), try DeviceID(stored: $1)) }
  }

  /// Removes the first results of a device up to a number and a time.
  static func remove(
    of sender: BatchSender, upTo number: Int64, before time: Int64, limit: Int, _ writer: Writer
  ) throws -> Int {
    let (scope, device) = (sender.scope.text, sender.device.stored)
    return try SQL(
      """
      DELETE FROM result WHERE scope = \(scope) AND device = \(device) AND n IN (
        SELECT n FROM (
          SELECT n, time FROM result WHERE scope = \(scope) AND device = \(device) AND n <= \(number)
          ORDER BY n LIMIT \(limit))
        WHERE time <= \(time))
      """
    ).run(writer)
  }
}

/// An op of a rejected batch. The numbers of ops are in the order of arrival.
struct RefusalRecord: Record {
  static let table = Table(
    "refusal", RefusalRecord.init,
    Column("k", \.number).primaryKey(),
    Column("scope", \.scope, as: .stored()),
    Column("device", \.device, as: .stored()),
    Column("tbl", \.tableName),
    Column("id", \.id),
    Column("gen", \.generation),
    Column("is_insertion", \.isInsertion),
    Column("stamp", \.stamp)
  ).index(\.scope, \.device, \.tableName, \.id, name: "refusal_row").strict()

  /// The number of the op, or `nil` before it is stored.
  var number: Int64?
  let scope: ScopeID
  let device: DeviceID
  let tableName: String
  let id: String
  let generation: Int64
  let isInsertion: Bool
  let stamp: EncodedValue
}

extension RefusalRecord {
  init(_ refusal: Refusal, by device: DeviceID, in scope: ScopeID) {
    self.init(
      scope: scope, device: device, tableName: refusal.row.table, id: refusal.row.id,
      generation: refusal.generation, isInsertion: refusal.isInsertion,
      stamp: EncodedValue(refusal.stamp))
  }

  var refusal: Refusal {
    get throws {
      Refusal(
        RowID(table: tableName, id: id), generation: generation, isInsertion: isInsertion,
        stamp: try Stamp(decoding: stamp.bytes))
    }
  }

  /// Returns a query for a device's refused ops on a row.
  static func of(_ row: RowID, by device: DeviceID, in scope: ScopeID) -> Query<RefusalRecord> {
    RefusalRecord.where {
      $0.scope == scope && $0.device == device && $0.tableName == row.table && $0.id == row.id
    }
  }
}
