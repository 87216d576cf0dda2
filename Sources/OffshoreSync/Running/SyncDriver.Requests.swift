import Foundation
import Offshore
import OffshoreWire

/// The requests. Each ends with exactly one event.
extension SyncDriver {
  func runPush(_ environment: Environment) async {
    var sent: PushRequest?
    do throws(SyncEngine.Failure) {
      var limits = SealingLimits()
      limits.messageBytes = engine.pushSize.bytes
      let (request, nextTry) = try await performWrite {
        [replica, limits, timing = engine.timing] writer in
        let now = environment.now()
        let request = try replica.nextPush(
          writer, at: now, limits: limits, timing: timing, makeID: environment.makeID)
        return (request, request == nil ? try replica.nextTry(writer, at: now) : nil)
      }
      sent = request
      guard let request else {
        await readHeldChanges()
        return handle(.pushAnswered(.nothingToSend(nextTry: nextTry)))
      }
      let report = try await report(of: request, environment)
      await readHeldChanges()
      handle(.pushAnswered(SyncEngine.PushSummary(report)))
    } catch {
      guard let sent, sent.batches.count > 1, error.isOfSize else {
        return handle(.pushFailed(error))
      }
      handle(.pushFailed(error), excess: sent.batches.reduce(0) { $0 + $1.encoded().count })
    }
  }

  /// Sends a push and applies the answer. A single batch that is too large is divided, or refused if
  /// it has one row.
  private func report(
    of request: PushRequest, _ environment: Environment
  ) async throws(SyncEngine.Failure) -> PushReport {
    do throws(SyncEngine.Failure) {
      let (answer, times) = try await transport.exchange(
        PushResponse.self, request, to: "v1/push", token: try accessToken(), now: environment.now)
      return try await performWrite { [replica, timing = engine.timing] writer in
        try replica.apply(
          answer, to: request, at: times, timing: timing, writer,
          newDevice: { DeviceID(environment.makeID()) }, makeID: environment.makeID)
      }
    } catch {
      guard error.code == .tooLarge, request.batches.count == 1 else { throw error }
      return try await performWrite { [replica] writer in
        try replica.divide(
          request, at: environment.now(), writer, makeID: environment.makeID)
      }
    }
  }

  func runPull(_ target: PullTarget, _ environment: Environment) async {
    do throws(SyncEngine.Failure) {
      let round = try await round(of: target)
      let (request, waiting) = try await pull(of: round)
      let summary = try await summary(of: request, waiting, target, environment)
      handle(.pullAnswered(summary))
    } catch {
      cancelAhead()
      handle(.pullFailed(error))
    }
  }

  /// Sends a pull and applies the answer. If the answer cannot be read, other scopes are pulled next.
  private func summary(
    of request: PullRequest, _ waiting: WaitingScopes, _ target: PullTarget,
    _ environment: Environment
  ) async throws(SyncEngine.Failure) -> SyncEngine.PullSummary {
    let (answer, times): (PreparedAnswer, RequestTimes)
    do throws(SyncEngine.Failure) {
      (answer, times) = try await response(request, environment)
    } catch {
      guard error.code == .malformed, target == .all,
        rounds.divide(after: error, scopes: request.cursors.map(\.scope))
      else { throw error }
      return SyncEngine.PullSummary(
        isComplete: false, hasMore: true, hasAdvanced: true, needsPush: false)
    }
    prefetch(after: request, answer.response, waiting, target, environment)
    let report = try await performWrite { [replica] writer in
      try replica.apply(
        answer, to: request, ofSingleScopes: target != .all, at: times, writer,
        makeID: environment.makeID)
    }
    let summary =
      target == .all
      ? SyncEngine.PullSummary(rounds.add(report), unreadable: rounds.failure)
      : SyncEngine.PullSummary(report)
    if report.hasEndedScopes { hasFormerContent = true }
    // The next round does not wait for a reading: the device is not idle before the last one.
    if !summary.hasMore {
      await removeFormerContent()
      await readHeldChanges()
    }
    return summary
  }

  /// Removes the content of rows that the account may not read any more from the write-ahead log. If a
  /// read prevents that, it is tried again after the next pull.
  private func removeFormerContent() async {
    if hasFormerContent == nil {
      // The process may have ended before it was removed.
      hasFormerContent = try? await database.read { try ScopeCursor.hasRevoked($0) }
    }
    guard hasFormerContent == true, (try? await database.emptyLog()) == true else { return }
    hasFormerContent = false
  }

  /// Returns the next round of a pull.
  private func round(of target: PullTarget) async throws(SyncEngine.Failure) -> PullRounds.Round {
    if case .scopes(let scopes) = target { return PullRounds.Round(scopes: scopes) }
    if rounds.isOver {
      let (setAside, hinted) = (rounds.scopesSetAside, engine.hintedScopes)
      rounds.begin(
        try await convertingErrors { [database, replica] in
          try await database.read {
            try replica.pullRounds($0, without: setAside, hinted: hinted)
          }
        })
    }
    return rounds.round
  }

