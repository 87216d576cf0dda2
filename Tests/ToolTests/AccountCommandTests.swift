import Foundation
import TestSupport
import Testing

/// The commands for accounts, with a server as a process.
struct AccountCommandTests {
  private let folder: ToolFolder

  init() throws { folder = try ToolFolder() }

  @Test(.timeLimit(.minutes(2)))
  func `Accounts and tokens are created while a server runs`() async throws {
    let (server, address) = try await folder.serve()
    let data = ["--data", folder.data]
    let added = try await ToolProcess.run(
      ["account", "add", "Ida"] + data, input: "correct horse\n")
    #expect(added.status == 0 && added.errors.isEmpty)
    let id = try #require(UUID(uuidString: added.text.trimmingCharacters(in: .newlines)))
    let variable = ["OFFSHORE_PASSWORD": "battery staple", "OFFSHORE_DATA": folder.data]
    #expect(
      try await ToolProcess.run(["account", "add", "ben"], environment: variable).status == 0)
    let token = try await ToolProcess.run(["token", "ida"] + data).text.trimmingCharacters(
      in: .newlines)
    let account = try await Client(address: address, token: token).send("GET", "/v1/account")
    #expect(account.json["account"] as? String == id.uuidString)
    let ben = try await Client(address: address).send(
      "POST", "/v1/tokens", ["name": "ben", "password": "battery staple"])
    #expect(ben.status == 201)

    for (arguments, input, part) in [
      (["account", "add", "ida"], "correct horse\n", "is an account"),
      (["account", "add", "eve", "--id", id.uuidString], "correct horse\n", "with this id"),
      (["account", "add", "eve"], "short\n", "8 to 256"),
      (["account", "add", "eve"], "", "password"),
      (["token", "eve"], "", "no account"),
      (["account", "password", "eve"], "battery staple\n", "no account"),
      (["account", "password", "ida"], "short\n", "8 to 256"),
      (["account", "disable", "eve"], "", "no account"),
      (["account", "delete", "eve"], "", "no account"),
    ] {
      let refused = try await ToolProcess.run(arguments + data, input: input)
      #expect(refused.status == 1 && refused.errors.contains(part) && refused.text.isEmpty)
    }
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `The operator deletes an account, and its name can be used again`() async throws {
    let (server, address) = try await folder.serve()
    let data = ["--data", folder.data]
    func add() async throws -> String {
      try await ToolProcess.run(["account", "add", "ida"] + data, input: "correct horse\n").text
    }
    let id = try await add()
    let token = try await ToolProcess.run(["token", "ida"] + data).text.trimmingCharacters(
      in: .newlines)
    let deleted = try await ToolProcess.run(["account", "delete", "ida"] + data)
    #expect(deleted.status == 0 && deleted.text.isEmpty && deleted.errors.isEmpty)
    let client = Client(address: address, token: token)
    #expect(try await client.send("GET", "/v1/account").status == 401)
    let next = try await add()
    #expect(next != id && UUID(uuidString: next.trimmingCharacters(in: .newlines)) != nil)
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `The operator resets a password, and disables and enables an account`() async throws {
    let (server, address) = try await folder.serve()
    let data = ["--data", folder.data]
    func signIn(_ password: String) async throws -> (status: Int, code: String?) {
      let answer = try await Client(address: address).send(
        "POST", "/v1/tokens", ["name": "ida", "password": password])
      return (answer.status, answer.json["code"] as? String)
    }
    func account(_ verb: String, _ input: String = "") async throws {
      let result = try await ToolProcess.run(["account", verb, "ida"] + data, input: input)
      #expect(result.status == 0 && result.text.isEmpty && result.errors.isEmpty)
    }
    _ = try await ToolProcess.run(["account", "add", "ida"] + data, input: "correct horse\n")
    let token = try await ToolProcess.run(["token", "ida"] + data).text.trimmingCharacters(
      in: .newlines)
    let client = Client(address: address, token: token)
    try await account("password", "battery staple\n")
    #expect(try await client.send("GET", "/v1/account").status == 401)
    #expect(try await signIn("correct horse").status == 401)
    #expect(try await signIn("battery staple").status == 201)

    try await account("disable")
    #expect(try await signIn("battery staple") == (403, "disabled"))
    #expect(try await signIn("correct horse") == (401, "wrongPassword"))
    let refused = try await ToolProcess.run(["token", "ida"] + data)
    #expect(refused.status == 1 && refused.errors.contains("account enable"))
    try await account("enable")
    #expect(try await signIn("battery staple").status == 201)
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["password", "disable", "delete"])
  func `A command that ends the tokens of an account ends its event streams at once`(verb: String)
    async throws
  {
    let (server, address) = try await folder.serve()
    let data = ["--data", folder.data]
    _ = try await ToolProcess.run(["account", "add", "ida"] + data, input: "correct horse\n")
    let token = try await ToolProcess.run(["token", "ida"] + data).text.trimmingCharacters(
      in: .newlines)
    async let stream = Client(address: address, token: token).send("GET", "/v1/events")
    let stranger = Client(address: address)
    while try await !stranger.send("GET", "/metrics").text.contains("offshore_event_streams 1\n") {}
    let ended = try await ToolProcess.run(
      ["account", verb, "ida"] + data, input: "battery staple\n")
    #expect(ended.status == 0)
    // Otherwise the stream would last for a day.
    let answer = try await stream
    #expect(answer.status == 200)
    let metrics = try await stranger.send("GET", "/metrics").text
    #expect(metrics.contains("offshore_event_streams 0\n"))
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
  }
}
