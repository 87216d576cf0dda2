extension Merge {
  /// What becomes of a living row that an op of its life deletes.
  ///
  /// Values that whoever deleted it had not seen are lost to that, as those that arrive after it.
  func deleted(_ op: Op, _ state: RowState) -> MergedRow {
    var row = MergedRow(state.ended(.deleted, op.stamp))
    let seen = SeenVersions(of: op)
    let unseen = state.fields.keys.filter {
      !seen.includes(state.versions[$0] ?? state.stamp, of: $0)
    }
    row.conflicts = unseen.sorted().map {
      Conflict(op.row, ending: $0, of: state, winning: nil, at: op.stamp)
    }
    return row
  }
}

/// What whoever made a deletion had seen of the row.
private struct SeenVersions {
  private let op: Op
  private let stamps: Set<Stamp>

  init(of op: Op) {
    self.op = op
    stamps = Set(op.base.values)
  }

  /// Whether a version of a field is, or comes before, one that was seen.
  func includes(_ version: Stamp, of field: String) -> Bool {
    if version.device == op.stamp.device { return true }
    if stamps.isEmpty { return version < op.stamp }
    // An op is seen whole. Of some of its fields the device may not have the columns.
    guard let seen = op.base[field] else { return stamps.contains(version) }
    // What the device had written itself may have been refused, and any stamp may have been clamped.
    return version == seen
      || version < seen && [op.stamp.device, version.device].contains(seen.device)
  }
}
