import Foundation
package import Offshore
import OffshoreWire

// The tables of scopes, rows and conflicts in a server's file. A type that the rules also use is
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
    Column("epoch", \.epoch, as: .stored()),
    Column("row_count", \.rows),
    Column("row_bytes", \.bytes),
    Column("payer", \.payer, as: .stored())
  ).index(\.payer, name: "scope_payer").strict().withoutRowID()

  let id: ScopeID
  let head: Int64
  let minSeq: Int64
  let digest: Digest
  let conflicts: Int64
  let epoch: UInt64
  let rows: Int64
  let bytes: Int64
  let payer: AccountID?
}

extension ScopeRecord {
  init(_ id: ScopeID, _ state: ScopeState) {
    self.init(
      id: id, head: state.head, minSeq: state.minSeq, digest: state.digest,
      conflicts: state.conflicts, epoch: state.epoch, rows: state.usage.rows,
      bytes: state.usage.bytes, payer: state.payer)
  }

  var state: ScopeState {
    ScopeState(
      head: head, minSeq: minSeq, digest: digest, conflicts: conflicts, epoch: epoch,
      usage: StorageUsage(rows: rows, bytes: bytes), payer: payer)
  }

  /// Returns the texts between which those of all scopes of a kind are, without both of them: a slash
  /// follows the kind, and `0` follows the slash.
  static func range(ofKind kind: String) -> Range<String> { "\(kind)/"..<"\(kind)0" }

  /// Returns the rows and bytes of all scopes that count for an account.
  static func usage(of account: AccountID, _ reader: Reader) throws -> StorageUsage {
    let scopes = ScopeRecord.where { $0.payer == account }
    return StorageUsage(
      rows: try scopes.sum(reader) { $0.rows }, bytes: try scopes.sum(reader) { $0.bytes })
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
    Column("state", \.state),
    Column("removed", \.removed)
  ).index(\.scope, \.seq, name: "row_seq", isUnique: true).strict()

  let scope: ScopeID
  let tableName: String
  let id: String
  let seq: Int64
  let generation: Int64
  let presence: RowState.Presence
  let state: EncodedValue
  /// The time of the oldest removal of a key that the row still has, in milliseconds since 1970.
  let removed: Int64?
}

extension RowRecord {
  init(_ row: SyncedRow, in scope: ScopeID) {
    self.init(
      scope: scope, tableName: row.row.table, id: row.row.id, seq: row.seq,
      generation: row.state.generation, presence: row.state.presence,
      state: EncodedValue(row.state), removed: row.state.oldestRemoval)
  }

  /// The rows of a scope after a sequence number, in the order of theirs.
  static func after(seq: Int64, in scope: ScopeID) -> SQL {
    "scope = \(scope.text) AND seq > \(seq) ORDER BY seq"
  }

  /// The rows of one table in a scope after an id, in the order of their ids.
  static func of(_ table: String, after id: String, in scope: ScopeID) -> SQL {
    "scope = \(scope.text) AND tbl = \(table) AND id > \(id) ORDER BY id"
  }

  /// The rows of a scope after a row, or all of them, in the order of their ids.
  static func after(_ row: RowID?, in scope: ScopeID) -> SQL {
    guard let row else { return "scope = \(scope.text) ORDER BY tbl, id" }
    return """
      scope = \(scope.text) AND (tbl, id) > (\(row.table), \(row.id)) ORDER BY tbl, id
      """
  }

  /// The statement of ``run(_:limit:bytes:_:)``.
  static func select(_ rows: SQL, limit: Int) -> SQL {
    #"SELECT tbl, id, seq, state FROM "row" WHERE \#(rows) LIMIT \#(limit)"#
  }

