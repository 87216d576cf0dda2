/// A batch that was answered for good, as a page tells of it, since the answer may have been lost.
public struct DecidedBatch: Hashable, Sendable {
  /// The number of the batch.
  public let number: Int64
  /// The hash of the batch. Where the device's own has another, a copy of its file has sent this one.
  public let hash: ContentHash
  /// Whether it was applied, so that the page has what it did. Otherwise it was rejected.
  public let isApplied: Bool

  /// Tells what became of a batch.
  public init(number: Int64, hash: ContentHash, isApplied: Bool) {
    self.number = number
    self.hash = hash
    self.isApplied = isApplied
  }
}

/// The number, the hash, then whether it was applied.
extension DecidedBatch: WireCodable {
  public static var leastByteCount: Int { 2 + ContentHash.byteCount }

  public func encode(into writer: inout WireWriter) {
    writer.signed(number)
    writer.value(hash)
    writer.flag(isApplied)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(
      number: try reader.counted(), hash: try reader.value(), isApplied: try reader.flag())
  }
}
