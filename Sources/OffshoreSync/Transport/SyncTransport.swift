public import OffshoreWire

/// Carries messages to a server and answers back.
///
/// It knows no rules of syncing: what fails is told as it failed, and nothing is sent twice.
public protocol SyncTransport: Sendable {
  /// Sends the body of a message, and waits for that of the answer.
  /// - Parameters:
  ///   - body: the bytes of a `WireMessage`.
  ///   - path: where to, without a slash before it: `v1/push` or `v1/pull`.
  ///   - token: what lets the device in.
  /// - Throws: why there is no answer; `cancelled` where the task was cancelled.
  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8]

  /// Listens to the server's hints until it ends, or the task is cancelled.
  /// - Parameters:
  ///   - token: what lets the device in.
  ///   - heard: called with what is heard, one after the other.
  /// - Throws: why it could not be listened; nothing where the server has ended it as it should.
  func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure)
}

/// What is heard of an event stream.
public enum StreamEvent: Hashable, Sendable {
  /// The server has begun to send.
  case opened
  /// A scope has changed.
  case hint(Hint)
}
