/// The final result of a batch, which a pull repeats because the answer to the push may be lost.
public struct DecidedBatch: Hashable, Sendable {
  /// The number of the batch.
  public let number: Int64
  /// The hash of the batch. If the device's batch has another, a copy of its file has sent this
  /// one.
  public let hash: ContentHash
  /// Whether the batch was applied, in which case pulled pages have its changes. Otherwise it was
  /// rejected.
  public let isApplied: Bool

  /// Creates the result of a batch.
  public init(number: Int64, hash: ContentHash, isApplied: Bool) {
    self.number = number
    self.hash = hash
    self.isApplied = isApplied
  }
}

/// The encoding has the number, the hash, then whether the batch was applied.
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
