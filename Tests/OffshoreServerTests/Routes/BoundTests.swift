import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The limits of one account, and of clients without one.
struct BoundTests {
  private let service: TestService

  init() throws { service = try TestService() }

  @Test func `An account is signed in on a hundred devices, and a new token replaces the oldest`()
    async throws
  {
    let ida = try await service.signUp("ida")
    let rules = AccountRules()
    let log = service.log
    try await log.write { transaction in
      for _ in 1..<100 {
        _ = try rules.addToken(
          .random(), for: AccountID(ida.id), label: "", at: 1_000_001, in: &transaction)
      }
    }
    let stream = await service.send(.get, "/v1/events", token: ida.token)
    let channel = try #require(stream.channel)
    let signIn = ["name": "ida", "password": "correct horse"]
    let signedIn = try await service.send(.post, "/v1/tokens", signIn)
    let token = try #require(try signedIn.json()["token"] as? String)
    #expect(await service.send(.get, "/v1/account", token: token).status == .ok)
    let count = try await log.read { try $0.tokens(of: AccountID(ida.id)).count }
    #expect(count == 100)
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .unauthorized)
    #expect(await service.send(.get, "/v1/account", token: token).status == .ok)
    #expect(await channel.next() == nil)
  }

  @Test func `Owners see and withdraw invitations, of which fifty may be open`() async throws {
    let (ida, ben) = (try await service.signUp("ida"), try await service.signUp("ben"))
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    let path = "/v1/scopes/list/1/invitations"
    var codes: [String: String] = [:]
    for _ in 0..<50 {
      let made = try await service.send(.post, path, token: ida.token, ["role": "viewer"])
      let json = try made.json()
      codes[try #require(json["id"] as? String)] = try #require(json["code"] as? String)
    }
    let refused = try await service.send(.post, path, token: ida.token, ["role": "viewer"])
    #expect(refused.status == .conflict && refused.code == "limitReached")

    let listed = try await service.send(.get, path, token: ida.token).json()
    let open = try #require(listed["invitations"] as? [[String: Any]])
    #expect(Set(open.compactMap { $0["id"] as? String }) == Set(codes.keys))
    #expect(open.allSatisfy { $0["code"] == nil && $0["role"] as? String == "viewer" })
    #expect(open.allSatisfy { $0["uses"] as? Int == 1 && $0["label"] == nil })
    let (id, code) = try #require(codes.first)
    for (method, path) in [(Request.Method.get, path), (.delete, "\(path)/\(id)")] {
      #expect(await service.send(method, path, token: ben.token).status == .forbidden)
    }
    #expect(await service.send(.delete, "\(path)/\(id)", token: ida.token).status == .noContent)
    #expect(await service.send(.delete, "\(path)/\(id)", token: ida.token).status == .notFound)
    #expect(await service.send(.delete, "\(path)/x", token: ida.token).status == .notFound)
    let accepted = try await service.send(
      .post, "/v1/invitations", token: ben.token, ["code": code])
    #expect(accepted.code == "invalidInvitation")
    #expect(
      try await service.send(.post, path, token: ida.token, ["role": "viewer"]).status == .created)
  }

  @Test
  func `An account claims a limited number of scopes, also if it leaves some of them`()
    async throws
  {
    let service = try TestService(maximumClaims: 2)
    let ida = try await service.signUp("ida")
    for list in ["1", "2"] {
      let outcome = try await service.push(
        1, to: list, device: 1, token: ida.token, [.list(list, at: 900)])
      #expect(outcome?.range != nil)
    }
    let refused = try await service.push(
      1, to: "3", device: 1, token: ida.token, [.list("3", at: 900)])
    #expect(refused?.rejection == .limitReached)
    #expect(
      try await service.push(2, device: 1, token: ida.token, [.task("a", at: 901)])?.range != nil)
    let member = "/v1/scopes/list/2/members/\(ida.id)"
    #expect(await service.send(.delete, member, token: ida.token).status == .noContent)
    let again = try await service.push(
      1, to: "3", device: 1, token: ida.token, [.list("3", at: 900)])
    #expect(again?.rejection == .limitReached)
  }

  @Test func `An id whose personal scope or grants already exist cannot be signed up`() async throws
  {
    let id = UUID()
    let scope = try AccountRules.personalScope("person", of: AccountID(id))
    try await service.log.write { try $0.setScope(scope, ScopeState(head: 1, epoch: 7)) }
    let taken = UUID()
    try await service.log.write {
      _ = try $0.grant(.viewer, to: AccountID(taken), in: try ScopeID("list/9"))
    }
    for id in [id, taken] {
      let refused = try await service.send(
        .post, "/v1/accounts",
        ["name": "eve", "password": "correct horse", "account": id.uuidString])
      #expect(refused.status == .conflict && refused.code == "taken")
    }
  }

  @Test func `Codes of invitations are limited by account, so that many people can join at once`()
    async throws
  {
    let (ida, ben) = (try await service.signUp("ida"), try await service.signUp("ben"))
    var statuses: [Int] = []
    for number in 0..<22 {
      let path = number % 2 == 0 ? "/v1/invitations" : "/v1/invitations/preview"
      let response = try await service.send(.post, path, token: ida.token, ["code": "x"])
      statuses.append(response.status.rawValue)
    }
    #expect(statuses == Array(repeating: 404, count: 20) + [429, 429])
    let other = try await service.send(
      .post, "/v1/invitations/preview", token: ben.token, ["code": "x"])
    #expect(other.status == .notFound)
  }

  @Test func `Requests with invalid tokens are limited by network, and valid tokens are not`()
    async throws
  {
    let ida = try await service.signUp("ida")
    var statuses: [Int] = []
    for number in 0..<103 {
      let token = number % 2 == 0 ? "x" : Secret.sample(UInt8(number)).text
      let response = await service.send(.get, "/v1/account", token: token)
      statuses.append(response.status.rawValue)
      if number == 102 { #expect(response.headers["Retry-After"] == "1") }
    }
    #expect(statuses == Array(repeating: 401, count: 100) + [429, 429, 429])
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .ok)
    #expect(
      await service.send(.get, "/v1/account", token: "x", address: "192.0.2.2").status
        == .unauthorized)
  }

  @Test func `A stream ends when its token expires`() async throws {
    let ida = try await service.signUp("ida")
    let log = service.log
    let secret = Secret.sample(9)
    try await log.write {
      try $0.addToken(
        AccessToken(
          hash: secret.hash, account: AccountID(ida.id), label: "", created: 0,
          expires: 1_000_000 + 100))
    }
    let server = HTTPServer(router: service.router)
    let port = try server.start()
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/v1/events")))
    request.setValue("Bearer \(secret.text)", forHTTPHeaderField: "Authorization")
    // The stream ends by the server's clock. The service's clock stands still.
    let (_, response) = try await URLSession.shared.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(service.server.hub.count == 0)
    await server.stop()
  }
}
