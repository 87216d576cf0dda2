import Foundation
import OffshoreWire
import Synchronization

/// A request in progress, and its answer.
final class Transfer: Sendable {
  /// The content and the options of a request.
  struct Request: Sendable {
    let url: URL
    var method = "GET"
    /// The header fields, by name.
    var fields: [String: String] = [:]
    var body: [UInt8]?
    /// Whether the request uses a new connection. A reused connection may turn out to be closed,
    /// and the library then sends the request again.
    var isOnce = false
    /// The maximum number of bytes of the answer's body.
    var limit = WireLimits.bodyBytes
  }

  private struct State {
    var head = AnswerHead()
    var count = 0
    var failure: SyncEngine.Failure?
  }

  let request: Request
  /// The parts of the body as they arrive, after an empty part for the head. The stream ends with
  /// the request; ``check()`` then throws its failure.
  let parts: AsyncStream<[UInt8]>
  private let continuation: AsyncStream<[UInt8]>.Continuation
  private let state = Mutex(State())

  init(_ request: Request) {
    self.request = request
    (parts, continuation) = AsyncStream.makeStream()
  }

  /// The status of the answer, or 0 before there is one.
  var status: Int { head.status }

  /// The number of seconds to wait before a retry, if the server requests a delay.
  var retryAfter: Int64? { head.retryAfter }

  /// The status and the fields of the answer, empty before there is one.
  var head: AnswerHead { state.withLock(\.head) }

  /// Checks that the request has succeeded.
  /// - Throws: the failure of the request.
  func check() throws(SyncEngine.Failure) {
    if let failure = state.withLock(\.failure) { throw failure }
  }

  /// Creates a failure from the status and the body of an answer.
  func failure(_ body: [UInt8]) -> SyncEngine.Failure {
    if let problem = try? WireProblem(body: body) { return SyncEngine.Failure(problem) }
    let head = head
    return SyncEngine.Failure(status: head.status, retryAfter: head.retryAfter)
  }

  // MARK: - Receiving

  /// Sets a closure that is called when the parts are no longer read, for example because the
  /// reader's task was cancelled.
  func onAbandonment(_ body: @escaping @Sendable () -> Void) {
    continuation.onTermination = { [weak self] termination in
      guard case .cancelled = termination else { return }
      self?.fail(SyncEngine.Failure(.cancelled, "The request was given up."))
      body()
    }
  }

  func receiveHead(_ head: AnswerHead) {
    state.withLock { $0.head = head }
    // The reader learns at once that the server answers. The first part of the body may come much
    // later.
    continuation.yield([])
  }

  /// Receives a part of the body.
  /// - Returns: whether the transfer should continue.
  func receive(_ part: [UInt8]) -> Bool {
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

  /// Ends the request, with a failure if it did not succeed. The first failure is retained.
  func end(_ failure: SyncEngine.Failure? = nil) {
    if let failure { fail(failure) }
    // NB: The library accepts a head that is cut off between two lines as an answer.
    if status == 0 { fail(SyncEngine.Failure(.unreachable, "The server's answer is cut off.")) }
    continuation.finish()
  }

  private func fail(_ failure: SyncEngine.Failure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }
}

/// The head of an answer, parsed from its lines as libcurl delivers them.
///
/// Informational answers, which precede another one
/// (<https://www.rfc-editor.org/rfc/rfc9110#section-15.2>), are ignored. So are the fields that
/// follow a body.
struct AnswerHead {
  private(set) var status = 0
  /// The fields that the library uses, by their names in small letters.
  private(set) var fields: [String: String] = [:]
  private var isRead = false

  /// The number of seconds to wait before a retry, if the server requests a delay.
  var retryAfter: Int64? { fields["retry-after"].flatMap { Int64($0) } }

  private static let usedFields: Set = ["retry-after", "upload-offset", "content-range"]

  /// Parses a line, which includes its end.
  /// - Returns: whether the line completes the head.
  mutating func parse(_ line: [UInt8]) -> Bool {
    guard !isRead else { return false }
    let text = String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ")
      (status, fields) = (words.count > 1 ? Int(words[1]) ?? 0 : 0, [:])
    } else if text.isEmpty {
      isRead = status >= 200
      return isRead
    } else if let colon = text.firstIndex(of: ":") {
      let name = text[..<colon].lowercased()
      guard Self.usedFields.contains(name) else { return false }
      fields[name] = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
    }
    return false
  }
}
