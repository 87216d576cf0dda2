import Foundation
public import Offshore
import OffshoreWire

extension Outbox {
  /// Returns this device's pending changes, row by row, the oldest first.
  ///
  /// Changes that cancel each other out are left out, such as the insertion and deletion of a row.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`; `WireError` if a batch
  ///   cannot be parsed.
  public func changes(_ reader: Reader) throws -> [OutboxChange] {
    (try SealedChanges(reader: reader).all() + (try captured(reader))).sorted {
      ($0.date ?? .max, $0.transaction ?? .min, $0.row)
        < ($1.date ?? .max, $1.transaction ?? .min, $1.row)
    }
  }

  /// Returns the captured changes that are not sealed yet, row by row.
  func captured(_ reader: Reader) throws -> [OutboxChange] {
    guard try SQL("SELECT EXISTS (SELECT 1 FROM _outbox)").first(reader, as: Bool.self) == true
    else {
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
  /// Combines the journal's entries of a row. Returns `nil` if they cancel each other out.
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

/// The changes of the sealed batches that are not answered yet.
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

  /// Returns the confirmed values of a row.
  private func confirmed(_ row: RowID) throws -> [String: WireValue] {
    let states = try SQL(
      "SELECT state FROM _shadow WHERE tbl = \(row.table) AND id = \(row.id) AND state IS NOT NULL"
    ).all(reader, as: Data.self)
    return try states.first.map { try RowState(decoding: Array($0)).fields } ?? [:]
  }
}
