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
      let request = try await performWrite { [replica, limits] writer in
        try replica.nextPush(
          writer, at: environment.now(), limits: limits, makeID: environment.makeID)
      }
      sent = request
      guard let request else { return handle(.pushAnswered(.nothingToSend)) }
      let report = try await report(of: request, environment)
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
      return try await performWrite { [replica] writer in
        try replica.apply(
          answer, to: request, at: times, writer,
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
      let request = try await request(of: round)
      let summary = try await summary(of: request, target, environment)
      handle(.pullAnswered(summary))
    } catch {
      ahead?.answer.cancel()
      handle(.pullFailed(error))
    }
  }

  /// Sends a pull and applies the answer. If the answer cannot be read, other scopes are pulled next.
  private func summary(
    of request: PullRequest, _ target: PullTarget, _ environment: Environment
  ) async throws(SyncEngine.Failure) -> SyncEngine.PullSummary {
    let (answer, times): (PullResponse, RequestTimes)
    do throws(SyncEngine.Failure) {
      (answer, times) = try await response(request, environment)
    } catch {
      guard error.code == .malformed, target == .all,
        rounds.divide(after: error, scopes: request.cursors.map(\.scope))
      else { throw error }
      return SyncEngine.PullSummary(
        isComplete: false, hasMore: true, hasAdvanced: true, needsPush: false)
    }
    prefetch(after: request, answer, target, environment)
    let report = try await performWrite { [replica] writer in
      try replica.apply(
        answer, to: request, ofSingleScopes: target != .all, at: times, writer,
        makeID: environment.makeID)
    }
    guard target == .all else { return SyncEngine.PullSummary(report) }
    return SyncEngine.PullSummary(rounds.add(report), unreadable: rounds.failure)
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

  private func request(
    of round: PullRounds.Round
  ) async throws(SyncEngine.Failure) -> PullRequest {
    try await convertingErrors { [database, replica] in
      try await database.read { try replica.nextPull($0, of: round.scopes, limit: round.rowLimit) }
    }
  }

  /// Returns the answer to a pull, which may have been requested ahead.
  private func response(
    _ request: PullRequest, _ environment: Environment
  ) async throws(SyncEngine.Failure) -> (PullResponse, RequestTimes) {
    let token = try accessToken()
    guard let ahead, await ahead.answers(request, token: token) else {
      return try await transport.exchange(
        PullResponse.self, request, to: "v1/pull", token: token, now: environment.now)
    }
    self.ahead = nil
    let answer = await withTaskCancellationHandler {
      await ahead.answer.value
    } onCancel: {
      ahead.answer.cancel()
    }
    return try answer.get()
  }

  /// Requests the page or the round after the one that is about to be stored, so that the network and the
  /// database work at the same time.
  private func prefetch(
    after request: PullRequest, _ answer: PullResponse, _ target: PullTarget,
    _ environment: Environment
  ) {
    let next = request.following(answer, isOfSingleScopes: target != .all)
    let round = next == nil && target == .all && answer.isLast ? rounds.next : nil
    guard next != nil || round != nil, let token, !Task.isCancelled else { return }
    let former = ahead?.answer
    former?.cancel()
    let predicted = Task {
      if let round { try? await self.request(of: round) } else { next }
    }
    ahead = PullAhead(
      request: predicted, token: token,
      answer: Task {
        _ = await former?.value
        do throws(SyncEngine.Failure) {
          guard let request = await predicted.value else {
            throw SyncEngine.Failure(.cancelled, "")
          }
          return .success(
            try await transport.exchange(
              PullResponse.self, request, to: "v1/pull", token: token, now: environment.now))
        } catch {
          return .failure(error)
        }
      })
  }

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
