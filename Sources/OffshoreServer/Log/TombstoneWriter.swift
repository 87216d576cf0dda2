public import OffshoreWire

/// Notes since when a log has its tombstones. Each function throws what its storage does.
public protocol TombstoneWriter: ChangeLogWriter {
  /// The number of the last tombstone of each scope that has one.
  func lastTombstones() throws -> [ScopeID: Int64]

  /// What was noted, in the order of scopes and of numbers.
  func tombstoneMarks() throws -> [TombstoneMark]

  /// Notes up to which number a scope has tombstones, which was not noted before.
  mutating func addTombstoneMark(_ mark: TombstoneMark) throws

  /// Forgets what was noted of a scope up to a number.
  mutating func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) throws
}
