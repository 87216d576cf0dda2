/// What became of an op.
public enum MergeOutcome: Hashable, Sendable {
  /// The op was taken, though of its values some or all may have lost.
  case merged(MergedRow)
  /// The op cannot be taken, and the row stays as it is.
  case refused(Rejection)
}

/// A row after an op was taken.
public struct MergedRow: Hashable, Sendable {
  /// What the row is now.
  public internal(set) var state: RowState
  /// Whether anything about the row is different, be it a version.
  public internal(set) var isChanged = true
  /// The fields whose values are different, sorted.
  public internal(set) var changed: [String] = []
  /// The values that did not stay, by field.
  public internal(set) var conflicts: [Conflict] = []
  /// Of a row that was moved, the fields that it takes along; see ``Op/arrival(of:carrying:in:)``.
  public internal(set) var carried: [String: WireValue]?

  init(_ state: RowState) { self.state = state }
}
