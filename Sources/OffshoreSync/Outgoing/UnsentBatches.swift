import Foundation
import Offshore
import OffshoreWire

/// The sealed batches of which no server has anything: they were never part of a request, or were refused.
struct UnsentBatches {
  private let reader: Reader
  private var cursors: [ScopeID: ScopeCursor] = [:]

  init(_ reader: Reader) { self.reader = reader }

  mutating func contains(_ sealed: SealedBatch) throws -> Bool {
    switch sealed.phase {
    case .applied: return false
    case .postponed: return true
    case .waiting: break
    }
    guard !sealed.followsRestore else { return false }
    let cursor = try cursors[sealed.scope] ?? ScopeCursor.of(sealed.scope, reader)
    cursors[sealed.scope] = cursor
    return cursor.device == sealed.device && sealed.number > cursor.offered
  }

  /// Removes ops from batches that are still unsent.
  /// - Parameter isRemoved: returns whether an op is removed.
  static func remove(
    from batches: [SealedBatch], _ writer: Writer, where isRemoved: (Op) -> Bool
  ) throws {
    // NB: The others are numbered again when a batch is deleted, so those with other ops come first.
    var empty: [Int64] = []
    for sealed in batches {
      if let rest = sealed.without(where: isRemoved) {
        try rest.save(writer)
      } else if let key = sealed.key {
        empty.append(key)
      }
    }
    for key in empty {
      guard let sealed = try SealedBatch.where({ $0.key == key }).first(writer) else { continue }
      if sealed.phase == .postponed {
        try sealed.delete(writer)
      } else {
        try BatchQueue(writer: writer, makeID: UUID.init).cancel(sealed)
      }
    }
  }
}

/// The insertions that no server has and whose rows have changed since: they are made again with the
/// present values.
///
/// Otherwise the server would receive the former values, too, or refuse the change of a row that it does
/// not have.
struct Reinsertions {
  /// The scopes of the insertions, and the versions of the rows before them.
  private(set) var places: [RowID: [ScopeID: RowVersion?]] = [:]
  private var batches: [Int64: SealedBatch] = [:]
  private var refusals: [StoredRefusal] = []

  /// Adds those of a table's rows.
  /// - Parameter ids: a query of the ids of changed rows.
  mutating func add(
    _ table: SyncedTable, in ids: SQL, _ schema: SyncSchema, _ writer: Writer
  ) throws {
    // NB: SQL, because most changed rows have no shadow.
    let shadowed = try SQL(
      "SELECT id FROM _shadow WHERE tbl = \(table.name) AND id IN (\(ids))"
    ).all(writer, as: String.self)
    guard !shadowed.isEmpty else { return }
    let absent = try ShadowRow.where { $0.tableName == table.name && $0.id.in(shadowed) }
      .all(writer).filter { $0.confirmed?.isLiving != true }
    let rows = Set(absent.map(\.row))
    let kept = try StoredRefusal.kept(schema, writer, of: rows)
    var unsent = UnsentBatches(writer)
    for (scope, shadows) in Dictionary(grouping: absent, by: \.scope) {
      let queued = try SealedBatch.inOrder(of: scope).all(writer)
      for shadow in shadows {
        let own = queued.filter { $0.batch.ops.contains { $0.row == shadow.row } }
        let refused = kept.filter { $0.row == shadow.row && $0.scope == scope }
        guard try own.allSatisfy({ try unsent.contains($0) }),
          !refused.isEmpty || own.contains(where: { $0.inserts(shadow.row) }),
          !isNeeded(shadow.row, by: queued, own, schema.manifest)
        else { continue }
        let version: RowVersion? = shadow.confirmed.map { RowVersion($0, in: table) }
        places[shadow.row, default: [:]].updateValue(version, forKey: scope)
        for sealed in own { if let key = sealed.key { batches[key] = sealed } }
        refusals += refused
      }
    }
  }

  /// Returns whether the insertion has to stay where it is: the row has moved, or other batches that are
  /// about to be sent refer to it.
  private func isNeeded(
    _ row: RowID, by queued: [SealedBatch], _ own: [SealedBatch], _ manifest: Manifest
  ) -> Bool {
    let ops = own.flatMap { $0.batch.ops.filter { $0.row == row } }
    if ops.contains(where: { if case .move = $0.kind { true } else { false } }) { return true }
    guard own.contains(where: { $0.phase == .waiting }) else { return false }
    return queued.contains { sealed in
      sealed.batch.ops.contains { op in op.row != row && op.refers(to: row, manifest) }
    }
  }

  /// Retains the former insertion of a row, because the change of it cannot be sent.
  mutating func retain(_ row: RowID) { places[row] = nil }

  /// Removes the former insertions. Call it before the present ones are stored.
  func remove(_ writer: Writer) throws {
    try UnsentBatches.remove(from: Array(batches.values), writer) { places[$0.row] != nil }
    for refusal in refusals where places[refusal.row] != nil {
      try StoredRefusal.where { $0.number == refusal.number }.delete(writer)
    }
  }
}

extension SealedBatch {
  fileprivate func inserts(_ row: RowID) -> Bool {
    batch.ops.contains { $0.row == row && $0.kind == .put }
  }
}

extension Op {
  /// Returns whether a field of the op refers to a row.
  fileprivate func refers(to other: RowID, _ manifest: Manifest) -> Bool {
    (manifest[row.table]?.references ?? []).contains { column in
      column.reference == other.table && fields[column.name]?.string == other.id
    }
  }
}

extension Replica {
  /// Computes the visible state of rows again whose changes were taken back.
  func showAgain(_ rows: some Sequence<RowID>, _ writer: Writer, at now: Int64) throws {
    let cursors = try cursors(writer)
    try writer.applying {
      var application = try application(writer, cursors, at: now)
      for row in rows { try application.touch(row) }
      try application.finish()
      try derive(from: application, writer)
    }
  }

  /// Undoes sealed changes of rows that no server has, together with the later changes of these rows.
  /// - Parameter isDeletion: whether only the deletions of the rows are undone.
  /// - Returns: `false` if the server may have one of the changes, or if other rows refer to an inserted one.
  func takeBack(
    _ rows: Set<RowID>, isDeletion: Bool, _ writer: Writer, at now: Int64
  ) throws -> Bool {
    let isTakenBack = { (op: Op) in
      rows.contains(op.row) && (!isDeletion || op.kind == .delete)
    }
    let batches = try SealedBatch.pending.order { $0.key }.all(writer)
      .filter { $0.batch.ops.contains(where: isTakenBack) }
    var unsent = UnsentBatches(writer)
    guard !batches.isEmpty, try batches.allSatisfy({ try unsent.contains($0) }) else {
      return false
    }
    let inserted = Set(
      batches.flatMap { $0.batch.ops.filter { rows.contains($0.row) && $0.kind == .put } }
        .map(\.row))
    let visible = VisibleRows(schema: schema, writer: writer)
    if !isDeletion {
      for row in inserted
      where try visible.referrers(to: row).contains(where: { !rows.contains($0) }) {
        return false
      }
      try outbox.cancel(Array(rows), writer)
    }
    try UnsentBatches.remove(from: batches, writer, where: isTakenBack)
    try showAgain(rows, writer, at: now)
    return true
  }
}
