import Foundation
package import Offshore
import OffshoreWire

// The tables of rows, devices and batches in a server's file. A type that the rules also use is
// extended here; a type with the suffix `Record` exists only for its table.

/// The epoch of the data, in the only row of its table.
struct EpochRecord: Record {
  static let table = Table(
    "log", EpochRecord.init,
    Column("k", \.number).primaryKey().check("k = 1"),
    Column("epoch", \.epoch, as: .stored())
  ).strict()

  var number: Int64 = 1
  var epoch: UInt64
}

/// The manifest that the data is served under, in the only row of its table.
struct ManifestRecord: Record {
  static let table = Table(
    "manifest", ManifestRecord.init,
    Column("k", \.number).primaryKey().check("k = 1"),
    Column("json", \.json)
  ).strict()

  var number: Int64 = 1
  var json: Data
}

// MARK: - Scopes and rows

/// The state of a scope.
struct ScopeRecord: Record, Identifiable {
  static let table = Table(
    "scope", ScopeRecord.init,
    Column("id", \.id, as: .stored()).primaryKey(),
    Column("head", \.head),
    Column("min_seq", \.minSeq),
    Column("digest", \.digest, as: .stored()),
    Column("conflicts", \.conflicts),
    Column("epoch", \.epoch, as: .stored())
  ).strict().withoutRowID()

  let id: ScopeID
  let head: Int64
  let minSeq: Int64
  let digest: Digest
  let conflicts: Int64
  let epoch: UInt64
}

extension ScopeRecord {
  init(_ id: ScopeID, _ state: ScopeState) {
    self.init(
      id: id, head: state.head, minSeq: state.minSeq, digest: state.digest,
      conflicts: state.conflicts, epoch: state.epoch)
  }

  var state: ScopeState {
    ScopeState(head: head, minSeq: minSeq, digest: digest, conflicts: conflicts, epoch: epoch)
  }
}

/// A row or a tombstone.
///
/// Its stamp, versions and values are in `state`, encoded as in messages: no statement selects them
/// one by one.
struct RowRecord: Record {
  static let table = Table(
    "row", RowRecord.init,
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("seq", \.seq),
    Column("gen", \.generation),
    Column("presence", \.presence, as: .stored()),
    Column("state", \.state)
  ).index(\.scope, \.seq, name: "row_seq", isUnique: true).strict()

  let scope: ScopeID
  let tableName: String
  let id: String
  let seq: Int64
  let generation: Int64
  let presence: RowState.Presence
  let state: EncodedValue

  /// The columns that a page needs.
  struct Part {
    let tableName: String
    let id: String
    let seq: Int64
    let state: EncodedValue
  }
}

extension RowRecord {
  init(_ row: SyncedRow, in scope: ScopeID) {
    self.init(
      scope: scope, tableName: row.row.table, id: row.row.id, seq: row.seq,
      generation: row.state.generation, presence: row.state.presence,
      state: EncodedValue(row.state))
  }

  /// Returns a query for the rows of a scope after a sequence number, in the order of theirs.
  static func after(seq: Int64, in scope: ScopeID) -> Query<RowRecord> {
    RowRecord.where { $0.scope == scope && $0.seq > seq }.order { $0.seq }
  }

  /// Returns a query for the rows of one table in a scope after an id, in the order of their ids.
  static func of(
    _ table: String, after id: String, in scope: ScopeID
  ) -> Query<RowRecord> {
    RowRecord.where { $0.scope == scope && $0.tableName == table && $0.id > id }.order { $0.id }
  }

  /// Returns a query for the rows of a scope after a row, or for all of them, in the order of their
  /// ids.
  static func after(_ row: RowID?, in scope: ScopeID) -> Query<RowRecord> {
    let rows = RowRecord.where { $0.scope == scope }.order {
      $0.tableName
      $0.id
    }
    guard let row else { return rows }
    // Only the columns of the order count.
    return rows.after(
      RowRecord(
        scope: scope, tableName: row.table, id: row.id, seq: 0, generation: 0, presence: .living,
        state: EncodedValue(row)))
  }
}

/// A row that refers to another.
struct ReferenceRecord: Record {
  static let table = Table(
    "reference", ReferenceRecord.init,
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("parent_tbl", \.parentTable).primaryKey(),
    Column("parent_id", \.parentID).primaryKey(),
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey()
  ).strict().withoutRowID()

  let scope: ScopeID
  let parentTable: String
  let parentID: String
  let tableName: String
  let id: String
}

extension ReferenceRecord {
  init(from row: RowID, to parent: RowID, in scope: ScopeID) {
    self.init(
      scope: scope, parentTable: parent.table, parentID: parent.id, tableName: row.table, id: row.id
    )
  }
}

/// A numbered conflict of a row.
struct ConflictRecord: Record {
  static let table = Table(
    "conflict", ConflictRecord.init,
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("number", \.number).primaryKey(),
    Column("tbl", \.tableName),
    Column("id", \.id),
    Column("content", \.content)
  ).index(\.scope, \.tableName, \.id, \.number, name: "conflict_row").strict()

  let scope: ScopeID
  let number: Int64
  let tableName: String
  let id: String
  let content: EncodedValue
}

extension ConflictRecord {
  init(_ conflict: NumberedConflict, in scope: ScopeID) {
    self.init(
      scope: scope, number: conflict.number, tableName: conflict.conflict.row.table,
      id: conflict.conflict.row.id, content: EncodedValue(conflict.conflict))
  }

  var conflict: NumberedConflict {
    get throws { NumberedConflict(number: number, try Conflict(decoding: content.bytes)) }
  }
}

extension TombstoneMark: Record {
  package static let table = Table(
    "tombstone_mark", { TombstoneMark($0, seq: $1, time: $2) },
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("seq", \.seq).primaryKey(),
    Column("time", \.time)
  ).strict().withoutRowID()
}

// MARK: - Devices and batches

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
    Column("outcome", \.outcome)
  ).strict()

  let scope: ScopeID
  let device: DeviceID
  let number: Int64
  let hash: ContentHash
  let outcome: EncodedValue
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
