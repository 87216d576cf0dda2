public import OffshoreWire

/// Consecutive rows of a log.
public struct RowRun: Hashable, Sendable {
  /// The rows.
  public let rows: [KeptRow]
  /// Whether reading stopped at the limit of rows or bytes, so that more rows may follow.
  public let isCut: Bool

  /// Creates a run of rows.
  public init(_ rows: [KeptRow], isCut: Bool) {
    self.rows = rows
    self.isCut = isCut
  }

  /// Creates a run of the first rows of a sequence.
  /// - Parameters:
  ///   - limit: the largest number of rows.
  ///   - bytes: about how many bytes of rows are read. The row that reaches this size is the last
  ///     one.
  init(_ rows: some Sequence<SyncedRow>, limit: Int, bytes: Int) {
    var (read, size): ([SyncedRow], Int) = ([], 0)
    for row in rows {
      guard read.count < limit, size < bytes else { break }
      read.append(row)
      size += row.state.byteCount
    }
    self.init(read.map { KeptRow($0) }, isCut: read.count >= limit || size >= bytes)
  }
}
