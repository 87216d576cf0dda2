public import Foundation
public import Offshore
public import OffshoreWire

/// The effects of an answer to a push.
public struct PushReport: Hashable, Sendable {
  /// The number of batches that this answer is the first to report as applied.
  public internal(set) var applied = 0
  /// The number of applied batches that the device already knew to be applied, for example from a
  /// pull that came before this answer.
  public internal(set) var alreadyApplied = 0
  /// The number of rejected batches.
  public internal(set) var rejected = 0
  /// Whether the device got a new id, because another device has used the former one.
  public internal(set) var isForked = false
  /// Whether the device should pull next: a batch was refused or forked, an edit may have lost
  /// against a concurrent one, or the server's epoch changed.
  public internal(set) var needsPull = false
  /// The number of the last change of the applied batches in each scope, if it was not pulled yet.
  /// The engine pulls because of it, unless a pull that is under way reaches it.
  public internal(set) var heads: [ScopeID: Int64] = [:]
  /// Whether a batch was divided because of its size, so that its parts can be sent.
  public internal(set) var isDivided = false
  /// Whether more changes are to be sent.
  public internal(set) var hasMore = false
  /// The milliseconds until refused changes are sent again, or `nil` if there are none of them.
  public internal(set) var nextTry: Int64?
}

extension Replica {
  /// Seals pending changes if necessary, and returns the next push request.
  ///
  /// The same batches are returned until their answer is applied. Changes in scopes without any
  /// grant wait, unless the scope can be claimed.
  /// - Parameters:
  ///   - now: the current time of the device's clock, in milliseconds since 1970. Refused changes that
  ///     are to be sent again at this time are among the batches.
  ///   - limits: the maximum size of a request and of each batch.
  ///   - timing: the delays before refused changes are sent again.
  ///   - makeID: creates the id of a batch.
  /// - Returns: `nil` if there is nothing to send.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func nextPush(
    _ writer: Writer, at now: Int64, limits: SealingLimits = SealingLimits(),
    timing: SyncEngine.Timing = SyncEngine.Timing(), makeID: () -> UUID
  ) throws -> PushRequest? {
    try withoutActuallyEscaping(makeID) { makeID in
      try PostponedBatches(
        writer: writer, manifest: schema.present, timing: timing, now: now, makeID: makeID
      ).release()
    }
    var next = try unanswered(writer, limits)
    // A change of a row that was not sent yet belongs into its batch.
    let hasUnsent = try next.keys.first.map { try isUnsent($0, writer) } ?? false
    if next.keys.isEmpty || hasUnsent {
      var room: Int?
      while try hasCaptured(writer), hasUnsent || !next.isFull {
        _ = try outbox.seal(writer, at: now, limits: limits, room: &room, makeID: makeID)
        next = try unanswered(writer, limits)
      }
    }
    let batches = try SealedBatch.where { $0.key.in(next.keys) }.order { $0.key }.all(writer)
    guard let device = batches.first?.device else { return nil }
    try BatchQueue.offer(batches.map(\.batch), of: device, writer)
    return PushRequest(
      device: device, epoch: try ReplicaState(writer).epoch,
      manifestVersion: schema.manifest.version, batches: batches.map(\.batch))
  }

  private func isUnsent(_ key: Int64, _ reader: Reader) throws -> Bool {
    var unsent = UnsentBatches(reader)
    return try SealedBatch.where { $0.key == key }.first(reader).map { try unsent.contains($0) }
      ?? false
  }

  /// Returns the oldest batches of one device id that fit into a message, and whether others did not
  /// fit.
  ///
  /// A batch may build on earlier ones of its scope. So it is left out while one of these has
  /// another device id. After a restore of the server's data, the batches of a scope wait until a pull
  /// has brought the number of the last one that the data has.
  private func unanswered(
    _ reader: Reader, _ limits: SealingLimits
  ) throws -> (keys: [Int64], isFull: Bool) {
    let sizes = try schema.batchQueries.oldest.all(
      reader, as: Int64.self, String.self, Data.self, Int.self, Int.self)
    var (keys, ops, bytes): ([Int64], Int, Int) = ([], 0, 0)
    var blocked: Set<String> = []
    for (key, scope, device, count, length) in sizes {
      if device != sizes.first?.2 { blocked.insert(scope) }
      guard !blocked.contains(scope) else { continue }
      ops += count
      bytes += length
      let fits =
        ops <= limits.ops && bytes <= limits.messageBytes
        && keys.count < WireLimits.batchesPerPush
      guard keys.isEmpty || fits else { return (keys, true) }
      keys.append(key)
    }
    return (keys, bytes >= limits.messageBytes)
  }

  /// Divides the only batch of a request that was refused because of its size, so that its parts can
  /// be sent. If it changes a single row, the changes are stored as refused.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  package func divide(
    _ request: PushRequest, at now: Int64, _ writer: Writer, makeID: () -> UUID
  ) throws -> PushReport {
    var report = try withoutActuallyEscaping(makeID) { makeID in
      var intake = PushIntake(
        replica: self, writer: writer, now: now, makeID: makeID, cursors: try cursors(writer))
      for batch in request.batches { try intake.divide(batch, of: request.device) }
      try intake.finish()
      return intake.report
    }
    report.hasMore = try hasUnsent(writer)
    report.nextTry = try nextTry(writer, at: now)
    return report
  }

  /// Applies the answer to a push.
  ///
  /// Applied changes stay visible until a pull brings them, so that nothing flickers. Of a rejected
  /// batch, changes are stored as refused, so that their rows return to their confirmed values, or
  /// sealed again, as <doc:HowSyncingWorks> describes. A late or repeated answer changes no batch
  /// and no row.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  /// - Parameter timing: the delays before refused changes are sent again.
  public func apply(
    _ response: PushResponse, to request: PushRequest, at times: RequestTimes,
    timing: SyncEngine.Timing = SyncEngine.Timing(), _ writer: Writer,
    newDevice: () -> DeviceID, makeID: () -> UUID
  ) throws -> PushReport {
    var report = try applied(
      response, to: request, at: times, timing: timing, writer, newDevice: newDevice,
      makeID: makeID)
    report.nextTry = try nextTry(writer, at: times.received)
    return report
  }

  /// Returns the milliseconds until refused changes are sent again, or `nil` if there are none.
  package func nextTry(_ reader: Reader, at now: Int64) throws -> Int64? {
    let due =
      try SQL("SELECT min(due) FROM _batch WHERE \(SealedBatch.isPostponed)")
      .first(reader, as: Int64?.self) ?? nil
    return due.map { max($0 - now, 0) }
  }

  private func applied(
    _ response: PushResponse, to request: PushRequest, at times: RequestTimes,
    timing: SyncEngine.Timing, _ writer: Writer, newDevice: () -> DeviceID, makeID: () -> UUID
  ) throws -> PushReport {
    var state = try ReplicaState(writer)
    state.clock.updateOffset(
      server: response.serverTime, sent: times.sent, received: times.received)
    // With this epoch, a restore of the server's data before the first pull is noticed.
    if state.epoch == 0, !response.results.isEmpty { state.epoch = response.epoch }
    try state.save(writer)
    guard response.results.isEmpty || response.epoch == state.epoch else {
      // A pull has found another epoch since the request was sent.
      var report = PushReport()
      report.hasMore = try hasUnsent(writer)
      return report
    }
    let report = try withoutActuallyEscaping(makeID) { makeID in
      var intake = PushIntake(
        replica: self, writer: writer, now: times.received, makeID: makeID, timing: timing,
        cursors: try cursors(writer, of: Set(request.batches.map(\.scope))))
      try intake.process(response, to: request, newDevice: newDevice)
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
    if isOtherData, try ScopeCursor.all.all(writer).contains(where: { $0.role?.canRead == true }) {
      // The pull brings the number of the last batch that the server's data has.
      report.needsPull = true
      return report
    }
    if isOtherData {
      var state = try ReplicaState(writer)
      state.epoch = response.epoch
      state.grants = 0
      try state.save(writer)
      try Reopening(writer).runUnpulled(of: request.device)
    }
    report.hasMore = try hasUnsent(writer)
    return report
  }
}
