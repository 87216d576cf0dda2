public import OffshoreWire

/// What becomes of a column's changes.
public enum ColumnSync: Hashable, Sendable {
  /// They are sent, and merged by a policy. ``OffshoreWire/MergePolicy/keyed`` makes each key of a
  /// JSON object a field of its own.
  case merged(MergePolicy)
  /// They stay on this device: no change of the column is captured, whatever the statement, and no
  /// value of it is sent.
  case local
}
