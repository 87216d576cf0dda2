import OffshoreHTTP
import Testing

struct ConnectionLimitTests {
  @Test
  func `Closes a connection beyond the limit of its address, and accepts one when another ends`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.maximumConnectionsPerAddress = 2
    let answers = try await serving(configuration) { _ in
      .text("hello")
    } _: { port in
      try await onThread {
        var first = try RawClient(port: port)
        first.send(Request(.get, "/"))
        var answers = [try first.response().text]
        do {
          var second = try RawClient(port: port)
          second.send(Request(.get, "/"))
          answers.append(try second.response().text)
          var third = try RawClient(port: port)
          third.send(Request(.get, "/"))
          answers.append(String(decoding: try third.readToEnd(), as: UTF8.self))
        }
        // The server detects the end of the second one with a delay.
        while true {
          var fourth = try RawClient(port: port)
          fourth.send(Request(.get, "/"))
          if let answer = try? fourth.response().text { return answers + [answer] }
        }
      }
    }
    #expect(answers == ["hello", "hello", "", "hello"])
  }

  @Test func `Makes connections beyond the total limit wait until another ends`() async throws {
    var configuration = HTTPServer.Configuration.forTests
    configuration.threads = 1
    configuration.maximumConnections = 1
    let texts = try await serving(configuration) {
      .text($0.path)
    } _: { port in
      try await onThread {
        var waiting: RawClient
        var texts: [String]
        do {
          var first = try RawClient(port: port)
          first.send(Request(.get, "/1"))
          texts = [try first.response().text]
          waiting = try RawClient(port: port)
          waiting.send(Request(.get, "/2"))
          first.send(Request(.get, "/3"))
          texts.append(try first.response().text)
        }
        return texts + [try waiting.response().text]
      }
    }
    #expect(texts == ["/1", "/3", "/2"])
  }
}
