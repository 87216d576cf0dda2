import Offshore
public import OffshoreWire

/// The transport of messages to a server, and of their answers.
///
/// It has no rules of syncing: a failure is reported as it is, and no message is sent twice.
public protocol SyncTransport: Sendable {
  /// Sends the body of a message, and returns the body of the answer.
  /// - Parameters:
  ///   - body: the bytes of a `WireMessage`.
  ///   - path: the path without a slash at the beginning: `v1/push` or `v1/pull`.
  ///   - token: the access token.
  /// - Throws: the reason why the request failed; `cancelled` if the task was cancelled.
  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8]

  /// Opens the event stream, and receives the server's hints until the stream ends or the task is
  /// cancelled.
  /// - Parameters:
  ///   - token: the access token.
  ///   - heard: receives the events, one after the other: ``StreamEvent/opened`` first, as soon as
  ///     the server has accepted the request, then the hints. A stream that ends without `opened`
  ///     counts as one that could not be opened, and the next one is delayed.
  /// - Throws: the reason why the stream failed. If the server ends the stream normally, the call
  ///   returns. If the task is cancelled, the call ends at once: it returns, or throws `cancelled`.
  func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure)
}

extension SyncTransport {
  /// Sends a message, and decodes the answer.
  /// - Parameter now: the device's clock, in milliseconds since 1970.
  /// - Returns: the answer, and the times at which the message was sent and the answer received.
  /// - Throws: `malformed` if the answer cannot be read, and the failures of ``send(_:to:token:)``.
  func exchange<Answer: WireMessage>(
    _: Answer.Type, _ message: some WireMessage, to path: String, token: String,
    now: @Sendable () -> Int64
  ) async throws(SyncEngine.Failure) -> (Answer, RequestTimes) {
    guard !Task.isCancelled else { throw SyncEngine.Failure.requestCancelled }
    let sent = now()
    let body = try await send(message.body, to: path, token: token)
    let times = RequestTimes(sent: sent, received: now())
    do throws(WireError) {
      return (try Answer(body: body), times)
    } catch {
      throw SyncEngine.Failure(.malformed, "The server's answer cannot be read. \(error.message)")
    }
  }
}

/// An event of an event stream.
public enum StreamEvent: Hashable, Sendable {
  /// The server has opened the stream.
  case opened
  /// A scope has changed.
  case hint(Hint)
}

extension SyncEngine.Failure {
  /// Creates the failure of a request or answer that the device could not read from its database or
  /// store in it.
  /// - Parameter error: an error of the database, or `CancellationError`.
  init(storing error: any Error) {
    self =
      switch error {
      case is CancellationError: .requestCancelled
      case let error as ReplicaError: SyncEngine.Failure(.storage, error.message)
      case let error as DatabaseError: SyncEngine.Failure(.storage, error.message)
      default: SyncEngine.Failure(.storage, "The device cannot store what it syncs.")
      }
  }
}