  /// Returns the next request of a round, and the scopes whose pages may wait.
  private func pull(
    of round: PullRounds.Round
  ) async throws(SyncEngine.Failure) -> (PullRequest, WaitingScopes) {
    try await convertingErrors { [database, replica] in
      try await database.read { reader in
        let request = try replica.nextPull(reader, of: round.scopes, limit: round.rowLimit)
        return (request, try WaitingScopes(ScopeArrival.byScope(reader), reader))
      }
    }
  }

  // MARK: - Requests ahead

  /// Returns the answer to a pull, which may have been requested ahead.
  private func response(
    _ request: PullRequest, _ environment: Environment
  ) async throws(SyncEngine.Failure) -> (PreparedAnswer, RequestTimes) {
    let token = try accessToken()
    guard let first = ahead.first, await first.answers(request, token: token) else {
      cancelAhead()
      let (response, times) = try await exchange(request, token: token, environment)
      return (await prepared(response), times)
    }
    ahead.removeFirst()
    let answer = await withTaskCancellationHandler {
      await first.answer.value
    } onCancel: {
      first.cancel()
    }
    return try answer.get()
  }

  /// Requests the page or the round after the one that is about to be stored, and then the round after
  /// that, so that the network, the server and both processors work at the same time.
  private func prefetch(
    after request: PullRequest, _ answer: PullResponse, _ waiting: WaitingScopes,
    _ target: PullTarget, _ environment: Environment
  ) {
    if ahead.isEmpty {
      let isSingle = target != .all
      if let next = request.following(answer, isOfSingleScopes: isSingle, waiting, replica) {
        requestAhead(Task { next }, isRound: false, environment)
      } else if target == .all, answer.isLast, let round = rounds.later(1) {
        requestAhead(
          Task { try? await self.pull(of: round).0 }, isRound: true, environment)
      }
    }
    guard ahead.count == 1, let first = ahead.first, first.isRound, let round = rounds.later(2)
    else { return }
    requestAhead(
      Task {
        guard case .success(let (response, _)) = await first.response.value, response.isLast else {
          return nil
        }
        return try? await self.pull(of: round).0
      }, isRound: true, environment)
  }

  /// - Parameter request: the request, or `nil` if it could not be predicted.
  private func requestAhead(
    _ request: Task<PullRequest?, Never>, isRound: Bool, _ environment: Environment
  ) {
    guard let token, !Task.isCancelled else { return }
    let response = Task { [former = endingAhead] in
      await former?.value
      do throws(SyncEngine.Failure) {
        guard let request = await request.value else { throw SyncEngine.Failure(.cancelled, "") }
        return PullAhead.Response.success(
          try await exchange(request, token: token, environment))
      } catch {
        return .failure(error)
      }
    }
    let answer = Task {
      do throws(SyncEngine.Failure) {
        let (response, times) = try await response.value.get()
        return PullAhead.Answer.success((await prepared(response), times))
      } catch {
        return .failure(error)
      }
    }
    ahead.append(
      PullAhead(
        request: request, token: token, isRound: isRound, response: response, answer: answer))
  }

  /// Cancels the pulls that were requested ahead.
  func cancelAhead() {
    guard !ahead.isEmpty else { return }
    for pull in ahead { pull.cancel() }
    endingAhead = Task { [former = endingAhead, ahead] in
      await former?.value
      for pull in ahead { await pull.end() }
    }
    ahead = []
  }

  @concurrent private nonisolated func exchange(
    _ request: PullRequest, token: String, _ environment: Environment
  ) async throws(SyncEngine.Failure) -> (PullResponse, RequestTimes) {
    try await transport.exchange(
      PullResponse.self, request, to: "v1/pull", token: token, now: environment.now)
  }

  @concurrent private nonisolated func prepared(_ response: PullResponse) async -> PreparedAnswer {
    PreparedAnswer(response, replica.schema.present)
  }

  // MARK: - Events

  func runStream() async {
    do throws(SyncEngine.Failure) {
      try await transport.listen(token: try accessToken()) { [weak self] event in
        switch event {
        case .opened: await self?.handle(.streamOpened)
        case .hint(let hint): await self?.handle(.hint(hint))
        }
      }
      handle(.streamClosed(nil))
    } catch {
      handle(.streamClosed(error.code == .cancelled ? nil : error))
    }
  }

  // MARK: - Steps

  private func accessToken() throws(SyncEngine.Failure) -> String {
    guard let token else { throw SyncEngine.Failure(.unauthorized, "Sign in to sync.") }
    return token
  }

  private func performWrite<Result: Sendable>(
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws(SyncEngine.Failure) -> Result {
    try await convertingErrors { [database] in try await database.write(body) }
  }

  /// Runs a closure, and converts errors of the device's own database.
  /// - Throws: the code `storage`, or `cancelled` if the task was cancelled.
  func convertingErrors<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws(SyncEngine.Failure) -> Result {
    do {
      return try await body()
    } catch {
      throw SyncEngine.Failure(storing: error)
    }
  }
}
