import Foundation
import OffshoreHTTP
import OffshoreSync
import Testing

/// JSON requests to a server, and its answers.
@Suite(.timeLimit(.minutes(1)))
struct ServerClientTests {
  private struct Echo: Codable, Equatable {
    let target: String
    let query: [String]
    let body: String
  }

  /// Starts a server that answers by a closure, and returns a client of it.
  private func client(
    through gate: RequestGate = RequestGate(),
    _ handler: @escaping @Sendable (Request) throws -> Response
  ) throws -> (ServerClient, HTTPServer) {
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    let server = HTTPServer(configuration, handler: { try handler($0) })
    let url = try #require(URL(string: "http://127.0.0.1:\(try server.start())"))
    return (ServerClient(HTTPTransport(url), through: gate), server)
  }

  private func failure(_ client: ServerClient) async -> ServerClient.Failure? {
    do {
      let _: Echo = try await client.fetch(ServerClient.Request("GET", "a"), token: nil)
      return nil
    } catch {
      return error
    }
  }

  @Test func `A query arrives unchanged, including special characters`() async throws {
    let (client, server) = try client { request in
      try .json(
        Echo(
          target: request.path, query: ["scope", "after"].map { request.query[$0] ?? "" },
          body: String(decoding: request.body, as: UTF8.self)))
    }
    let query = [
      URLQueryItem(name: "scope", value: "list/1+1 = 2&ü"),
      URLQueryItem(name: "after", value: "%2B"),
    ]
    let echo: Echo = try await client.fetch(
      ServerClient.Request("POST", "v1/a b", query: query, json: ["name": "Vis"]), token: "t")
    #expect(echo.query == ["list/1+1 = 2&ü", "%2B"] && echo.body == #"{"name":"Vis"}"#)
    await server.stop()
  }

  @Test func `A failure has the server's Retry-After, with or without a reason`() async throws {
    for body in [#"{"code":"tooManyRequests","message":"Wait."}"#, "busy"] {
      let (client, server) = try client { _ in
        Response(
          Response.Status(rawValue: 429), headers: ["Retry-After": "7"],
          body: .bytes(Array(body.utf8)))
      }
      let failure = await failure(client)
      #expect(failure?.code == .tooManyRequests && failure?.retryAfter == 7)
      #expect(failure?.status == 429)
      await server.stop()
    }
  }

  @Test(arguments: [
    (#"{"target":"a","query":["b",1],"body":""}"#, "query.Index 1"),
    (#"{"target":"a"}"#, "query"),
    (#"{"target":"a","query":null,"body":""}"#, "query"), ("[]", ""), ("no JSON", ""),
  ]) func `An unreadable part of an answer is named`(_ text: String, _ place: String) async throws {
    let (client, server) = try client { _ in Response(.ok, body: .bytes(Array(text.utf8))) }
    let failure = await failure(client)
    #expect(failure?.code == .malformed)
    let end = place.isEmpty ? "read." : "read at \(place)."
    #expect(failure?.message == "The server's answer cannot be \(end)")
    await server.stop()
  }

  @Test func `An unencodable request is not sent, and none through a closed gate`() async throws {
    #expect(throws: ServerClient.Failure.self) {
      _ = try ServerClient.Request("POST", "a", json: [Double.nan])
    }
    let (client, server) = try client(through: RequestGate(isOpen: false)) { _ in
      Response(.internalServerError)
    }
    #expect(await failure(client)?.code == .unreachable)
    await server.stop()
  }
}
