public import Foundation

/// A client of a server's JSON interface, for apps without a copy of the data.
///
/// ```swift
/// let client = ServerClient(HTTPTransport(server))
/// let row: Row = try await client.ask(.init("GET", "v1/tables/charters/rows/\(id)"), token: token)
/// ```
public struct ServerClient: Sendable {
  /// A request to a server.
  public struct Request: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The path without a slash at the beginning, such as `v1/account`.
    public let path: String
    /// The items of the query.
    public let query: [URLQueryItem]
    let json: Data?

    /// Creates a request without a body.
    public init(_ method: String, _ path: String, query: [URLQueryItem] = []) {
      (self.method, self.path, self.query, json) = (method, path, query, nil)
    }

    /// Creates a request with a JSON body.
    /// - Throws: ``Failure`` with the code `malformed` if the body cannot be encoded as JSON.
    public init(
      _ method: String, _ path: String, query: [URLQueryItem] = [], json body: some Encodable
    ) throws(Failure) {
      (self.method, self.path, self.query) = (method, path, query)
      guard let json = try? JSONEncoder().encode(body) else {
        throw Failure(.malformed, "The request cannot be spelled as JSON. Correct its numbers.")
      }
      self.json = json
    }
  }

  private let transport: HTTPTransport
  private let gate: RequestGate

  /// Creates a client that sends requests through a transport.
  /// - Parameter gate: a switch for the requests. While it is closed, every call throws ``Failure``
  ///   with the code `unreachable`.
  public init(_ transport: HTTPTransport, through gate: RequestGate = RequestGate()) {
    self.transport = transport
    self.gate = gate
  }

  /// Sends a request, and decodes the answer.
  /// - Parameter token: the access token.
  /// - Throws: ``Failure`` if the request fails, or if the answer cannot be decoded.
  public func fetch<Answer: Decodable>(
    _ request: Request, token: String?
  ) async throws(Failure) -> Answer {
    let bytes = try await bytes(request, token)
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(bytes))
    } catch {
      throw Failure(unreadable: error)
    }
  }

  /// Sends a request, and ignores the body of the answer.
  /// - Parameter token: the access token.
  /// - Throws: ``Failure`` if the request fails.
  public func send(_ request: Request, token: String?) async throws(Failure) {
    _ = try await bytes(request, token)
  }

  private func bytes(_ request: Request, _ token: String?) async throws(Failure) -> [UInt8] {
    guard gate.isOpen else { throw .switchedOff }
    let answer: HTTPTransport.Answer
    do throws(SyncEngine.Failure) {
      answer = try await transport.send(request, token: token)
    } catch {
      throw Failure(error)
    }
    guard (200..<300).contains(answer.status) else { throw Failure(answer) }
    return answer.bytes
  }
}
