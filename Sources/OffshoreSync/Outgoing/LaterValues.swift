import Offshore
import OffshoreWire

/// The values that the batches of a scope bring which are sent before a batch that is sealed again,
/// though they were made later.
///
/// The server takes each edit of a device as one that follows the earlier ones of the device. An earlier
/// value that arrived last would replace a later one.
///
/// Batches that are refused, too, are left out, because they are sealed again after it: those that build on
/// the refused one, and those that the same answer refuses.
struct LaterValues {
  private let manifest: Manifest
  /// The latest stamp of an edit of each field.
  private var stamps: [RowID: [String: Stamp]] = [:]

  /// - Parameters:
  ///   - sealed: the batch whose ops are sealed again.
  ///   - isRefused: returns whether the same answer refuses a later batch.
  init(
    than sealed: SealedBatch, _ manifest: Manifest, _ reader: Reader,
    isRefused: (SealedBatch) -> Bool
  ) throws {
    self.manifest = manifest
    guard let key = sealed.key else { return }
    var refused = RefusedOps(sealed.batch)
    for later in try SealedBatch.inOrder(of: sealed.scope).where({ $0.key > key }).all(reader) {
      if isRefused(later) || refused.isBasis(of: later.batch) {
        refused.add(later.batch)
        continue
      }
      for op in later.batch.ops where refused.contain(op.row) && op.writesValues {
        for field in op.fields.keys {
          let known = stamps[op.row, default: [:]][field] ?? op.stamp
          stamps[op.row, default: [:]][field] = max(known, op.stamp)
        }
      }
    }
  }

  /// Returns the ops that still have an effect, without the values that later batches replace.
  func removed(from group: Verdict.Group) -> Verdict.Group {
    let left = zip(group.ops, group.parts).compactMap { op, part in
      rest(of: op).map { ($0, part) }
    }
    return (left.map(\.0), left.map(\.1), group.attempts)
  }

  private func rest(of op: Op) -> Op? {
    guard op.kind != .put, op.writesValues, let later = stamps[op.row],
      let table = manifest[op.row.table]
    else { return op }
    let fields = op.fields.filter { field, _ in
      later[field].map { $0 < op.stamp } ?? true || table.policy(of: field).includesBothValues
        || op.kind.isMove && field == table.scopeColumn
    }
    if fields.isEmpty, op.kind == .patch { return nil }
    return Op(
      op.kind, op.row, generation: op.generation, fields: fields, base: op.base, stamp: op.stamp)
  }
}

/// The stamps of refused ops, and the lowest generation of a refused insertion of each row.
private struct RefusedOps {
  private var stamps: [RowID: Set<Stamp>] = [:]
  private var inserted: [RowID: Int64] = [:]

  init(_ batch: Batch) { add(batch) }

  mutating func add(_ batch: Batch) {
    for op in batch.ops {
      stamps[op.row, default: []].insert(op.stamp)
      guard op.kind == .put else { continue }
      inserted[op.row] = min(inserted[op.row] ?? op.generation, op.generation)
    }
  }

  func contain(_ row: RowID) -> Bool { stamps[row] != nil }

  /// Returns whether the server will refuse a batch because an op of it builds on one of these.
  func isBasis(of batch: Batch) -> Bool {
    batch.ops.contains { op in
      guard let stamps = stamps[op.row] else { return false }
      if op.kind != .delete, op.base.values.contains(where: stamps.contains) { return true }
      return op.kind != .put && inserted[op.row].map { $0 <= op.generation } == true
    }
  }
}

extension Op {
  /// Whether the op gives fields values, rather than adding to them.
  fileprivate var writesValues: Bool {
    switch kind {
    case .put, .patch, .move: true
    case .delete, .increment: false
    }
  }
}

extension MergePolicy {
  /// Whether the order in which two values arrive has no effect.
  fileprivate var includesBothValues: Bool {
    switch self {
    case .max, .min, .counter, .ordered: true
    case .lastWriter, .serverOrder, .set, .keyed, .rule: false
    }
  }
}
