import Foundation
import OffshoreWire
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that is under way, and what has come of it.
final class TransportTask: Sendable {
  private struct State: Sendable {
    var status = 0
    var retryAfter: Int64?
    var error: URLError.Code?
    var isCancelled = false
  }

  /// The parts of the body as they come. It ends with the request, whose outcome ``check()`` tells.
  let parts: AsyncStream<[UInt8]>
  private let continuation: AsyncStream<[UInt8]>.Continuation
  private let state = Mutex(State())
  private let task: URLSessionDataTask

  init(_ task: URLSessionDataTask) {
    self.task = task
    (parts, continuation) = AsyncStream.makeStream()
  }

  /// The status of the answer, or 0 before there is one.
  var status: Int { state.withLock(\.status) }

  /// Gives the request up.
  func cancel() { task.cancel() }

  /// NB: A stream that is not read to its end, as by a task that was cancelled, ends the request.
  func onTermination(_ body: @escaping @Sendable () -> Void) {
    continuation.onTermination = { [weak self] termination in
      if case .cancelled = termination { self?.state.withLock { $0.isCancelled = true } }
      body()
    }
  }

  func take(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int64($0) }
    state.withLock { ($0.status, $0.retryAfter) = (response.statusCode, retryAfter) }
    // What listens is told at once that there is an answer, though it may be long until there is a part.
    continuation.yield([])
  }

  func take(_ data: Data) { continuation.yield(Array(data)) }

  func end(_ error: (any Error)?) {
    if let error {
      state.withLock { $0.error = (error as? URLError)?.code ?? .unknown }
    }
    continuation.finish()
  }

  /// Expects that the request has ended as it should.
  /// - Throws: why it has not.
  func check() throws(SyncEngine.Failure) {
    let state = state.withLock { $0 }
    if state.isCancelled || state.error == .cancelled {
      throw SyncEngine.Failure(.cancelled, "The request was given up.")
    }
    switch state.error {
    case nil: return
    case .timedOut:
      throw SyncEngine.Failure(.timedOut, "The server did not answer in time.")
    case let code?:
      throw SyncEngine.Failure(
        .unreachable, "The server cannot be reached (URL error \(code.rawValue)).")
    }
  }

  /// Why an answer is none, by its status and its body.
  func failure(_ body: [UInt8]) -> SyncEngine.Failure {
    if let problem = try? WireProblem(body: body) { return SyncEngine.Failure(problem) }
    return SyncEngine.Failure(status: status, retryAfter: state.withLock(\.retryAfter))
  }
}
