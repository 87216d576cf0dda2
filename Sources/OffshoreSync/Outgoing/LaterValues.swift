import Offshore
import OffshoreWire

/// The latest values that a device's ops write. Its earlier ops must not replace them.
///
/// The server takes each edit of a device as one that follows the earlier ones of the device. An earlier
/// value that arrived last would replace a later one. So an op that arrives after later ones, because the
/// server has refused it before, is sent without the values that these replace.
struct LaterValues {
  private struct Value {
    let stamp: Stamp
    let value: WireValue
  }

  private let manifest: Manifest
  /// The latest value of each field.
  private var latest: [RowID: [String: Value]] = [:]

  init(_ ops: some Sequence<Op>, _ manifest: Manifest) {
    self.manifest = manifest
    for op in ops { add(op) }
  }

  /// Creates the values that batches of a scope bring which arrive before the ops of another batch.
  ///
  /// Batches that build on these ops are left out: the server refuses them, and they arrive after the ops.
  /// - Parameters:
  ///   - batches: the batches, oldest first.
  ///   - isRefused: returns whether the server has refused a batch, which then arrives later, too.
  init(
    of batches: [SealedBatch], before batch: Batch, _ manifest: Manifest, _ reader: Reader,
    isRefused: (SealedBatch) -> Bool = { _ in false }
  ) throws {
    self.manifest = manifest
    var refused = RefusedOps()
    try refused.add(batch, reader)
    for sealed in batches {
      if isRefused(sealed) || refused.isBasis(of: sealed.batch) {
        try refused.add(sealed.batch, reader)
      } else {
        for op in sealed.batch.ops where refused.contain(op.row) { add(op) }
      }
    }
  }

  mutating func add(_ op: Op) {
    guard op.writesValues else { return }
    for (field, value) in op.fields {
      if let known = latest[op.row]?[field], known.stamp >= op.stamp { continue }
      latest[op.row, default: [:]][field] = Value(stamp: op.stamp, value: value)
    }
  }

  /// Returns whether one of the ops gives a field of a row a value after a stamp.
  /// - Parameter known: a value that does not count, or `nil`.
  func hasValue(
    of field: String, in row: RowID, after stamp: Stamp, besides known: WireValue?
  ) -> Bool {
    latest[row]?[field].map { $0.stamp > stamp && $0.value != known } == true
  }

  /// Returns an op without the values that are replaced, or `nil` if it has no effect any more. An insertion
  /// has the later values in their place, because the server may not have the row. It lacks the keys that
  /// were removed later.
  func rest(of op: Op) -> Op? {
    guard op.writesValues, latest[op.row] != nil else { return op }
    let scopeColumn = op.kind.isMove ? manifest[op.row.table]?.scopeColumn : nil
    var fields = op.fields
    for field in op.fields.keys where field != scopeColumn {
      guard let later = replacement(of: field, in: op) else { continue }
      let isRemoved = later.value.isNull && FieldName(field).key != nil
      fields[field] = op.kind == .put && !isRemoved ? later.value : nil
    }
    if fields.isEmpty, op.kind == .patch { return nil }
    return Op(
      op.kind, op.row, generation: op.generation, fields: fields, base: op.base, stamp: op.stamp)
  }

  /// Returns the ops of a group that still have an effect, without the values that are replaced.
  func removed(from group: Verdict.Group) -> Verdict.Group {
    let left = zip(group.ops, group.parts).compactMap { op, part in
      rest(of: op).map { ($0, part) }
    }
    return (left.map(\.0), left.map(\.1), group.attempts)
  }

  private func replacement(of field: String, in op: Op) -> Value? {
    guard let later = latest[op.row]?[field], later.stamp > op.stamp,
      manifest[op.row.table]?.policy(of: field).includesBothValues == false
    else { return nil }
    return later
  }
}

/// The stamps of refused ops, and the lowest generation of a refused insertion of each row.
private struct RefusedOps {
  private var stamps: [RowID: Set<Stamp>] = [:]
  private var inserted: [RowID: Int64] = [:]

  mutating func add(_ batch: Batch, _ reader: Reader) throws {
    for op in batch.ops {
      stamps[op.row, default: []].insert(op.stamp)
      guard op.kind == .put, try !Self.isThere(op, in: batch.scope, reader) else { continue }
      inserted[op.row] = min(inserted[op.row] ?? op.generation, op.generation)
    }
  }

  /// Returns whether the server has the row of an insertion, because another device has inserted it, too.
  private static func isThere(_ op: Op, in scope: ScopeID, _ reader: Reader) throws -> Bool {
    let shadow = try ShadowRow.of(op.row).where { $0.scope == scope }.first(reader)
    return shadow?.confirmed.map { $0.generation >= op.generation } ?? false
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
