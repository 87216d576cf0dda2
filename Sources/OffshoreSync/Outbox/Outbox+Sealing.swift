public import Foundation
public import Offshore
public import OffshoreWire

extension Outbox {
  /// Seals the oldest captured transactions that fit together, one batch for each of their scopes.
  ///
  /// Values are read now, bit for bit, as they were after the last of those transactions. Batches
  /// are numbered without a gap by scope, and kept as they are until they are answered. A change that
  /// cannot be sent, for example of a row that tells no scope, is set aside with the reason, and the
  /// others go. Call it again until there are none.
  /// - Parameters:
  ///   - milliseconds: what the device's clock shows, since 1970.
  ///   - makeID: makes an id for a batch.
  /// - Returns: the batches; none where nothing waits or what waited comes to nothing.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func seal(
    _ writer: Writer, at milliseconds: Int64, limits: SealingLimits = SealingLimits(),
    makeID: () -> UUID
  ) throws -> [Batch] {
    try withoutActuallyEscaping(makeID) { makeID in
      try Sealer(
        schema: schema, writer: writer, now: milliseconds, limits: limits, makeID: makeID
      ).run()
    }
  }

  /// The sealed batches that have not been answered, by scope and number.
  /// - Throws: `DatabaseError`; `WireError` where one is not what was written.
  public func sealedBatches(_ reader: Reader) throws -> [Batch] {
    try SQL("SELECT content FROM _batch ORDER BY scope, number").all(reader, as: Data.self)
      .map { try Batch(decoding: Array($0)) }
  }
}
