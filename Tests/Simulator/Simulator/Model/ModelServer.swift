import OffshoreWire

/// The expected state of all rows after the batches that the server applied, in the same order.
struct ModelServer {
  /// One change of one row, which must take effect only once.
  struct Effect: Hashable {
    let row: RowID
    let scope: ScopeID
    let kind: Op.Kind
    let stamp: Stamp
  }

  private(set) var scopes: [ScopeID: [RowID: ModelRow]] = [:]
  /// The batches that took effect, as scope, device and number.
  private var taken: Set<String> = []
  private var effects: Set<Effect> = []
  var merge = ModelMerge()
  /// The milliseconds by which a stamp may be ahead of the server's clock.
  private let tolerance: Int64

  init(tolerance: Int64) { self.tolerance = tolerance }

  /// Applies a batch.
  /// - Parameter isEffective: Whether an op has an effect.
  /// - Returns: The invariants that the server violated by applying it.
  mutating func apply(
    _ batch: Batch, of device: DeviceID, at now: Int64,
    where isEffective: (Op) -> Bool = { _ in true }
  ) -> [Violation] {
    guard taken.insert("\(batch.scope) \(device) \(batch.number)").inserted else {
      return [Violation(.effectOnce, "Batch \(batch.number) in \(batch.scope) was applied twice.")]
    }
    var violations: [Violation] = []
    /// The rows that the batch ends, in the order in which it last changed them.
    var ended: [RowID] = []
    for op in batch.ops {
      let effect = Effect(row: op.row, scope: batch.scope, kind: op.kind, stamp: op.stamp)
      if !effects.insert(effect).inserted {
        violations.append(
          Violation(.effectOnce, "An edit of \(op.row) in \(batch.scope) was applied twice."))
      }
      guard isEffective(op) else { continue }
      violations += apply(op, in: batch.scope, at: now, &ended)
    }
    releaseReferences(to: ended, in: batch.scope)
    return violations
  }

  private mutating func apply(
    _ op: Op, in scope: ScopeID, at now: Int64, _ ended: inout [RowID]
  ) -> [Violation] {
    // A deletion of a deleted letter has no effect: whose it is cannot be known any more.
    if op.row.table == Letter.name, op.kind == .delete,
      scopes[scope]?[op.row]?.isLiving == false
    {
      return []
    }
    let edit = ModelEdit(op, notAfter: now + tolerance, over: scopes[scope]?[op.row])
    do throws(ModelMerge.Refusal) {
      let before = scopes[scope]?[op.row]
      let carried = try merge.apply(edit, &scopes[scope, default: [:]][op.row])
      if let row = scopes[scope]?[op.row], row != before {
        ended.removeAll { $0 == op.row }
        if !row.isLiving { ended.append(op.row) }
      }
      if case .move(let target) = op.kind, let carried { arrive(edit, carried, in: target) }
      return []
    } catch {
      return [Violation(.model, "The server took an edit of \(op.row) that is \(error).")]
    }
  }

  private mutating func arrive(
    _ edit: ModelEdit, _ fields: [String: WireValue], in scope: ScopeID
  ) {
    let known = scopes[scope]?[edit.row]
    let generation = known.map { $0.isLiving ? $0.generation : $0.generation + 1 } ?? 1
    let arrival = ModelEdit(arrivalOf: edit, carrying: fields, generation: generation)
    // An arrival is valid in any state of the row.
    _ = try? merge.apply(arrival, &scopes[scope, default: [:]][edit.row])
  }

  // MARK: - References

  /// Clears optional references to rows that ended, and deletes the rows that require them.
  private mutating func releaseReferences(to ended: [RowID], in scope: ScopeID) {
    var ended = ended
    var place = 0
    while place < ended.count {
      let parent = ended[place]
      place += 1
      guard let stamp = scopes[scope]?[parent]?.stamp else { continue }
      for row in (scopes[scope] ?? [:]).keys.sorted() {
        guard var known = scopes[scope]?[row], known.isLiving else { continue }
        if Self.required(row.table).contains(where: { refers(known, by: $0, to: parent) }) {
          known.finish(.deleted, at: stamp)
          ended.append(row)
        } else if let reference = Self.optional(row.table),
          refers(known, by: reference, to: parent),
          let version = known.fields[reference.column]?.version
        {
          let next = stamp > version ? stamp : version.following(by: stamp.device)
          known.fields[reference.column] = ModelRow.Field(value: .null, version: next)
        }
        scopes[scope]?[row] = known
      }
    }
  }

  private static func required(_ table: String) -> [(column: String, table: String)] {
    let parts = [
      "cards", "notes", "seats", "ties", Letter.name, Notice.name, Mark.name, Pin.name, Flag.name,
      Photo.name,
    ]
    return parts.contains(table) ? [("boardID", "boards")] : []
  }

  private static func optional(_ table: String) -> (column: String, table: String)? {
    switch table {
    case "notes": ("cardID", "cards")
    case Letter.name: ("answersID", Letter.name)
    default: nil
    }
  }

  private func refers(
    _ row: ModelRow, by reference: (column: String, table: String), to parent: RowID
  ) -> Bool {
    reference.table == parent.table
      && row.fields[reference.column]?.value == WireValue(parent.id)
  }

  /// Removes a scope with all rows.
  mutating func remove(_ scope: ScopeID) { scopes[scope] = nil }

  /// Removes the tombstones that the server has removed.
  mutating func forget(_ rows: [RowID], in scope: ScopeID) {
    for row in rows { scopes[scope]?[row] = nil }
  }
}
