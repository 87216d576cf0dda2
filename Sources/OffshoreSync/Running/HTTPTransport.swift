public import Foundation
import OffshoreWire
import Synchronization

/// The transport to a server over HTTP, by libcurl.
///
/// A request without progress for some time fails. Redirects are not followed, because the access
/// token is for one server.
public final class HTTPTransport: SyncTransport {
  private let server: URL
  private let loop: CurlLoop

  /// Creates a transport to a server.
  /// - Parameters:
  ///   - server: the address, such as `https://boats.example.org`. Routes are appended to its path.
  ///   - idleTimeout: the number of seconds without progress after which a request fails. A server
  ///     sends a comment on an event stream every 15 seconds.
  ///   - certificates: the path of a PEM file with the trusted certificate authorities, which
  ///     replace those of the system.
  public init(_ server: URL, idleTimeout: TimeInterval = 30, certificates: String? = nil) {
    self.server = server
    loop = CurlLoop(idleTimeout: .seconds(idleTimeout), certificates: certificates)
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

  /// The answer to a request with JSON.
  struct Answer: Sendable {
    let status: Int
    let bytes: [UInt8]
    /// The number of seconds to wait before a retry, if the server requests a delay.
    let retryAfter: Int64?
  }

  /// Sends a request with JSON, and returns the answer, whatever its status.
  func send(
    _ message: ServerClient.Request, token: String?
  ) async throws(SyncEngine.Failure) -> Answer {
    var request = request(
      message.method, message.path, component: message.component, query: message.query,
      token: token)
    request.fields.merge(message.fields) { own, _ in own }
    request.isOnce = true
    request.body = message.json.map { Array($0) }
    if message.json != nil { request.fields["Content-Type"] = "application/json" }
    let (transfer, bytes) = try await answer(to: request)
    return Answer(status: transfer.status, bytes: bytes, retryAfter: transfer.retryAfter)
  }

  func answer(
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
      guard let events = parser.parse(part) else {
        loop.cancel(transfer)
        throw SyncEngine.Failure(.malformed, "The server's events are larger than events are.")
      }
      for event in events where event.name == "hint" {
        // A hint that only newer versions can parse is ignored. The next pull brings the changes
        // anyway.
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

  func request(
    _ method: String, _ path: String, component: String? = nil, query: [URLQueryItem] = [],
    token: String?
  ) -> Transfer.Request {
    let place = server.appending(path: path)
    let url = (component.map(place.appendingComponent) ?? place).appendingQuery(query)
    var request = Transfer.Request(url: url, method: method)
    if let token { request.fields["Authorization"] = "Bearer \(token)" }
    return request
  }
}

/// A switch for the requests of a ``ServerClient`` and an ``AccountClient``, which both check
/// before each request.
///
/// Pass one gate to each ``ServerClient`` and ``AccountClient`` that it should switch off. While it
/// is closed, their calls fail at once with the code `unreachable`. The requests of a
/// ``SyncDriver`` do not depend on a gate: stop the driver instead. The airplane mode of
/// `SyncService`, of `OffshorePresentation`, does both.
public final class RequestGate: Sendable {
  private let state: Mutex<Bool>

  /// Creates a gate, which is open by default.
  public init(isOpen: Bool = true) { state = Mutex(isOpen) }

  /// Whether requests may be made.
  public var isOpen: Bool { state.withLock(\.self) }

  /// Opens or closes the gate. Requests that were already sent continue.
  public func setOpen(_ isOpen: Bool) { state.withLock { $0 = isOpen } }
}
