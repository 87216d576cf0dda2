public import Foundation
public import Offshore
public import OffshoreWire

extension Replica {
  /// What is to be fetched next: all scopes that the account may read, each from where it is.
  /// - Parameter limit: how many rows of each scope come at once.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func nextPull(
    _ reader: Reader, limit: Int = WireLimits.rowsPerPage
  ) throws -> PullRequest {
    let state = try DeviceState(reader)
    // A page tells which batches of one name it has. Those that may have arrived are of the oldest.
    let sender = try SQL(
      """
      SELECT device FROM _batch WHERE phase = \(SealedBatch.Phase.waiting.rawValue)
      ORDER BY k LIMIT 1
      """
    ).one(reader, as: Data.self).map { try DeviceID(decoding: Array($0)) }
    let cursors = try ScopeCursor.all(reader).filter { $0.role?.canRead == true }
    return PullRequest(
      device: sender ?? state.device, manifestVersion: schema.manifest.version,
      grantsAfter: state.grants,
      cursors: cursors.map { cursor in
        PullCursor(
          cursor.scope, epoch: cursor.fetch?.epoch ?? cursor.epoch, position: cursor.position,
          acknowledged: cursor.seq, conflictsAfter: cursor.conflicts,
          wantsRangeDigests: cursor.doubt == .asking)
      }, limit: limit)
  }

  /// Takes the answer to a pull.
  ///
  /// Rows are kept until no page of an answer is full, and then applied to all scopes at once, with
  /// what this device has not sent over them. An answer to a request that is not the next any more
  /// changes nothing.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError` where the file cannot be
  ///   written; a row that a constraint refuses is set aside instead.
  public func take(
    _ response: PullResponse, to request: PullRequest, at exchange: Exchange, _ writer: Writer,
    makeID: () -> UUID
  ) throws -> PullReport {
    var state = try DeviceState(writer)
    state.clock.learn(
      server: response.serverTime, sent: exchange.sent, received: exchange.received)
    try state.save(writer)
    guard try nextPull(writer, limit: request.limit) == request else {
      var report = PullReport()
      report.hasMore = true
      return report
    }
    return try withoutActuallyEscaping(makeID) { makeID in
      var intake = PullIntake(
        replica: self, writer: writer, device: request.device, now: exchange.received,
        makeID: makeID, cursors: try cursors(writer))
      try intake.take(response)
      return intake.report
    }
  }
}
