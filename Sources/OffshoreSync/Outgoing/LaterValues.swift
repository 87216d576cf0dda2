import Offshore
import OffshoreWire

/// The values that the batches of a scope bring which are sent before a batch that is sealed again,
/// though they were made later.
///
/// The server takes each edit of a device as one that follows the earlier ones of the device. An earlier
/// value that arrived last would replace a later one.
struct LaterValues {
  private let manifest: Manifest
  private var fields: [RowID: Set<String>] = [:]

  /// - Parameter sealed: the batch whose ops are sealed again.
  init(than sealed: SealedBatch, _ manifest: Manifest, _ reader: Reader) throws {
    self.manifest = manifest
    guard let key = sealed.key else { return }
    let rows = Set(sealed.batch.ops.map(\.row))
    let later = try SealedBatch.inOrder(of: sealed.scope).where { $0.key > key }.all(reader)
    for op in later.flatMap(\.batch.ops) where rows.contains(op.row) && op.writesValues {
      fields[op.row, default: []].formUnion(op.fields.keys)
    }
  }

  /// Leaves out the values of edits that later batches replace.
  /// - Returns: the ops that still have an effect, and the part that each belongs to.
  func removed(from ops: [Op], _ parts: [Int]) -> (ops: [Op], parts: [Int]) {
    let left = zip(ops, parts).compactMap { op, part in rest(of: op).map { ($0, part) } }
    return (left.map(\.0), left.map(\.1))
  }

  private func rest(of op: Op) -> Op? {
    guard op.kind != .put, op.writesValues, let later = fields[op.row],
      let table = manifest[op.row.table]
    else { return op }
    let fields = op.fields.filter { field, _ in
      !later.contains(field) || table.policy(of: field).includesBothValues
    }
    if fields.isEmpty, op.kind == .patch { return nil }
    return Op(
      op.kind, op.row, generation: op.generation, fields: fields, base: op.base, stamp: op.stamp)
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
