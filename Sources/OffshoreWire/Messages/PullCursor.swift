/// The progress of a device in one scope.
public struct PullCursor: Hashable, Sendable {
  /// The position at which a page begins.
  public enum Position: Hashable, Sendable {
    /// After a number, in the order of changes.
    case changes(after: Int64)
    /// After a row or at the first one, in the order of rows.
    ///
    /// This is the first sync, which continues with the changes after the head at which it began, if
    /// there are any.
    /// The server sends that head with the first page.
    case snapshot(head: Int64?, after: RowID?)
    /// Like a snapshot, but only with the rows and tombstones of some ranges.
    ///
    /// A device that passes its own cursor as the head continues with the changes after it, and so
    /// misses none of the other ranges.
    case repair(ranges: RangeSet, head: Int64?, after: RowID?)
  }

  /// The scope.
  package let scope: ScopeID
  /// The epoch of the scope's data that the device has, or 0.
  package let epoch: UInt64
  /// The position at which the page begins.
  package let position: Position
  /// The number up to which the device has committed all changes.
  package let acknowledged: Int64
  /// The number of the last conflict that the device has, including staged ones, or 0.
  package let conflictsAfter: Int64
  /// Whether the page should have the digests of ranges, because the digest of the scope differed.
  package let wantsRangeDigests: Bool
  /// The number up to which the device has the answers to all its batches, or 0.
  ///
  /// The page has the results of later ones.
  package let answeredBatch: Int64

  /// Creates a cursor.
  package init(
    _ scope: ScopeID, epoch: UInt64, position: Position, acknowledged: Int64,
    conflictsAfter: Int64 = 0, wantsRangeDigests: Bool = false, answeredBatch: Int64 = 0
  ) {
    self.scope = scope
    self.epoch = epoch
    self.position = position
    self.acknowledged = acknowledged
    self.conflictsAfter = conflictsAfter
    self.wantsRangeDigests = wantsRangeDigests
    self.answeredBatch = answeredBatch
  }
}

/// The encoding has the scope, epoch, position, acknowledged number, last conflict, whether range
/// digests are requested, and the last answered batch.
extension PullCursor: WireCodable {
  package static var leastByteCount: Int { ScopeID.leastByteCount + 7 }

  package func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.number(epoch)
    writer.value(position)
    writer.signed(acknowledged)
    writer.signed(conflictsAfter)
    writer.flag(wantsRangeDigests)
    writer.signed(answeredBatch)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    epoch = try reader.number()
    position = try reader.value()
    acknowledged = try reader.ordinal()
    conflictsAfter = try reader.ordinal()
    wantsRangeDigests = try reader.flag()
    answeredBatch = try reader.ordinal()
  }
}

/// The encoding has a number for the case, then its values.
extension PullCursor.Position: WireCodable {
  package static var leastByteCount: Int { 2 }

  package func encode(into writer: inout WireWriter) {
    switch self {
    case .changes(let seq):
      writer.byte(1)
      writer.signed(seq)
    case .snapshot(let head, let row):
      writer.byte(2)
      Self.write(head, row, to: &writer)
    case .repair(let ranges, let head, let row):
      writer.byte(3)
      writer.value(ranges)
      Self.write(head, row, to: &writer)
    }
  }

  private static func write(_ head: Int64?, _ row: RowID?, to writer: inout WireWriter) {
    writer.flag(head != nil)
    if let head { writer.signed(head) }
    writer.optional(row)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .changes(after: try reader.ordinal())
    case 2:
      self = .snapshot(
        head: try reader.flag() ? try reader.ordinal() : nil, after: try reader.optional())
    case 3:
      self = .repair(
        ranges: try reader.value(), head: try reader.flag() ? try reader.ordinal() : nil,
        after: try reader.optional())
    default: throw reader.malformed("A cursor has no known position.")
    }
  }
}
