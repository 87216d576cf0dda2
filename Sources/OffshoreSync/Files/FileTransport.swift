import OffshoreWire

/// The connection by which a device sends and fetches files in parts.
protocol FileTransport: Sendable {
  /// Sends a part of a file to a scope.
  /// - Parameters:
  ///   - offset: the number of bytes before the part.
  ///   - length: the number of bytes of the whole file.
  /// - Throws: the reason why the request failed, such as `unreachable`, `timedOut`, `unauthorized`.
  func send(
    _ part: [UInt8], at offset: Int, of length: Int, _ hash: ContentHash, to scope: ScopeID,
    token: String
  ) async throws(SyncEngine.Failure) -> SentPart

  /// Fetches a part of a file.
  /// - Throws: the reason why the request failed, such as `unreachable`, `timedOut`, `unauthorized`.
  func fetch(
    _ range: Range<Int>, of hash: ContentHash, token: String
  ) async throws(SyncEngine.Failure) -> FetchedPart
}

/// The answer to a part that was sent.
enum SentPart: Hashable {
  /// The server has the whole file in the scope.
  case stored
  /// The server has this many bytes, after which the next part follows.
  case received(Int)
  /// The server does not accept the file, for the reason with this code.
  case refused(code: String)
}

/// The answer to the request of a part.
enum FetchedPart: Hashable {
  /// The part, and the number of bytes of the whole file.
  case part([UInt8], of: Int)
  /// The server does not have the file yet, or the account may not read it.
  case missing
}
