import OffshoreWire

/// The rows that a device's pending batches will insert into scopes or move to them.
///
/// Scopes have no common order, and batches that are sealed again come later. So a batch may be
/// refused because a row that it needs has not arrived yet. That row may in turn need others that
/// have not arrived.
struct AwaitedRows {
  /// The codes with which the server refuses a batch that arrives too early.
  static let codes: Set<Rejection.Code> = [.gone, .missingReference, .dependency]

  private struct Place: Hashable {
    let scope: ScopeID
    let row: RowID
  }

  private let manifest: Manifest
  private var arrivals: Set<Place> = []
  private var insertions: Set<Place> = []
  /// The rows that the pending batches refer to.
  private var needed: Set<Place> = []

  /// - Parameter waiting: the batches that are to be sent, without the refused one.
  init(_ waiting: [SealedBatch], _ manifest: Manifest) {
    self.manifest = manifest
    for batch in waiting.map(\.batch) {
      for op in batch.ops {
        let scope = Self.scope(of: op, in: batch)
        for parent in manifest.parents(of: op) { needed.insert(Place(scope: scope, row: parent)) }
        switch op.kind {
        case .move: arrivals.insert(Place(scope: scope, row: op.row))
        case .put: insertions.insert(Place(scope: scope, row: op.row))
        case .patch, .increment, .delete: break
        }
      }
    }
  }

  /// Returns the rows of a refused batch to send again, after the rows that they need.
  ///
  /// Changes that were written together stay together, unless a pending batch needs one of their
  /// rows.
  /// - Returns: an empty set if the batch was refused for another reason than an awaited row.
  func tooEarly(in sealed: SealedBatch, _ rejection: Rejection) -> Set<RowID> {
    guard isEarly(sealed.batch, rejection) else { return [] }
    let early = dependents(in: sealed.batch)
    let parts = Dictionary(grouping: zip(sealed.parts, sealed.batch.ops), by: \.0)
      .mapValues { $0.map(\.1) }
    var rows: Set<RowID> = []
    for ops in parts.values {
      let own = Set(ops.map(\.row))
      guard !own.isDisjoint(with: early) else { continue }
      let isNeeded = own.contains {
        needed.contains(Place(scope: sealed.batch.scope, row: $0))
      }
      rows.formUnion(isNeeded ? own.intersection(early) : own)
    }
    return rows
  }

  private func isEarly(_ batch: Batch, _ rejection: Rejection) -> Bool {
    guard let row = rejection.row else { return false }
    switch rejection.code {
    case .gone: return arrivals.contains(Place(scope: batch.scope, row: row))
    case .missingReference, .dependency:
      return batch.ops.contains { op in
        op.row == row
          && manifest.parents(of: op, by: rejection.field).contains {
            isAwaited($0, in: Self.scope(of: op, in: batch))
          }
      }
    default: return false
    }
  }

  /// Returns the rows of a batch that are awaited, or that refer to awaited rows directly or
  /// through other rows.
  private func dependents(in batch: Batch) -> Set<RowID> {
    var early: Set<RowID> = []
    var children: [RowID: [RowID]] = [:]
    for op in batch.ops {
      let scope = Self.scope(of: op, in: batch)
      let parents = manifest.parents(of: op)
      for parent in parents { children[parent, default: []].append(op.row) }
      let isArrival = arrivals.contains(Place(scope: batch.scope, row: op.row))
      if isArrival || parents.contains(where: { isAwaited($0, in: scope) }) { early.insert(op.row) }
    }
    var reached = Array(early)
    while let row = reached.popLast() {
      for child in children[row] ?? [] where early.insert(child).inserted { reached.append(child) }
    }
    return early
  }

  private func isAwaited(_ row: RowID, in scope: ScopeID) -> Bool {
    let place = Place(scope: scope, row: row)
    return arrivals.contains(place) || insertions.contains(place)
  }

  /// Returns the scope in which an op's references are resolved.
  private static func scope(of op: Op, in batch: Batch) -> ScopeID {
    if case .move(let target) = op.kind { target } else { batch.scope }
  }
}

extension Manifest {
  /// Returns the rows that an op's fields refer to.
  /// - Parameter field: the only field to consider, or `nil` for all.
  func parents(of op: Op, by field: String? = nil) -> [RowID] {
    (self[op.row.table]?.references ?? []).compactMap { column in
      guard field == nil || field == column.name, let target = column.reference,
        let id = op.fields[column.name]?.string
      else { return nil }
      return RowID(table: target, id: id)
    }
  }
}
