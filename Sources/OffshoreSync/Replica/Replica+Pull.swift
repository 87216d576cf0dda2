public import Foundation
public import Offshore
public import OffshoreWire

extension Replica {
  /// What is to be fetched next: all scopes that the account may read, each from where it is.
  ///
  /// Of more than ``WireLimits/scopesPerPull`` scopes, those that come first in order are kept in sync.
  /// - Parameter limit: how many rows of each scope come at once.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func nextPull(
    _ reader: Reader, limit: Int = WireLimits.rowsPerPage
  ) throws -> PullRequest {
    let state = try DeviceState(reader)
    let unanswered = try UnansweredBatches(reader, schema.manifest)
    let device = unanswered.device ?? state.device
    let cursors = try ScopeCursor.all(reader).filter { $0.role?.canRead == true }
      .prefix(WireLimits.scopesPerPull)
    return PullRequest(
      device: device, manifestVersion: schema.manifest.version, grantsAfter: state.grants,
      cursors: cursors.map { cursor in
        PullCursor(
          cursor.scope, epoch: cursor.fetch?.epoch ?? cursor.epoch, position: cursor.position,
          acknowledged: cursor.seq, conflictsAfter: cursor.conflicts,
          wantsRangeDigests: cursor.doubt == .asking,
          answeredBatch: unanswered.first[cursor.scope].map { $0 - 1 }
            ?? (cursor.device == device ? cursor.sent : 0))
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
    guard try nextPull(writer, limit: request.limit).continues(request) else {
      var report = PullReport()
      report.hasMore = true
      return report
    }
    return try withoutActuallyEscaping(makeID) { makeID in
      var intake = PullIntake(
        replica: self, writer: writer, device: request.device, now: exchange.received,
        makeID: makeID, cursors: try cursors(writer))
      try intake.take(response, to: request)
      return intake.report
    }
  }
}

extension PullRequest {
  /// Whether the answer to a request is of use where this one is the next: nothing has come since then
  /// but answers to pushes.
  fileprivate func continues(_ request: PullRequest) -> Bool {
    func unanswered(_ cursors: [PullCursor]) -> [PullCursor] { cursors.map { $0.answered(0) } }
    return device == request.device && manifestVersion == request.manifestVersion
      && grantsAfter == request.grantsAfter && unanswered(cursors) == unanswered(request.cursors)
      && zip(cursors, request.cursors).allSatisfy { $0.answeredBatch >= $1.answeredBatch }
  }
}

extension PullCursor {
  fileprivate func answered(_ number: Int64) -> PullCursor {
    PullCursor(
      scope, epoch: epoch, position: position, acknowledged: acknowledged,
      conflictsAfter: conflictsAfter, wantsRangeDigests: wantsRangeDigests, answeredBatch: number)
  }
}
