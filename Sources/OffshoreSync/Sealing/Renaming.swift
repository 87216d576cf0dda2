import OffshoreWire

/// Makes ops those of another device, at the times at which they were made.
///
/// What they build on is renamed with them where it is among them; all else was written under the
/// former name and stays so.
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

  /// The batch under the new name. Batches are renamed in their order.
  mutating func rename(_ sealed: SealedBatch, number: Int64) -> SealedBatch {
    sealed.resealed(sealed.batch.ops.map { rename($0) }, by: new, number: number)
  }

  /// The op under the new name. Ops are renamed in their order.
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