  /// Returns the first rows with a condition, in its order.
  ///
  /// NB: SQL, because it runs for each scope of a pull. Composing a query took longer than running it,
  /// and the values of a selection take longer than columns that are decoded one by one.
  static func run(
    _ rows: SQL, limit: Int, bytes: Int, _ reader: Reader
  ) throws -> RowRun {
    var room = bytes
    let statement = select(rows, limit: limit)
    let kept = try reader.connection.fetch(statement, columns: 4, until: room <= 0) { found in
      let row = RowID(table: try found.value(String.self), id: try found.value(String.self))
      let seq = try found.value(Int64.self)
      let state = try found.value(EncodedValue.self).bytes
      room -= state.count
      return try StoredRow(row, seq: seq, state: state)
    }
    return RowRun(kept, isCut: kept.count >= limit || room <= 0)
  }

  /// Returns whether a row exists or why it does not, without reading its values.
  ///
  /// NB: SQL with its own columns, because it runs for each reference of a push.
  static func presence(
    of row: RowID, in scope: ScopeID, _ reader: Reader
  ) throws -> RowState.Presence? {
    try SQL(
      """
      SELECT presence FROM "row"
      WHERE scope = \(scope.text) AND tbl = \(row.table) AND id = \(row.id)
      """
    ).first(reader, as: \RowRecord.presence)
  }

  /// Returns the rows with the oldest removed keys.
  ///
  /// NB: The condition on NULL makes SQLite use the partial index.
  static func withRemovedKeys(
    before time: Int64, limit: Int, _ reader: Reader
  ) throws -> [(scope: ScopeID, row: RowID)] {
    try SQL(
      """
      SELECT scope, tbl, id FROM "row" WHERE removed IS NOT NULL AND removed <= \(time)
      ORDER BY removed LIMIT \(limit)
      """
    ).all(reader, as: String.self, String.self, String.self)
      .map { (try ScopeID($0), RowID(table: $1, id: $2)) }
  }

  /// Removes the first tombstones of a scope up to a number.
  ///
  /// NB: SQLite uses the index of tombstones only for a condition with its literal, not with a bound
  /// value (<https://sqlite.org/partialindex.html>).
  static func removeTombstones(
    in scope: ScopeID, upTo seq: Int64, limit: Int, _ writer: Writer
  ) throws -> Int {
    try SQL(
      """
      DELETE FROM "row" WHERE rowid IN (
        SELECT rowid FROM "row" WHERE scope = \(scope.text) AND seq <= \(seq) AND presence <> 0
        ORDER BY seq LIMIT \(limit))
      """
    ).run(writer)
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

  /// Returns the first rows that refer to a row and follow another row.
  static func referrers(
    of row: RowID, in scope: ScopeID, after last: RowID?, limit: Int, _ reader: Reader
  ) throws -> [RowID] {
    try SQL(
      """
      SELECT tbl, id FROM reference
      WHERE scope = \(scope.text) AND parent_tbl = \(row.table) AND parent_id = \(row.id)
        AND (tbl, id) > (\(last?.table ?? ""), \(last?.id ?? ""))
      ORDER BY tbl, id LIMIT \(limit)
      """
    ).all(reader, as: String.self, String.self).map { RowID(table: $0, id: $1) }
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
    Column("content", \.content),
    Column("time", \.time)
  ).index(\.scope, \.tableName, \.id, \.number, name: "conflict_row")
    .index(\.time, name: "conflict_time").strict()

  let scope: ScopeID
  let number: Int64
  let tableName: String
  let id: String
  let content: EncodedValue
  /// The server's clock when the conflict was stored, in milliseconds since 1970.
  let time: Int64
}

extension ConflictRecord {
  init(_ conflict: NumberedConflict, in scope: ScopeID, at time: Int64) {
    self.init(
      scope: scope, number: conflict.number, tableName: conflict.conflict.row.table,
      id: conflict.conflict.row.id, content: EncodedValue(conflict.conflict), time: time)
  }

  /// Removes the oldest conflicts up to a time.
  static func remove(before time: Int64, limit: Int, _ writer: Writer) throws -> Int {
    try SQL(
      """
      DELETE FROM "conflict" WHERE rowid IN (
        SELECT rowid FROM "conflict" WHERE time <= \(time) ORDER BY time LIMIT \(limit))
      """
    ).run(writer)
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
