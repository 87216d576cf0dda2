public import OffshoreWire

/// Rows that a log read one after the other, in their order.
public struct RowRun: Hashable, Sendable {
  /// The rows.
  public let rows: [KeptRow]
  /// Whether no more were read, though there may be some: there were as many as asked for, or they had
  /// as many bytes.
  public let isCut: Bool

  /// Describes what was read.
  public init(_ rows: [KeptRow], isCut: Bool) {
    self.rows = rows
    self.isCut = isCut
  }

  /// Reads the first of some rows.
  /// - Parameters:
  ///   - limit: how many there are at the most.
  ///   - bytes: with about how many bytes the last one is reached.
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
