public import Foundation
import OffshoreWire

/// Reaches a server over HTTP, by libcurl.
///
/// A request is given up after a time in which nothing moved. Redirects are not followed: the token
/// is for one server.
public final class HTTPTransport: SyncTransport {
  private let server: URL
  private let loop: CurlLoop

  /// Takes where the server is.
  /// - Parameters:
  ///   - server: its address, as `https://boats.example.org`; its path stands before the routes.
  ///   - patience: for how many seconds nothing may move on a connection. On an event stream the server
  ///     gives a sign of life each 15.
  ///   - certificates: the path of a file with the certificates, in PEM, of those who are trusted to vouch
  ///     for the server, instead of those that the system trusts.
  public init(_ server: URL, patience: TimeInterval = 30, certificates: String? = nil) {
    self.server = server
    loop = CurlLoop(patience: .seconds(patience), certificates: certificates)
  }

  deinit { loop.close() }

  public func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    var request = request("POST", path, token: token)
    request.fields["Content-Type"] = WireProtocol.contentType
    request.body = body
    if body.count > Gzip.threshold, let compressed = Gzip.compress(body) {
      request.body = compressed
      request.fields["Content-Encoding"] = "gzip"
    }
    let (transfer, bytes) = try await answer(to: request)
    guard transfer.status == 200 else { throw transfer.failure(bytes) }
    return bytes
  }

  /// What a server has answered to a request with JSON.
  struct Answer: Sendable {
    let status: Int
    let bytes: [UInt8]
    /// After how many seconds the server says that it is worth trying again.
    let retryAfter: Int64?
  }

  /// Sends a request with JSON, and waits for the answer, whatever its status.
  func send(
    _ message: ServerClient.Request, token: String?
  ) async throws(SyncEngine.Failure) -> Answer {
    var request = request(message.method, message.path, query: message.query, token: token)
    request.isOnce = true
    request.body = message.json.map { Array($0) }
    if message.json != nil { request.fields["Content-Type"] = "application/json" }
    let (transfer, bytes) = try await answer(to: request)
    return Answer(status: transfer.status, bytes: bytes, retryAfter: transfer.retryAfter)
  }

  private func answer(
    to request: Transfer.Request
  ) async throws(SyncEngine.Failure) -> (Transfer, [UInt8]) {
    let transfer = start(request)
    var bytes: [UInt8] = []
    for await part in transfer.parts { bytes += part }
    try transfer.check()
    return (transfer, bytes)
  }

  public func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure) {
    var request = request("GET", "v1/events", token: token)
    request.fields["Accept"] = "text/event-stream"
    request.limit = .max
    let transfer = start(request)
    var (parser, isOpen, refusal) = (EventParser(), false, [UInt8]())
    for await part in transfer.parts {
      guard transfer.status == 200 else {
        if refusal.count < WireLimits.valueBytes { refusal += part }
        continue
      }
      if !isOpen {
        isOpen = true
        await heard(.opened)
      }
      guard let events = parser.take(part) else {
        loop.giveUp(transfer)
        throw SyncEngine.Failure(.malformed, "The server's events are larger than events are.")
      }
      for event in events where event.name == "hint" {
        // A hint that a newer server spells otherwise is none; the next pull comes anyway.
        if let hint = try? Hint(event.data) { await heard(.hint(hint)) }
      }
    }
    try transfer.check()
    guard transfer.status == 200 else { throw transfer.failure(refusal) }
  }

  private func start(_ request: Transfer.Request) -> Transfer {
    let transfer = Transfer(request)
    loop.start(transfer)
    return transfer
  }

  private func request(
    _ method: String, _ path: String, query: [URLQueryItem] = [], token: String?
  ) -> Transfer.Request {
    let url = server.appending(path: path).asked(query)
    var request = Transfer.Request(url: url, method: method)
    if let token { request.fields["Authorization"] = "Bearer \(token)" }
    return request
  }
}
