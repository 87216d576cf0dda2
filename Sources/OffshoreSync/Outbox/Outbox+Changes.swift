import Foundation
public import Offshore
import OffshoreWire

extension Outbox {
  /// What this device has done and the server has not confirmed, row by row, the oldest first.
  ///
  /// What was undone is left out, as where a row was inserted and deleted.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`; `WireError` where a batch is
  ///   not what was written.
  public func changes(_ reader: Reader) throws -> [OutboxChange] {
    (try SealedChanges(reader: reader).all() + (try captured(reader))).sorted {
      ($0.date ?? .max, $0.transaction ?? .min, $0.row)
        < ($1.date ?? .max, $1.transaction ?? .min, $1.row)
    }
  }

  /// What is captured and not sealed, row by row.
  func captured(_ reader: Reader) throws -> [OutboxChange] {
    guard try SQL("SELECT EXISTS (SELECT 1 FROM _outbox)").one(reader, as: Bool.self) == true else {
      return []
    }
    let journal = Journal(reader: reader, layout: try CaptureLayout(reader), schema: schema)
    let moments = Dictionary(
      try SQL("SELECT batch, at FROM _moment").all(reader, as: Int64.self, Int64.self),
      uniquingKeysWith: { $1 })
    let entries = Dictionary(grouping: try journal.entries(where: "TRUE"), by: \.key.table)
    return try entries.flatMap { number, rows -> [OutboxChange] in
      guard let table = schema[journal.layout.tables[number].name] else { return [] }
      let now = try journal.rows(table, in: "SELECT id FROM _outbox WHERE tbl = \(number)")
      return rows.compactMap { key, entries in
        OutboxChange(entries, of: key.id, in: table.name, current: now[key.id], moments)
      }
    }
  }
}

extension OutboxChange {
  /// What entries of the journal come to, or `nil` where that is nothing.
  fileprivate init?(
    _ entries: [JournalEntry], of id: WireValue, in table: String, current: [String: WireValue]?,
    _ moments: [Int64: Int64]
  ) {
    let change = RowChange(entries, before: [], current: current)
    guard let id = id.string, let last = entries.last,
      !change.isUndone || !change.restated.isEmpty
    else { return nil }
    self.init(
      row: RowID(table: table, id: id),
      kind: change.wasThere ? change.new == nil ? .deleted : .updated : .inserted,
      former: change.old, date: moments[last.transaction], transaction: last.transaction)
  }
}

/// Tells what the sealed batches do that wait for their answer.
private struct SealedChanges {
  let reader: Reader

  func all() throws -> [OutboxChange] {
    let waiting: SQL = "phase = \(SealedBatch.Phase.waiting.rawValue)"
    var changes: [RowID: OutboxChange] = [:]
    for sealed in try SealedBatch.all(where: waiting, reader) {
      for op in sealed.batch.ops { try add(op, made: sealed.made, to: &changes) }
    }
    return Array(changes.values)
  }

  private func add(_ op: Op, made: Int64, to changes: inout [RowID: OutboxChange]) throws {
    let former = changes[op.row]
    let kind: OutboxChange.Kind =
      switch op.kind {
      case .put: former?.kind == .deleted ? .updated : .inserted
      case .delete: .deleted
      case .patch, .increment, .move: former?.kind ?? .updated
      }
    changes[op.row] = OutboxChange(
      row: op.row, kind: kind, former: kind == .deleted ? try confirmed(op.row) : [:],
      date: former?.date ?? made, transaction: nil)
  }

  /// The values that the server has of a row.
  private func confirmed(_ row: RowID) throws -> [String: WireValue] {
    let states = try SQL(
      "SELECT state FROM _shadow WHERE tbl = \(row.table) AND id = \(row.id) AND state IS NOT NULL"
    ).all(reader, as: Data.self)
    return try states.first.map { try RowState(decoding: Array($0)).fields } ?? [:]
  }
}
