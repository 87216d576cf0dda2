public import Foundation
public import Offshore
public import OffshoreWire

extension Outbox {
  /// Seals the oldest captured transactions that fit together, as one batch for each of their
  /// scopes.
  ///
  /// Values are read now, bit for bit, as they were after the last of those transactions. The
  /// batches of a scope are numbered without a gap, and stay as they are until they are answered. A
  /// change that cannot be sent, for example because its row has no scope, is stored as a refused
  /// change, and the others are sealed. Call the function again until no captured transaction is
  /// left.
  /// - Parameters:
  ///   - milliseconds: the time of the device's clock, in milliseconds since 1970.
  ///   - limits: the limits of a batch.
  ///   - makeID: returns a new id for a batch.
  /// - Returns: the batches; empty if nothing was captured or the changes cancel each other out.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
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

  /// Returns the stored sealed batches, by scope and number.
  ///
  /// A batch is stored until it is answered, and if it was applied, until a pull has fetched its
  /// effects.
  /// - Throws: `DatabaseError`.
  public func sealedBatches(_ reader: Reader) throws -> [Batch] {
    try SealedBatch.order { [$0.scope.ascending, $0.number.ascending] }.select { $0.batch }
      .all(reader)
  }
}
