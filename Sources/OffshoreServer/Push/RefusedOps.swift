import OffshoreWire

/// The ops on one row from a device's rejected batches, by which later ops are recognized that
/// depend on them.
struct RefusedOps {
  /// The lowest generation of a refused insertion with a stamp, or `nil` for an op that inserts
  /// nothing.
  private var insertions: [Stamp: Int64?] = [:]

  init(_ refusals: [Refusal]) {
    for refusal in refusals {
      let generation = refusal.isInsertion ? refusal.generation : nil
      let known = insertions[refusal.stamp] ?? nil
      insertions[refusal.stamp] = [known, generation].compactMap(\.self).min()
    }
  }

  /// Whether an insertion was refused.
  var hasInsertion: Bool { insertions.values.contains { $0 != nil } }

  /// Returns whether an op depends on a refused one: on the row that it would have inserted, or on
  /// a value that it would have written.
  /// - Parameter isThere: whether the row has the op's generation or a later one.
  func isBasis(of op: Op, isThere: Bool) -> Bool {
    if insertions.isEmpty { return false }
    // A deletion depends on no value: it applies whatever was refused before.
    if op.kind != .delete, op.base.values.contains(where: { insertions[$0] != nil }) { return true }
    guard op.kind != .put, !isThere else { return false }
    return insertions.values.contains { $0.map { $0 <= op.generation } ?? false }
  }

  /// Removes the ops with a stamp.
  /// - Returns: whether there were any.
  mutating func remove(at stamp: Stamp) -> Bool { insertions.removeValue(forKey: stamp) != nil }
}

/// The record of a rejected batch's ops, of which a limited number is stored for each row.
struct RefusalRecorder {
  let device: DeviceID
  let scope: ScopeID

  /// The largest number of ops that are stored for a device and a row, in addition to the refused
  /// insertion of the lowest generation.
  ///
  /// A device has few unsent edits of one row that depend on a refused one, and they depend on the
  /// latest.
  static let limit = 64

  /// Stores the ops of a rejected batch, and removes the oldest ones beyond the limit.
  /// - Parameter hasRefusals: whether ops of the device may be stored already.
  func record(
    _ ops: [Op], hasRefusals: Bool, in transaction: inout some StorageTransaction
  ) throws {
    var (rows, added): ([RowID], [RowID: [Refusal]]) = ([], [:])
    for op in ops {
      if added[op.row] == nil { rows.append(op.row) }
      added[op.row, default: []].append(Refusal(op))
    }
    for row in rows {
      let stored = hasRefusals ? try transaction.refusals(of: row, by: device, in: scope) : []
      let retained = Self.retained(of: stored + (added[row] ?? []))
      let (former, latter) = (Set(stored), Set(retained))
      for refusal in former.subtracting(latter) {
        try transaction.removeRefusals(of: row, at: refusal.stamp, by: device, in: scope)
      }
      for refusal in retained where !former.contains(refusal) {
        try transaction.addRefusal(refusal, by: device, in: scope)
      }
    }
  }

  /// Returns the ops of one row that are stored, in the order of arrival.
  static func retained(of refusals: [Refusal]) -> [Refusal] {
    var seen: Set<Refusal> = []
    let latest = refusals.reversed().filter { seen.insert($0).inserted }.reversed()
    if latest.count <= limit { return Array(latest) }
    let dropped = latest.dropLast(limit)
    let lowest = latest.filter(\.isInsertion).min { $0.generation < $1.generation }
    return dropped.filter { $0 == lowest } + latest.suffix(limit)
  }
}
