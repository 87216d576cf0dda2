/// The result of merging an op.
public enum MergeOutcome: Hashable, Sendable {
  /// The op was accepted, although some or all of its values may have lost.
  case merged(MergedRow)
  /// The op was refused, and the row is unchanged.
  case refused(Rejection)
}

/// A row after an op was merged into it.
public struct MergedRow: Hashable, Sendable {
  /// The new state of the row.
  public internal(set) var state: RowState
  /// Whether the state of the row changed, including versions.
  public internal(set) var isChanged = true
  /// The names of the fields whose values changed, sorted.
  public internal(set) var changed: [String] = []
  /// The conflicts, sorted by field.
  public internal(set) var conflicts: [Conflict] = []
  /// The fields that a moved row carries along; see ``Op/arrival(of:carrying:in:)``.
  public internal(set) var carried: [String: WireValue]?

  init(_ state: RowState) { self.state = state }
}
