import Foundation
import OffshoreHTTP
import OffshoreLogging
import OffshoreWire
import Synchronization
import Testing

@testable import OffshoreServer

/// The contents of the request log, and the data that it must not contain.
struct RequestLogTests {
  private let lines = LogLines()
  private let service: TestService

  init() throws {
    var configuration = ServerConfiguration()
    configuration.log = lines.log
    service = try TestService(configuration: configuration)
  }

  @Test func `Each request has an id, in its response and in one line`() async throws {
    let ida = try await service.signUp("ida")
    for (sent, isKept) in [
      ("abc-1_2.Z", true), ("a b", false), ("", false), (String(repeating: "a", count: 65), false),
      ("a\"b", false), ("é", false),
    ] {
      let response = await service.send(
        .get, "/v1/scopes/list/7/members?q=secret", token: ida.token,
        headers: ["X-Request-ID": sent])
      let id = try #require(response.headers["X-Request-ID"])
      #expect((id == sent) == isKept && !id.isEmpty)
      let line = try #require(try lines.json().last)
      #expect(
        Set(line.keys) == [
          "time", "level", "request", "method", "route", "status", "milliseconds", "bytes",
          "account",
        ])
      #expect(line["time"] as? String == "1970-01-01T00:16:40.000Z")
      #expect(line["level"] as? String == "info" && line["request"] as? String == id)
      #expect(line["method"] as? String == "GET" && line["status"] as? Int == 403)
      #expect(line["route"] as? String == "/v1/scopes/:kind/:value/members")
      #expect(line["account"] as? String == ida.id.uuidString)
      #expect(line["bytes"] as? Int == response.bytes.count)
      #expect((line["milliseconds"] as? Double).map { $0 >= 0 } == true)
    }
  }

  @Test func `No line contains data that users sent`() async throws {
    let ida = try await service.signUp("ida-the-skipper")
    _ = try await service.send(
      .post, "/v1/tokens", ["name": "ida-the-skipper", "password": "wrong horse"])
    _ = await service.send(.get, "/v1/secret-path?secret-query=1", token: ida.token)
    _ = await service.send(Request.Method(rawValue: "SECRET"), "/v1/account", token: ida.token)
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    let text = lines.text.joined()
    for secret in [ida.token, "ida-the", "horse", "secret", "SECRET", "192.0.2"] {
      #expect(!text.contains(secret))
    }
    #expect(try lines.json().count == 5)
  }

  @Test func `A failure is logged in a line of its own with the request's id`() async throws {
    await service.log.close()
    let token = Secret.sample(1).text
    for (method, path) in [(Request.Method.get, "/v1/account"), (.post, "/v1/pull")] {
      let response = await service.send(method, path, token: token)
      #expect(response.status == .internalServerError)
      let last = try lines.json().suffix(2)
      #expect(last.allSatisfy { $0["level"] as? String == "error" })
      #expect(last.allSatisfy { $0["request"] as? String == response.headers["X-Request-ID"] })
      #expect((last.first?["error"] as? String)?.contains("closed") == true)
      #expect(last.last?["status"] as? Int == 500)
    }
  }
}

/// The lines that a server has logged.
final class LogLines: Sendable {
  private let all = Mutex<[String]>([])

  var log: LogSink { LogSink { [self] entry in all.withLock { $0.append(entry.json) } } }
  var text: [String] { all.withLock { $0 } }

  func json() throws -> [[String: Any]] {
    try text.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}
