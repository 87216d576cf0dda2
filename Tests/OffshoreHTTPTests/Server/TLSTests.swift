import Foundation
import OffshoreHTTP
import TestSupport
import Testing

/// Encrypted connections of a client that is not Offshore's own.
struct TLSTests {
  private let folder: CertificateFolder
  private let configuration: HTTPServer.Configuration

  init() throws {
    folder = try CertificateFolder()
    var configuration = HTTPServer.Configuration.forTests
    configuration.tls = try HTTPServer.TLS(
      certificates: folder.text(folder.certificate), key: folder.text(folder.key))
    self.configuration = configuration
  }

  private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  private func talk<Result: Sendable>(
    _ router: Router, options: [String] = [],
    _ body: @escaping @Sendable (TLSClient) throws -> Result
  ) async throws -> Result {
    try await serving(HTTPServer(configuration, router: router)) { [folder] port in
      try await onThread {
        try body(
          TLSClient(port: port, certificate: folder.certificate, options: options))
      }
    }
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["-tls1_2", "-tls1_3"]) func `Answers consecutive requests on one connection`(
      version: String
    ) async throws
  {
    var router = Router()
    router.get("a") { _ in .text("first") }
    router.post("b") { request in
      try await onThread {}
      return .text("second \(request.body.count)")
    }
    let answers = try await talk(router, options: [version]) { client in
      try client.send(Self.get("/a"))
      let first = client.read(through: "first")
      try client.send("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n")
      try client.send([UInt8](repeating: 0, count: 200_000))
      return [first, client.read(through: "second 200000")]
    }
    #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 OK\r\n") })
  }

  @Test(.timeLimit(.minutes(1)))
  func `Sends events as they arrive, and ends when the server stops`()
    async throws
  {
    let channel = EventChannel()
    var router = Router()
    router.get("events") { _ in .events(channel) }
    let text = try await talk(router) { client in
      try client.send(Self.get("/events"))
      _ = client.read(through: ":\n\n")
      channel.send(ServerSentEvent(data: "one"))
      let one = client.read(through: "one")
      channel.send(ServerSentEvent(data: "two"))
      let two = client.read(through: "two")
      channel.close()
      return one + two + client.read(through: "0\r\n\r\n")
    }
    #expect(text.contains("data: one") && text.contains("data: two") && text.hasSuffix("0\r\n\r\n"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `Refuses a large body by its head, even if the client sends it first`() async throws {
    for isSlow in [false, true] {
      var router = Router()
      router.admission = { _ in
        if isSlow { try await onThread {} }
        throw HTTPError(.unauthorized, "Who?")
      }
      router.post("/", bodyLimit: 10_000_000) { _ in .noContent }
      let answer = try await talk(router) { client in
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
        try? client.send([UInt8](repeating: 0, count: 300_000))
        return client.read(through: "Who?")
      }
      #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.hasSuffix("Who?"))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `Does not answer a client without encryption, and continues to serve`()
    async throws
  {
    var router = Router()
    router.get("a") { _ in .text("first") }
    let server = HTTPServer(configuration, router: router)
    try await serving(server) { [folder] port in
      let answer = try await onThread {
        var client = try RawClient(port: port)
        client.send(Self.get("/a"))
        return try client.readToEnd()
      }
      #expect(!String(decoding: answer, as: UTF8.self).contains("HTTP"))
      let text = try await onThread {
        let client = try TLSClient(port: port, certificate: folder.certificate)
        try client.send(Self.get("/a"))
        return client.read(through: "first")
      }
      #expect(text.hasSuffix("first"))
    }
  }

  @Test func `Refuses an invalid certificate, and the key of another one`() throws {
    let other = try CertificateFolder()
    let certificate = try folder.text(folder.certificate)
    for (certificates, key) in [
      ("", ""), ("x", try folder.text(folder.key)), (certificate, ""),
      (certificate, try other.text(other.key)),
    ] {
      let error = #expect(throws: HTTPServerError.self) {
        try HTTPServer.TLS(certificates: certificates, key: key)
      }
      #expect(error?.code == .certificateInvalid)
    }
  }
}
