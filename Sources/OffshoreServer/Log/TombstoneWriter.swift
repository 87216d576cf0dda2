public import OffshoreWire

/// Write access to a log and to the ages of its tombstones. Each function throws the errors of its
/// storage.
public protocol TombstoneWriter: ChangeLogWriter {
  /// Returns the sequence number of the last tombstone of each scope that has one.
  func lastTombstones() throws -> [ScopeID: Int64]

  /// Returns all marks, in the order of scopes and numbers.
  func tombstoneMarks() throws -> [TombstoneMark]

  /// Stores a mark for a scope and a number that have none.
  mutating func addTombstoneMark(_ mark: TombstoneMark) throws

  /// Removes the marks of a scope up to a number.
  mutating func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) throws
}
