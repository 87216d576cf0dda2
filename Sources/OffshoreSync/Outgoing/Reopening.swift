import Foundation
import Offshore
import OffshoreWire

/// The return of sent batches to the unanswered ones, because the server's data was restored from a
/// copy that may lack them.
struct Reopening {
  let writer: Writer
  /// The number that is added to the position of a sent batch. The batches stay in the order in which
  /// they were sent, across scopes, and come before the unanswered ones.
  private let offset: Int64

  init(_ writer: Writer) throws {
    self.writer = writer
    let first = try SealedBatch.all.min(writer) { $0.key } ?? 1
    let last = try SentBatch.all.max(writer) { $0.key } ?? 0
    offset = min(first, 1) - last - 1
  }

  /// Makes the batches of a scope pending that follow a number, also those that are applied and not
  /// pulled. All batches of the scope are marked: rows that they change may be missing until the device
  /// that inserted them has sent them again, too.
  ///
  /// The caller numbers them again.
  /// - Parameter number: the number of the last batch of the device that the server has.
  func run(_ scope: ScopeID, of device: DeviceID, after number: Int64) throws {
    try SQL(
      """
      UPDATE _batch SET phase = CASE
        WHEN phase = \(SealedBatch.Phase.postponed.rawValue) THEN phase
        ELSE \(SealedBatch.Phase.waiting.rawValue) END, attempts = CASE
        WHEN phase = \(SealedBatch.Phase.applied.rawValue) THEN \(SealedBatch.resent)
        WHEN attempts < 0 THEN attempts ELSE \(SealedBatch.unsent) END
      WHERE scope = \(scope.text)
      """
    ).run(writer)
    let device = Data(device.encoded())
    try SQL(
      """
      INSERT INTO _batch (k, scope, device, number, ops, made, attempts, parts, content)
      SELECT k + \(offset), scope, device, number, ops, made, \(SealedBatch.resent), parts, content
      FROM _sent
      WHERE scope = \(scope.text) AND device = \(device) AND number > \(number) AND bytes > 0
      """
    ).run(writer)
    try SQL(
      """
      DELETE FROM _sent
      WHERE scope = \(scope.text) AND device = \(device) AND number > \(number)
      """
    ).run(writer)
  }

  /// Makes the applied batches pending of all scopes that were never pulled: no page will tell whether the
  /// server's data has them. They keep their numbers, and those that it has are answered again.
  func runUnpulled(of device: DeviceID) throws {
    let applied = try SealedBatch.where { $0.phase == .applied && $0.device == device }
      .select { $0.scope }.distinct().all(writer)
    for scope in applied.sorted() where try ScopeCursor.of(scope, writer).epoch == 0 {
      try SealedBatch.where { $0.scope == scope && $0.phase == .applied && $0.last == 0 }
        .delete(writer)
      try run(scope, of: device, after: .max)
    }
  }
}
