import Foundation
import Offshore
import OffshoreWire

/// The queue of sealed batches, which are numbered, and stored until they are answered. Use it
/// within one write.
struct BatchQueue {
  let writer: Writer
  let makeID: () -> UUID

  /// Appends a batch with the next number of its scope.
  /// - Parameters:
  ///   - parts: the part that each op belongs to; see ``TransactionParts``.
  ///   - made: the time of the oldest change in the batch, in milliseconds since 1970 by the
  ///     device's clock.
  ///   - attempts: the number of times that the ops were refused.
  @discardableResult
  func add(
    _ ops: [Op], _ parts: [Int], made: Int64, in scope: ScopeID, by device: DeviceID,
    attempts: Int64 = 0
  ) throws -> Batch {
    let number = try nextNumber(in: scope, of: device)
    let batch = Batch(scope, number: number, id: makeID(), ops: ops)
    var sealed = SealedBatch(device: device, batch: batch, parts: parts, made: made)
    sealed.attempts = attempts
    try sealed.save(writer)
    return batch
  }

  /// Returns the next number in a scope. Numbers begin at 1 again if the device got a new id.
  private func nextNumber(in scope: ScopeID, of device: DeviceID) throws -> Int64 {
    let name = Data(device.encoded())
    return try SQL(
      """
      INSERT INTO _cursor (scope, device, sent) VALUES (\(scope.text), \(name), 1)
      ON CONFLICT (scope) DO UPDATE SET
        sent = CASE WHEN device IS \(name) THEN sent + 1 ELSE 1 END, device = \(name)
      RETURNING sent
      """
    ).first(writer, as: Int64.self) ?? 1
  }

  /// Numbers the unanswered batches of a scope again, without gaps.
  /// - Parameter last: the number of the last batch with a final answer, which the first one
  ///   follows.
  func renumber(_ scope: ScopeID, of device: DeviceID, after last: Int64) throws {
    let missing = try SealedBatch.all(
      where: """
        scope = \(scope.text) AND device = \(Data(device.encoded()))
        AND phase = \(SealedBatch.Phase.waiting.rawValue)
        """, writer)
    var number = last
    for batch in missing {
      number += 1
      try batch.resealed(batch.batch.ops, by: device, number: number).save(writer)
    }
    try SQL(
      """
      UPDATE _cursor SET sent = \(number)
      WHERE scope = \(scope.text) AND device IS \(Data(device.encoded()))
      """
    ).run(writer)
  }

  /// Assigns a new device id to the batches that were never sent because their scopes have no
  /// grant.
  /// - Returns: the batches with the new id.
  func renameUnsent(to new: DeviceID, _ manifest: Manifest) throws -> [SealedBatch] {
    let scopes = try SQL(
      """
      SELECT DISTINCT scope, device FROM _batch
      WHERE phase = \(SealedBatch.Phase.waiting.rawValue) AND device <> \(Data(new.encoded()))
        AND NOT (\(SealedBatch.canBeSent(manifest)))
      ORDER BY scope, device
      """
    ).all(writer, as: String.self, Data.self)
    return try scopes.flatMap { scope, device in
      try rename(
        ScopeID(scope), from: DeviceID(decoding: Array(device)), number: 1, to: new)
    }
  }

  /// Assigns a new device id to the unanswered batches of a scope, and numbers them from 1.
  /// - Parameter first: the number of the forked batch, with which the batches under the former id
  ///   begin.
  /// - Returns: the batches with the new id.
  func rename(
    _ scope: ScopeID, from old: DeviceID, number first: Int64, to new: DeviceID
  ) throws -> [SealedBatch] {
    let waiting = try SealedBatch.all(
      where: """
        scope = \(scope.text) AND phase = \(SealedBatch.Phase.waiting.rawValue)
        AND (device = \(Data(new.encoded())) OR device = \(Data(old.encoded()))
          AND number >= \(first))
        """, writer)
    var renaming = Renaming(from: old, to: new)
    var renamed: [SealedBatch] = []
    for batch in waiting {
      renamed.append(renaming.rename(batch, number: Int64(renamed.count + 1)))
      try renamed.last?.save(writer)
    }
    try SQL(
      """
      UPDATE _cursor SET device = \(Data(new.encoded())), sent = \(renamed.count)
      WHERE scope = \(scope.text)
      """
    ).run(writer)
    return renamed
  }
}
