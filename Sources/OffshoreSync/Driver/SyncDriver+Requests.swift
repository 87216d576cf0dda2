import Foundation
import Offshore
import OffshoreWire

/// The requests. Each ends with exactly one event.
extension SyncDriver {
  func runPush(_ environment: Environment) async {
    do throws(SyncEngine.Failure) {
      let request = try await performWrite { [replica] writer in
        try replica.nextPush(writer, at: environment.now(), makeID: environment.makeID)
      }
      guard let request else { return handle(.pushAnswered(.nothingToSend)) }
      let (answer, times) = try await exchange(
        PushResponse.self, request, "v1/push", try accessToken(), environment)
      let report = try await performWrite { [replica] writer in
        try replica.apply(
          answer, to: request, at: times, writer,
          newDevice: { DeviceID(environment.makeID()) }, makeID: environment.makeID)
      }
      handle(.pushAnswered(SyncEngine.PushSummary(report)))
    } catch {
      handle(.pushFailed(error))
    }
  }

  func runPull(_ environment: Environment) async {
    do throws(SyncEngine.Failure) {
      let request = try await convertingErrors { [database, replica] in
        try await database.read { try replica.nextPull($0) }
      }
      let (answer, times) = try await response(request, environment)
      prefetch(to: request.following(answer), environment)
      let report = try await performWrite { [replica] writer in
        try replica.apply(answer, to: request, at: times, writer, makeID: environment.makeID)
      }
      handle(.pullAnswered(SyncEngine.PullSummary(report)))
    } catch {
      ahead?.answer.cancel()
      handle(.pullFailed(error))
    }
  }

  /// Returns the answer to a pull, which may have been requested ahead.
  private func response(
    _ request: PullRequest, _ environment: Environment
  ) async throws(SyncEngine.Failure) -> (PullResponse, RequestTimes) {
    let token = try accessToken()
    guard let ahead, ahead.answers(request, token: token) else {
      return try await exchange(PullResponse.self, request, "v1/pull", token, environment)
    }
    self.ahead = nil
    let answer = await withTaskCancellationHandler {
      await ahead.answer.value
    } onCancel: {
      ahead.answer.cancel()
    }
    return try answer.get()
  }

  /// Requests the page after the one that is about to be stored, so that the network and the
  /// database work at the same time.
  private func prefetch(to request: PullRequest?, _ environment: Environment) {
    guard let request, let token, !Task.isCancelled else { return }
    let former = ahead?.answer
    former?.cancel()
    ahead = PullAhead(
      request: request, token: token,
      answer: Task {
        _ = await former?.value
        do throws(SyncEngine.Failure) {
          return .success(
            try await exchange(PullResponse.self, request, "v1/pull", token, environment))
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

  private func exchange<Answer: WireMessage>(
    _: Answer.Type, _ request: some WireMessage, _ path: String, _ token: String,
    _ environment: Environment
  ) async throws(SyncEngine.Failure) -> (Answer, RequestTimes) {
    guard !Task.isCancelled else {
      throw SyncEngine.Failure(.cancelled, "The request was given up.")
    }
    let sent = environment.now()
    let body = try await transport.send(request.body, to: path, token: token)
    let times = RequestTimes(sent: sent, received: environment.now())
    do throws(WireError) {
      return (try Answer(body: body), times)
    } catch {
      throw SyncEngine.Failure(.malformed, "The server's answer cannot be read. \(error.message)")
    }
  }

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
  private func convertingErrors<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws(SyncEngine.Failure) -> Result {
    do {
      return try await body()
    } catch is CancellationError {
      throw SyncEngine.Failure(.cancelled, "The request was given up.")
    } catch let error as ReplicaError {
      throw SyncEngine.Failure(.storage, error.message)
    } catch let error as DatabaseError {
      throw SyncEngine.Failure(.storage, error.message)
    } catch {
      throw SyncEngine.Failure(.storage, "The device cannot store what it syncs.")
    }
  }
}
