import OffshoreWire

/// A change of the device id of ops, which keep their times.
///
/// If an op builds on another of these ops, the version in its base changes too. All other versions
/// were written under the former id and stay.
struct Renaming {
  private struct Version: Hashable {
    let row: RowID
    let field: String
    let stamp: Stamp
  }

  let old: DeviceID
  let new: DeviceID
  private var versions: [Version: Stamp] = [:]

  init(from old: DeviceID, to new: DeviceID) {
    self.old = old
    self.new = new
  }

  /// Returns the batch under the new id. Call it for the batches in their order.
  mutating func rename(_ sealed: SealedBatch, number: Int64) -> SealedBatch {
    sealed.resealed(sealed.batch.ops.map { rename($0) }, by: new, number: number)
  }

  /// Returns the op under the new id. Call it for the ops in their order.
  mutating func rename(_ op: Op) -> Op {
    let stamp = renamed(op.stamp)
    var base: [String: Stamp] = [:]
    for (field, seen) in op.base {
      base[field] = versions[Version(row: op.row, field: field, stamp: seen)] ?? seen
    }
    let renamed = Op(
      op.kind, op.row, generation: op.generation, fields: op.fields, base: base, stamp: stamp)
    for field in op.fields.keys {
      versions[Version(row: op.row, field: field, stamp: op.version(of: field))] =
        renamed.version(of: field)
    }
    return renamed
  }

  private func renamed(_ stamp: Stamp) -> Stamp {
    guard stamp.device == old else { return stamp }
    return Stamp(milliseconds: stamp.milliseconds, counter: stamp.counter, device: new)
  }
}
