public import Foundation

/// Asks a server by JSON, as clients do that keep no copy of the data.
///
/// ```swift
/// let client = ServerClient(HTTPTransport(server))
/// let row: Row = try await client.ask(.init("GET", "v1/tables/charters/rows/\(id)"), token: token)
/// ```
public struct ServerClient: Sendable {
  /// What a server is asked for.
  public struct Request: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// Where to, without a slash before it, such as `v1/account`.
    public let path: String
    /// What stands after the path.
    public let query: [URLQueryItem]
    let json: Data?

    /// Asks without a body.
    public init(_ method: String, _ path: String, query: [URLQueryItem] = []) {
      (self.method, self.path, self.query, json) = (method, path, query, nil)
    }

    /// Asks with a body.
    /// - Throws: ``Failure`` with the code `malformed` for a body that no JSON stands for.
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

  /// Takes how the server is reached.
  /// - Parameter gate: says whether anything is asked at all; where it is shut, every call throws
  ///   ``Failure`` with the code `unreachable`.
  public init(_ transport: HTTPTransport, through gate: RequestGate = RequestGate()) {
    self.transport = transport
    self.gate = gate
  }

  /// Asks for something.
  /// - Parameter token: what lets the device in.
  /// - Throws: ``Failure``: why there is no answer, or why it is none that can be used.
  public func ask<Answer: Decodable>(
    _ request: Request, token: String?
  ) async throws(Failure) -> Answer {
    let bytes = try await bytes(request, token)
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(bytes))
    } catch {
      throw Failure(unreadable: error)
    }
  }

  /// Asks for something of which nothing is told.
  /// - Parameter token: what lets the device in.
  /// - Throws: ``Failure``: why there is no answer, or why it is not done.
  public func tell(_ request: Request, token: String?) async throws(Failure) {
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
