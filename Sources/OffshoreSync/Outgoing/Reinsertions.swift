import Offshore
import OffshoreWire

/// The insertions that no server has and whose rows have changed since: they are made again with the
/// present values. One that is to be sent stays in its batch, so that the order of changes and the rows that
/// were written together stay as they are.
///
/// Otherwise the server would receive the former values, too, or refuse the change of a row that it does
/// not have.
struct Reinsertions {
  /// The place of an insertion.
  struct Place {
    /// The version of the row before it, or `nil` if there was none.
    let version: RowVersion?
    /// The generation that it begins. Changes of earlier ones stay.
    let generation: Int64
    /// The key of the batch that is to be sent with it, or `nil` if it was refused.
    let batch: Int64?
  }

  /// The places of the insertions in their scopes.
  private(set) var places: [RowID: [ScopeID: Place]] = [:]
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
    // The change of a row is not that of a hidden one with its id in another scope.
    let absent = try ShadowRow.where {
      $0.tableName == table.name && $0.id.in(shadowed) && $0.reason == nil
    }.all(writer).filter { $0.confirmed?.isLiving != true }
    let kept = Dictionary(
      grouping: try StoredRefusal.kept(schema, writer, of: Set(absent.map(\.row))), by: \.row)
    var unsent = UnsentBatches(writer)
    // The stamps of a batch are those of its device.
    let device = try ReplicaState(writer).device
    for (scope, shadows) in Dictionary(grouping: absent, by: \.scope) {
      let queue = try ScopeQueue(scope, writer)
      for shadow in shadows {
        let refused = (kept[shadow.row] ?? []).filter { $0.scope == scope }
        let own = queue.batches(of: shadow.row)
        guard !refused.isEmpty || queue.inserts(shadow.row), queue.canReplace(shadow.row),
          try own.allSatisfy({
            try unsent.contains($0) && ($0.phase == .postponed || $0.device == device)
          })
        else { continue }
        let puts = own.flatMap { sealed in
          sealed.batch.ops.filter { $0.row == shadow.row && $0.kind == .put }.map { (sealed, $0) }
        }
        places[shadow.row, default: [:]][scope] = Place(
          version: shadow.confirmed.map { RowVersion($0, in: table) },
          generation: puts.map(\.1.generation).max() ?? 0,
          batch: puts.last { $0.0.phase == .waiting }?.0.key)
        for sealed in own { if let key = sealed.key { batches[key] = sealed } }
        refusals += refused
      }
    }
  }

  /// Retains the former insertion of a row, because the change of it cannot be sent.
  mutating func retain(_ row: RowID) { places[row] = nil }

  /// Replaces the former insertions. Call it before other changes are stored.
  /// - Parameter units: the changes to seal, from which those are removed that are stored.
  func run(_ units: inout [ScopeID: [BatchPlan.Unit]], _ writer: Writer) throws {
    guard !places.isEmpty else { return }
    let ops = units.mapValues { units in
      Dictionary(units.map { ($0.row, $0.ops) }, uniquingKeysWith: { $1 })
    }
    var stored: [ScopeID: Set<RowID>] = [:]
    try UnsentBatches.replace(Array(batches.values), writer) { sealed in
      sealed.with(
        zip(sealed.batch.ops, sealed.parts).flatMap { op, part in
          guard let place = places[op.row]?[sealed.scope], op.generation >= place.generation else {
            return [(op, part)]
          }
          guard op.kind == .put, let key = place.batch, key == sealed.key,
            let new = ops[sealed.scope]?[op.row],
            stored[sealed.scope, default: []].insert(op.row).inserted
          else { return [] }
          return new.map { ($0, part) }
        })
    }
    for (scope, rows) in stored { units[scope]?.removeAll { rows.contains($0.row) } }
    for refusal in refusals where places[refusal.row] != nil {
      try StoredRefusal.where { $0.number == refusal.number }.delete(writer)
    }
  }
}

/// The sealed batches of a scope, by the rows that they change.
private struct ScopeQueue {
  private let all: [SealedBatch]
  private var places: [RowID: [Int]] = [:]
  private var inserted: Set<RowID> = []
  private var moved: Set<RowID> = []
  /// The place of the last command about a member.
  private var lastCommand = -1

  init(_ scope: ScopeID, _ reader: Reader) throws {
    all = try SealedBatch.inOrder(of: scope).all(reader)
    for (place, sealed) in all.enumerated() {
      if MemberCommand(sealed.batch) != nil { lastCommand = place }
      for op in sealed.batch.ops {
        if places[op.row]?.last != place { places[op.row, default: []].append(place) }
        switch op.kind {
        case .put: inserted.insert(op.row)
        case .move: moved.insert(op.row)
        case .patch, .increment, .delete: break
        }
      }
    }
  }

  /// Returns the batches that change a row.
  func batches(of row: RowID) -> [SealedBatch] { (places[row] ?? []).map { all[$0] } }

  func inserts(_ row: RowID) -> Bool { inserted.contains(row) }

  /// Returns whether the insertion of a row can be replaced: the row has not moved, and no command
  /// about a member comes between the insertion and the change.
  func canReplace(_ row: RowID) -> Bool {
    !moved.contains(row)
      && (places[row] ?? []).allSatisfy { place in
        all[place].phase == .postponed || place > lastCommand
      }
  }
}
