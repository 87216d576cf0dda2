public import Foundation
public import Offshore
public import OffshoreWire

extension Replica {
  /// What is to be sent next, sealed as far as one message takes; `nil` where nothing is.
  ///
  /// Until an answer was taken, the same is sent again. Scopes in which nothing was ever granted wait.
  /// - Parameters:
  ///   - now: what the device's clock shows, in milliseconds since 1970.
  ///   - limits: how much is sent at once.
  ///   - makeID: makes an id for a batch.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func nextPush(
    _ writer: Writer, at now: Int64, limits: SealingLimits = SealingLimits(), makeID: () -> UUID
  ) throws -> PushRequest? {
    var batches = try unanswered(writer, limits)
    while try batches.isEmpty && hasCaptured(writer) {
      _ = try outbox.seal(writer, at: now, limits: limits, makeID: makeID)
      batches = try unanswered(writer, limits)
    }
    guard let device = batches.first?.device else { return nil }
    return PushRequest(
      device: device, epoch: try DeviceState(writer).epoch,
      manifestVersion: schema.manifest.version, batches: batches.map(\.batch))
  }

  /// The oldest batches under one name that fit into a message, and none before one of its scope that
  /// has another name: it may build on that.
  private func unanswered(_ reader: Reader, _ limits: SealingLimits) throws -> [SealedBatch] {
    let sizes = try SQL(
      """
      SELECT k, scope, device, ops, length(content) FROM _batch WHERE \(SealedBatch.canBeSent(schema.manifest))
      ORDER BY k LIMIT \(WireLimits.batchesPerPush)
      """
    ).all(reader, as: Int64.self, String.self, Data.self, Int.self, Int.self)
    var (keys, ops, bytes): ([Int64], Int, Int) = ([], 0, 0)
    var blocked: Set<String> = []
    for (key, scope, device, count, length) in sizes {
      if device != sizes.first?.2 { blocked.insert(scope) }
      guard !blocked.contains(scope) else { continue }
      ops += count
      bytes += length
      guard keys.isEmpty || ops <= limits.ops && bytes <= limits.bytes else { break }
      keys.append(key)
    }
    return try keys.flatMap { try SealedBatch.all(where: "k = \($0)", reader) }
  }

  /// Takes the answer to a push.
  ///
  /// What was applied goes on showing over the rows until a pull has brought it, so nothing flickers.
  /// What was refused is set aside with the reason, and what it changed goes back; what was only sent
  /// along with it is sealed again. An answer that comes late or twice changes nothing.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func take(
    _ response: PushResponse, to request: PushRequest, at exchange: Exchange, _ writer: Writer,
    newDevice: () -> DeviceID, makeID: () -> UUID
  ) throws -> PushReport {
    var state = try DeviceState(writer)
    state.clock.learn(
      server: response.serverTime, sent: exchange.sent, received: exchange.received)
    // Data that was restored before the first pull is told apart by this.
    if state.epoch == 0, !response.results.isEmpty { state.epoch = response.epoch }
    try state.save(writer)
    guard response.results.isEmpty || response.epoch == state.epoch else {
      // The answer tells of other data than what was pulled since.
      var report = PushReport()
      report.hasMore = try hasUnsent(writer)
      return report
    }
    let report = try withoutActuallyEscaping(makeID) { makeID in
      var intake = PushIntake(
        replica: self, writer: writer, now: exchange.received, makeID: makeID,
        cursors: try cursors(writer))
      try intake.take(response, to: request, newDevice: newDevice)
      try intake.finish()
      return intake.report
    }
    return try finish(report, response, request, writer)
  }

  private func finish(
    _ report: PushReport, _ response: PushResponse, _ request: PushRequest, _ writer: Writer
  ) throws -> PushReport {
    var report = report
    let isOtherData = response.results.isEmpty && !request.batches.isEmpty
    if isOtherData, try ScopeCursor.all(writer).contains(where: { $0.role?.canRead == true }) {
      // The device pulls first, and learns which numbers the server's data has.
      report.needsPull = true
      return report
    }
    if isOtherData {
      var state = try DeviceState(writer)
      state.epoch = response.epoch
      state.grants = 0
      try state.save(writer)
    }
    report.hasMore = try hasUnsent(writer)
    return report
  }
}
