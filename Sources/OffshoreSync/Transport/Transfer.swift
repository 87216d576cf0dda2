import Foundation
import OffshoreWire
import Synchronization

/// A request that is under way, and what has come of it.
final class Transfer: Sendable {
  /// What is asked of a server.
  struct Request: Sendable {
    let url: URL
    var method = "GET"
    /// The header fields, by name.
    var fields: [String: String] = [:]
    var body: [UInt8]?
    /// Whether it takes a new connection. One that is kept may turn out to have ended, and then what was
    /// sent is sent again.
    var isOnce = false
    /// How many bytes the body of an answer may have.
    var limit = WireLimits.bodyBytes
  }

  private struct State {
    var status = 0
    var retryAfter: Int64?
    var count = 0
    var failure: SyncEngine.Failure?
  }

  let request: Request
  /// The parts of the body as they come, after an empty one for the head. It ends with the request, whose
  /// outcome ``check()`` tells.
  let parts: AsyncStream<[UInt8]>
  private let continuation: AsyncStream<[UInt8]>.Continuation
  private let state = Mutex(State())

  init(_ request: Request) {
    self.request = request
    (parts, continuation) = AsyncStream.makeStream()
  }

  /// The status of the answer, or 0 before there is one.
  var status: Int { state.withLock(\.status) }

  /// After how many seconds the server says that it is worth trying again.
  var retryAfter: Int64? { state.withLock(\.retryAfter) }

  /// Expects that the request has ended as it should.
  /// - Throws: why it has not.
  func check() throws(SyncEngine.Failure) {
    if let failure = state.withLock(\.failure) { throw failure }
  }

  /// Why an answer is none, by its status and its body.
  func failure(_ body: [UInt8]) -> SyncEngine.Failure {
    if let problem = try? WireProblem(body: body) { return SyncEngine.Failure(problem) }
    let (status, retryAfter) = state.withLock { ($0.status, $0.retryAfter) }
    return SyncEngine.Failure(status: status, retryAfter: retryAfter)
  }

  // MARK: - What comes

  /// Has a closure called where nobody reads the parts any more, as where their reader was cancelled.
  func onAbandonment(_ body: @escaping @Sendable () -> Void) {
    continuation.onTermination = { [weak self] termination in
      guard case .cancelled = termination else { return }
      self?.fail(SyncEngine.Failure(.cancelled, "The request was given up."))
      body()
    }
  }

  func takeHead(status: Int, retryAfter: Int64?) {
    state.withLock { ($0.status, $0.retryAfter) = (status, retryAfter) }
    // What listens is told at once that there is an answer, though it may be long until there is a part.
    continuation.yield([])
  }

  /// - Returns: whether more is wanted.
  func take(_ part: [UInt8]) -> Bool {
    let isTooMuch = state.withLock { state in
      state.count += part.count
      return state.count > request.limit
    }
    if isTooMuch {
      fail(SyncEngine.Failure(.malformed, "The server's answer is larger than answers are."))
    } else {
      continuation.yield(part)
    }
    return !isTooMuch
  }

  /// Takes that the request has ended, and why where it should not have. The first reason stays.
  func end(_ failure: SyncEngine.Failure? = nil) {
    if let failure { fail(failure) }
    // NB: The library takes a head that is cut off between two lines for an answer.
    if status == 0 { fail(SyncEngine.Failure(.unreachable, "The server's answer is cut off.")) }
    continuation.finish()
  }

  private func fail(_ failure: SyncEngine.Failure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }
}
