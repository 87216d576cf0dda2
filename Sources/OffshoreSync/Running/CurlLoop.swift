import CCurl
import Foundation
import OffshoreWire
import Synchronization

/// A loop that performs transfers with libcurl (<https://curl.se/libcurl/c/libcurl-multi.html>), on
/// a thread of its own.
///
/// NB: The objects of the library are only used on that thread, except that any thread may wake it.
final class CurlLoop: @unchecked Sendable {
  private struct Inbox {
    var started: [Transfer] = []
    var abandoned: [Transfer] = []
    /// Whether the thread is to end, and whether it has ended.
    var (isClosed, isOver) = (false, false)
  }

  private let multi: UnsafeMutableRawPointer
  /// The time after which a transfer without progress fails.
  private let idleTimeout: Duration
  private let certificates: String?
  private let inbox = Mutex(Inbox())
  private var running: [UnsafeMutableRawPointer: CurlHandle] = [:]

  private static let isInitialized: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  init(idleTimeout: Duration, certificates: String?) {
    guard Self.isInitialized, let multi = curl_multi_init() else {
      preconditionFailure("There is no memory for libcurl.")
    }
    (self.multi, self.idleTimeout, self.certificates) = (multi, idleTimeout, certificates)
    let thread = Thread { [self] in run() }
    thread.name = "offshore.transport"
    thread.start()
  }

  // MARK: - From any thread

  /// Starts a transfer, which ends when its parts are no longer read.
  func start(_ transfer: Transfer) {
    transfer.onAbandonment { [weak self, weak transfer] in transfer.map { self?.cancel($0) } }
    updateInbox { $0.started.append(transfer) }
  }

  /// Cancels a transfer.
  func cancel(_ transfer: Transfer) { updateInbox { $0.abandoned.append(transfer) } }

  /// Cancels all transfers, and ends the thread.
  func close() { updateInbox { $0.isClosed = true } }

  private func updateInbox(_ change: (inout Inbox) -> Void) {
    inbox.withLock { inbox in
      change(&inbox)
      // Once the thread has ended, there is nothing to wake.
      if !inbox.isOver { curl_multi_wakeup(multi) }
    }
  }

  // MARK: - On its thread

  private func run() {
    Self.blockBrokenPipes()
    while true {
      let news = inbox.withLock { inbox in
        defer { (inbox.started, inbox.abandoned) = ([], []) }
        return inbox
      }
      for transfer in news.started { begin(transfer) }
      for transfer in news.abandoned { abandon(transfer) }
      if news.isClosed { return finish() }
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      while let message = curl_multi_info_read(multi, &count) {
        if message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle {
          end(pointer, Self.failure(offshore_curl_result(message)))
        }
      }
      curl_multi_poll(multi, nil, 0, expire(at: .now), nil)
    }
  }

  /// Makes a write to a closed connection fail instead of ending the process. The signal is blocked
  /// on this thread only, because signals belong to the app.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private func begin(_ transfer: Transfer) {
    guard let handle = CurlHandle(transfer, certificates: certificates) else {
      return transfer.end(SyncEngine.Failure(.unreachable, "There is no memory for a request."))
    }
    running[handle.pointer] = handle
    curl_multi_add_handle(multi, handle.pointer)
  }

  private func end(_ pointer: UnsafeMutableRawPointer, _ failure: SyncEngine.Failure?) {
    guard let handle = running.removeValue(forKey: pointer) else { return }
    curl_multi_remove_handle(multi, pointer)
    handle.transfer.end(failure)
  }

  private func abandon(_ transfer: Transfer) {
    guard let handle = running.values.first(where: { $0.transfer === transfer }) else { return }
    end(handle.pointer, Self.cancelled)
  }

  /// Ends the transfers without progress for too long.
  /// - Returns: the number of milliseconds after which the next transfer may have to end.
  private func expire(at now: ContinuousClock.Instant) -> Int32 {
    var next: Duration?
    for handle in Array(running.values) {
      handle.updateProgress(at: now)
      let left = idleTimeout - (now - handle.lastMovement)
      if left <= .zero {
        end(
          handle.pointer, SyncEngine.Failure(.timedOut, "The server did not answer in time."))
      } else {
        next = min(next ?? left, left)
      }
    }
    guard let next else { return .max }
    return Int32(clamping: Int64(next / .milliseconds(1)) + 1)
  }

  private func finish() {
    for pointer in Array(running.keys) { end(pointer, Self.cancelled) }
    let late = inbox.withLock { inbox in
      inbox.isOver = true
      curl_multi_cleanup(multi)
      defer { inbox.started = [] }
      return inbox.started
    }
    for transfer in late { transfer.end(Self.cancelled) }
  }

  // MARK: - Results

  private static let cancelled = SyncEngine.Failure(.cancelled, "The request was given up.")

  private static func failure(_ code: CURLcode) -> SyncEngine.Failure? {
    let reason = String(cString: curl_easy_strerror(code))
    return switch code {
    case CURLE_OK: nil
    case CURLE_OPERATION_TIMEDOUT:
      SyncEngine.Failure(.timedOut, "The server did not answer in time.")
    case CURLE_BAD_CONTENT_ENCODING:
      SyncEngine.Failure(.malformed, "The server's answer cannot be read (\(reason)).")
    // NB: These include an answer that is cut off in its first line, which libcurl reports as not
    // being HTTP.
    default: SyncEngine.Failure(.unreachable, "The server cannot be reached (\(reason)).")
    }
  }
}
