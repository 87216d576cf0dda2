import OffshoreWire
import Synchronization

/// A watch of the access tokens of open event streams, which closes the streams of tokens that have
/// ended.
///
/// The routes that end tokens close the streams themselves. Commands of the operator end tokens in
/// another process, or beside the server in the same one. The storage notices their commits, within
/// milliseconds for an SQLite file.
///
/// The watch begins with the first stream. It ends with the object, and with the first commit that changes
/// tokens while no stream is open. It reads one token by its key for each open stream, after commits that
/// change tokens and after all commits of other processes. A push does neither.
final class TokenWatch: Sendable {
  private let hub: HintHub
  private let storage: any ServerStorage
  private let running = Mutex<Task<Void, Never>?>(nil)

  init(_ hub: HintHub, _ storage: any ServerStorage) {
    (self.hub, self.storage) = (hub, storage)
  }

  deinit { running.withLock(\.self)?.cancel() }

  /// Starts the watch, unless it runs. Call it after a stream was opened.
  ///
  /// After an error of the storage, the next stream starts it again.
  func start() {
    running.withLock { running in
      guard running == nil else { return }
      // NB: It does not keep the object, whose end cancels it.
      running = Task { [hub, storage, weak self] in
        var isIdle = false
        do {
          try await storage.observe({ try Self.ended(hub, $0) }) { hub.closeStreams(with: $0) }
        } catch {
          isIdle = error is NoStream
        }
        self?.finish(isIdle: isIdle)
      }
    }
  }

  /// The end of a watch without streams. A read without tokens would read nothing, and no change would
  /// repeat it.
  private struct NoStream: Error {}

  private func finish(isIdle: Bool) {
    running.withLock { $0 = nil }
    // A stream that was opened meanwhile has found the watch running.
    if isIdle, !hub.tokens.isEmpty { start() }
  }

  /// Returns the tokens of open streams that have ended.
  private static func ended(
    _ hub: HintHub, _ transaction: any StorageTransaction
  ) throws -> Set<ContentHash> {
    let tokens = hub.tokens
    guard !tokens.isEmpty else { throw NoStream() }
    return try tokens.filter { try transaction.token($0) == nil }
  }
}
