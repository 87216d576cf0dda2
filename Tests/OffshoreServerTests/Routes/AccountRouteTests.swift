import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Sign-up, sign-in, sign-out and members, over HTTP.
struct AccountRouteTests {
  private let service: TestService

  init() throws { service = try TestService() }

  private func signIn(_ name: String, _ password: String) async throws -> Response {
    try await service.send(.post, "/v1/tokens", ["name": name, "password": password])
  }

  // MARK: - Accounts

  @Test func `An account signs in on another device and out of one`() async throws {
    let ida = try await service.signUp("Ida@example.org")
    let other = try await signIn("ida@example.org ", "correct horse")
    #expect(other.status == .created && other.headers["Cache-Control"] == "no-store")
    let token = try #require(try other.json()["token"] as? String)
    #expect(token != ida.token)
    #expect(try other.json()["account"] as? String == ida.id.uuidString)
    for each in [ida.token, token] {
      let account = await service.send(.get, "/v1/account", token: each)
      #expect(try account.json()["name"] as? String == "ida@example.org")
    }
    #expect(await service.send(.delete, "/v1/tokens/current", token: token).status == .noContent)
    #expect(await service.send(.get, "/v1/account", token: token).status == .unauthorized)
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .ok)
  }

  @Test func `An account lists its devices, and signs one of them out`() async throws {
    let (ida, ben) = (try await service.signUp("ida"), try await service.signUp("ben"))
    let signedIn = try await service.send(
      .post, "/v1/tokens", ["name": "ida", "password": "correct horse", "device": "Tablet"])
    let token = try #require(try signedIn.json()["token"] as? String)
    let list = await service.send(.get, "/v1/tokens", token: ida.token)
    let tokens = try #require(try list.json()["tokens"] as? [[String: Any]])
    #expect(Set(tokens.compactMap { $0["device"] as? String }) == ["", "Tablet"])
    let tablet = try #require(tokens.first { $0["device"] as? String == "Tablet" })
    #expect(tablet["isCurrent"] as? Bool == false && tokens.count == 2)
    #expect(!list.text.contains(token) && !list.text.contains(ida.token))

    let path = "/v1/tokens/\(try #require(tablet["id"] as? String))"
    #expect(await service.send(.delete, path, token: ben.token).status == .notFound)
    #expect(await service.send(.delete, path, token: "").status == .unauthorized)
    #expect(await service.send(.get, "/v1/account", token: token).status == .ok)
    #expect(await service.send(.delete, path, token: ida.token).status == .noContent)
    #expect(await service.send(.get, "/v1/account", token: token).status == .unauthorized)
    #expect(await service.send(.delete, path, token: ida.token).status == .notFound)
    #expect(await service.send(.delete, "/v1/tokens/7", token: ida.token).status == .notFound)
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .ok)
  }

  @Test func `A server with closed sign-up refuses with a code of its own`() async throws {
    var configuration = ServerConfiguration()
    configuration.opensSignUp = false
    let closed = try TestService(configuration: configuration)
    let refused = try await closed.send(
      .post, "/v1/accounts", ["name": "ida", "password": "correct horse"])
    #expect(refused.status == .forbidden && refused.code == "signUpClosed")
  }

  @Test func `An account can be created with the id that a device has chosen`() async throws {
    let id = UUID()
    #expect(try await service.signUp("ida", as: id).id == id)
    let second = try await service.send(
      .post, "/v1/accounts",
      ["name": "eve", "password": "correct horse", "account": id.uuidString])
    #expect(second.status == .conflict && second.code == "taken")
  }

  @Test func `A wrong name and a wrong password get the same answer`() async throws {
    _ = try await service.signUp("ida")
    let answers = [
      try await signIn("ida", "wrong horse"), try await signIn("nobody", "wrong horse"),
    ]
    #expect(answers.map(\.status) == [.unauthorized, .unauthorized])
    #expect(answers[0].text == answers[1].text)
  }

  @Test func `A new password signs the other devices out, and is valid from then on`() async throws
  {
    let ida = try await service.signUp("ida")
    let other = try #require(try await signIn("ida", "correct horse").json()["token"] as? String)
    let change = ["password": "correct horse", "newPassword": "battery staple"]
    #expect(
      try await service.send(.post, "/v1/password", token: other, change).status == .noContent)
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .unauthorized)
    #expect(await service.send(.get, "/v1/account", token: other).status == .ok)
    #expect(try await signIn("ida", "correct horse").status == .unauthorized)
    #expect(try await signIn("ida", "battery staple").status == .created)
    let refused = try await service.send(.post, "/v1/password", token: other, change)
    #expect(refused.status == .forbidden && refused.code == "wrongPassword")
    #expect(refused.headers["WWW-Authenticate"] == nil)
  }

  @Test func `Password guesses are limited by name and by address`() async throws {
    _ = try await service.signUp("ida")
    func statuses(
      _ count: Int, _ guess: (Int) -> (name: String, address: String)
    ) async throws -> [Int] {
      var statuses: [Int] = []
      for (name, address) in (0..<count).map(guess) {
        let response = try await service.send(
          .post, "/v1/tokens", ["name": name, "password": "wrong horse"], address: address)
        statuses.append(response.status.rawValue)
      }
      return statuses
    }
    let byName = try await statuses(12) { _ in ("ida", "192.0.2.7") }
    #expect(byName == Array(repeating: 401, count: 10) + [429, 429])
    let elsewhere = try await service.send(
      .post, "/v1/tokens", ["name": "ida", "password": "correct horse"], address: "192.0.2.8")
    #expect(elsewhere.status == .created, "A stranger locks nobody out.")
    let everywhere = try await statuses(520) { ("ida", "10.0.\($0 / 250).\($0 % 250)") }
    #expect(everywhere.count { $0 == 401 } <= 500 && everywhere.last == 429)
    let household = try await statuses(22) { ("person-\($0)", "2001:db8:1:2::\($0)") }
    #expect(household == Array(repeating: 401, count: 20) + [429, 429])
    let byAddress = try await statuses(22) { ("person-\($0)", "192.0.2.99") }
    #expect(byAddress == Array(repeating: 401, count: 20) + [429, 429])
  }

  @Test(arguments: [
    (#"{"name":"ida"}"#, 400, "malformed"), ("", 400, "malformed"), ("[]", 400, "malformed"),
    (#"{"name":"i","password":"correct horse"}"#, 422, "invalidName"),
    (#"{"name":"ida","password":"short"}"#, 422, "weakPassword"),
    (#"{"name":"ida","password":"correct horse","account":"7"}"#, 400, "malformed"),
  ])
  func `A refused sign-up names its cause`(body: String, status: Int, code: String) async throws {
    let response = await service.send(
      .post, "/v1/accounts", headers: ["Content-Type": "application/json; charset=utf-8"],
      body: Array(body.utf8))
    #expect(response.status.rawValue == status && response.code == code)
    #expect((try response.json()["message"] as? String)?.isEmpty == false)
    let count = try await service.log.read { try $0.account(named: AccountName("ida")) }
    #expect(count == nil)
  }

  @Test func `A form of another site cannot create an account`() async throws {
    for type in ["text/plain", "application/jsonx"] {
      let response = await service.send(
        .post, "/v1/accounts", headers: ["Content-Type": type],
        body: Array(#"{"name":"ida","password":"correct horse"}"#.utf8))
      #expect(response.status == .unsupportedMediaType)
    }
  }

  // MARK: - Members

  @Test func `Members are invited, get roles and are removed`() async throws {
    let (ida, ben) = (try await service.signUp("ida"), try await service.signUp("ben"))
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    let path = "/v1/scopes/list/1"
    let invited = try await service.send(
      .post, "\(path)/invitations", token: ida.token, ["role": "viewer"])
    #expect(invited.status == .created)
    let code = try #require(try invited.json()["code"] as? String)
    let accepted = try await service.send(
      .post, "/v1/invitations", token: ben.token, ["code": code])
    #expect(try accepted.json()["scope"] as? String == "list/1")
    #expect(try await service.tasks(device: 2, token: ben.token) == [])
    let edit = [Op.task("a", at: 901, by: 2)]
    #expect(
      try await service.push(1, device: 2, token: ben.token, edit)?.rejection == .forbidden)

    let member = "\(path)/members/\(ben.id)"
    #expect(
      try await service.send(.put, member, token: ida.token, ["role": "editor"]).status == .ok)
    #expect(
      try await service.push(2, device: 2, token: ben.token, [.task("a", at: 902, by: 2)])?.range
        != nil)
    let members = await service.send(.get, "\(path)/members", token: ben.token)
    let listed = try #require(try members.json()["members"] as? [[String: Any]])
    #expect(listed.map { $0["name"] as? String } == ["ben", "ida"])
    #expect(listed.map { $0["role"] as? String } == ["editor", "owner"])
    let devices = listed.map { $0["devices"] as? [String] }
    #expect(devices.map { $0?.count } == [1, 1] && devices[0] != devices[1])

    #expect(await service.send(.delete, member, token: ida.token).status == .noContent)
    #expect(try await service.tasks(device: 2, token: ben.token) == nil)
    let grants = try await service.pull([], device: 2, token: ben.token).grants
    #expect(grants.last?.role == .revoked)
    #expect(
      await service.send(.get, "\(path)/members", token: ben.token).status == .forbidden)
  }

  @Test func `An account without a grant cannot tell whether a scope exists`() async throws {
    let (ida, eve) = (try await service.signUp("ida"), try await service.signUp("eve"))
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    for (method, path, body) in [
      (Request.Method.get, "members", [:]), (.post, "invitations", ["role": "viewer"]),
      (.put, "members/\(ida.id)", ["role": "viewer"]), (.delete, "members/\(ida.id)", [:]),
      (.delete, "members/\(eve.id)", [:]),
    ] {
      var answers: [Response] = []
      for list in ["1", "unknown"] {
        answers.append(
          try await service.send(method, "/v1/scopes/list/\(list)/\(path)", token: eve.token, body))
      }
      #expect(answers[0].status == .forbidden && answers[0].text == answers[1].text)
    }
  }

  @Test(arguments: ["x", "x/y/z", "list/%00", "list/a%2Fb", "1list/1"])
  func `An invalid scope is refused`(scope: String) async throws {
    let ida = try await service.signUp("ida")
    let response = await service.send(.get, "/v1/scopes/\(scope)/members", token: ida.token)
    #expect([400, 404].contains(response.status.rawValue))
  }
}
