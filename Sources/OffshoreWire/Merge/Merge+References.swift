extension Merge {
  /// Returns a living row after a row that it refers to was deleted or moved away.
  ///
  /// A nullable column becomes NULL. A row with a reference that must not be NULL is deleted. Both
  /// count as edits whose author saw the current values, and the values that they replace become
  /// conflicts.
  /// - Parameters:
  ///   - parent: the row that was deleted or moved away.
  ///   - stamp: the stamp of that deletion or move.
  ///   - row: the row that refers to it.
  ///   - state: the state of the referring row.
  /// - Returns: the changed row, or `nil` if it does not refer to the parent.
  public func apply(
    endOf parent: RowID, at stamp: Stamp, to row: RowID, _ state: RowState
  ) -> MergedRow? {
    let columns = manifest[row.table]?.references.filter { $0.target(in: state) == parent } ?? []
    if columns.isEmpty { return nil }
    if columns.contains(where: { !$0.isNullable }) { return ended(row, state, at: stamp) }
    var merged = MergedRow(state)
    for column in columns {
      let version = state.version(of: column.name) ?? state.stamp
      let next = stamp > version ? stamp : version.next(by: stamp.device)
      merged.state.set(column.name, .null, next)
      merged.changed.append(column.name)
      merged.conflicts.append(
        Conflict(row, ending: column.name, of: state, winning: .null, at: next))
    }
    return merged
  }

  private func ended(_ row: RowID, _ state: RowState, at stamp: Stamp) -> MergedRow {
    var merged = MergedRow(state.ended(.deleted, stamp))
    let lost = state.fields.filter { !$0.value.isNull }.keys.sorted()
    merged.conflicts = lost.map { Conflict(row, ending: $0, of: state, winning: nil, at: stamp) }
    return merged
  }
}

extension Conflict {
  init(
    _ row: RowID, ending field: String, of state: RowState, winning: WireValue?, at stamp: Stamp
  ) {
    self.init(
      row: row, field: field, losing: state.fields[field] ?? .null,
      losingStamp: state.version(of: field) ?? state.stamp, winning: winning, winningStamp: stamp,
      reason: .ended)
  }
}
