extension Merge {
  /// Returns a living row after a deletion of its current generation.
  ///
  /// Values that the author of the deletion had not seen become conflicts, like those that arrive
  /// after it.
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

/// The versions of a row that the author of a deletion had seen.
private struct SeenVersions {
  private let op: Op
  private let stamps: Set<Stamp>

  init(of op: Op) {
    self.op = op
    stamps = Set(op.base.values)
  }

  /// Returns whether the version of a field was seen, or is earlier than one that was seen.
  func includes(_ version: Stamp, of field: String) -> Bool {
    if version.device == op.stamp.device { return true }
    if stamps.isEmpty { return version < op.stamp }
    // An edit is seen as a whole. The device may lack the columns of some of its fields.
    guard let seen = op.base[field] else { return stamps.contains(version) }
    // The seen version is later than the row's if the device's own edit was refused, or if the
    // server clamped a stamp.
    return version == seen
      || version < seen && [op.stamp.device, version.device].contains(seen.device)
  }
}
