public import Foundation
import OffshoreWire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reaches a server over HTTP, by URLSession.
///
/// A request is given up after a time in which nothing moved. Redirects are not followed: the token
/// is for one server.
public final class HTTPTransport: SyncTransport {
  private let server: URL
  private let delegate = TaskDelegate()
  private let session: URLSession

  /// Takes where the server is.
  /// - Parameters:
  ///   - server: its address, as `https://boats.example.org`; its path stands before the routes.
  ///   - patience: for how many seconds nothing may move on a connection. On an event stream the server
  ///     gives a sign of life each 15.
  public init(_ server: URL, patience: TimeInterval = 30) {
    self.server = server
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = patience
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  deinit { session.invalidateAndCancel() }

  public func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    var request = request(path, token: token)
    request.httpMethod = "POST"
    if body.count > Gzip.threshold, let compressed = Gzip.compress(body) {
      request.httpBody = Data(compressed)
      request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
    } else {
      request.httpBody = Data(body)
    }
    request.setValue(WireProtocol.contentType, forHTTPHeaderField: "Content-Type")
    let (task, bytes) = try await answer(to: request)
    guard task.status == 200 else { throw task.failure(bytes) }
    return bytes
  }

  /// Sends a request with JSON, and waits for the answer, whatever its status.
  func send(
    _ method: String, _ path: String, token: String?, json: Data?
  ) async throws(SyncEngine.Failure) -> (status: Int, bytes: [UInt8]) {
    var request = request(path, token: token)
    request.httpMethod = method
    request.httpBody = json
    if json != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    let (task, bytes) = try await answer(to: request)
    return (task.status, bytes)
  }

  private func answer(
    to request: URLRequest
  ) async throws(SyncEngine.Failure) -> (TransportTask, [UInt8]) {
    let task = delegate.begin(session.dataTask(with: request))
    var bytes: [UInt8] = []
    for await part in task.parts {
      bytes += part
      guard bytes.count <= WireLimits.bodyBytes else {
        task.cancel()
        throw SyncEngine.Failure(.malformed, "The server's answer is larger than answers are.")
      }
    }
    try task.check()
    return (task, bytes)
  }

  public func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure) {
    var request = request("v1/events", token: token)
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    let task = delegate.begin(session.dataTask(with: request))
    var (parser, isOpen, refusal) = (EventParser(), false, [UInt8]())
    for await part in task.parts {
      guard task.status == 200 else {
        if refusal.count < WireLimits.valueBytes { refusal += part }
        continue
      }
      if !isOpen {
        isOpen = true
        await heard(.opened)
      }
      guard let events = parser.take(part) else {
        task.cancel()
        throw SyncEngine.Failure(.malformed, "The server's events are larger than events are.")
      }
      for event in events where event.name == "hint" {
        // A hint that a newer server spells otherwise is none; the next pull comes anyway.
        if let hint = try? Hint(event.data) { await heard(.hint(hint)) }
      }
    }
    try task.check()
    guard task.status == 200 else { throw task.failure(refusal) }
  }

  private func request(_ path: String, token: String?) -> URLRequest {
    var request = URLRequest(url: server.appending(path: path))
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    return request
  }
}
