import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The deletion of an account over HTTP, and the answers to its devices and other accounts afterwards.
struct AccountDeletionRouteTests {
  private let service: TestService

  init() throws { service = try TestService() }

  private func delete(
    _ token: String, _ password: String = "correct horse", from service: TestService? = nil
  ) async throws -> Response {
    try await (service ?? self.service).send(
      .delete, "/v1/account", token: token, ["password": password])
  }

  private func signIn(_ name: String) async throws -> Response {
    try await service.send(.post, "/v1/tokens", ["name": name, "password": "correct horse"])
  }

  // MARK: - The account

  @Test func `A deleted account has no devices, and cannot sign in`() async throws {
    let ida = try await service.signUp("ida")
    let other = try #require(try await signIn("ida").json()["token"] as? String)
    #expect(try await delete(ida.token).status == .noContent)
    for token in [ida.token, other] {
      for path in ["/v1/account", "/v1/tokens", "/v1/events"] {
        #expect(await service.send(.get, path, token: token).status == .unauthorized)
      }
      #expect(try await delete(token).status == .unauthorized)
    }
    let (gone, unknown) = (try await signIn("ida"), try await signIn("nobody"))
    #expect(gone.status == .unauthorized && gone.text == unknown.text)
  }

  @Test func `The name of a deleted account is free, and its id is refused with a code`()
    async throws
  {
    let ida = try await service.signUp("ida")
    #expect(try await delete(ida.token).status == .noContent)
    let refused = try await service.send(
      .post, "/v1/accounts",
      ["name": "eve", "password": "correct horse", "account": ida.id.uuidString])
    #expect(refused.status == .conflict && refused.code == "deleted")
    #expect(try await service.signUp("ida").id != ida.id)
  }

  @Test func `A wrong password deletes nothing, and guesses are limited`() async throws {
    let ida = try await service.signUp("ida")
    var answers: [Response] = []
    for _ in 0..<12 { answers.append(try await delete(ida.token, "wrong horse")) }
    #expect(answers.map(\.status.rawValue) == Array(repeating: 403, count: 10) + [429, 429])
    #expect(answers[0].code == "wrongPassword")
    #expect(try await delete(ida.token).status.rawValue == 429, "A guess, too")
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .ok)
    service.clock.now += 60_000
    #expect(try await delete(ida.token).status == .noContent)
  }

  @Test(arguments: ["", "{}", #"{"password":7}"#])
  func `A request without a password is malformed`(body: String) async throws {
    let ida = try await service.signUp("ida")
    let response = await service.send(
      .delete, "/v1/account", token: ida.token, headers: ["Content-Type": "application/json"],
      body: Array(body.utf8))
    #expect(response.status == .badRequest)
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .ok)
  }

  @Test func `The event streams of the account end`() async throws {
    let ida = try await service.signUp("ida")
    let stream = await service.send(.get, "/v1/events", token: ida.token)
    let channel = try #require(stream.channel)
    #expect(try await delete(ida.token).status == .noContent)
    while await channel.next() != nil {}
    #expect(!channel.isOpen && service.server.hub.count == 0)
  }

  // MARK: - Shared scopes

  @Test func `What the account has shared stays with the members, and one of them owns it`()
    async throws
  {
    let (ida, ben) = (try await service.signUp("ida"), try await service.signUp("ben"))
    _ = try await service.push(
      1, device: 1, token: ida.token, [.list(at: 900), .task("a", at: 901)])
    try await service.join(Lists.scope(), by: ida.token, as: "editor", ben.token)
    let stream = await service.send(.get, "/v1/events", token: ben.token)
    let channel = try #require(stream.channel)
    #expect(try await delete(ida.token).status == .noContent)
    #expect(try await channel.nextHint()?.scope == Lists.scope())
    #expect(try await service.tasks(device: 2, token: ben.token) == ["a"])
    let members = await service.send(.get, "/v1/scopes/list/1/members", token: ben.token)
    let listed = try #require(try members.json()["members"] as? [[String: Any]])
    #expect(listed.map { $0["name"] as? String } == ["ben"])
    #expect(listed.map { $0["role"] as? String } == ["owner"])
    #expect(
      try await service.push(1, device: 2, token: ben.token, [.task("b", at: 902, by: 2)])?.range
        != nil)
  }

  @Test func `A list without other writers is deleted, and no account can claim it again`()
    async throws
  {
    let (ida, ben) = (try await service.signUp("ida"), try await service.signUp("ben"))
    let eve = try await service.signUp("eve")
    _ = try await service.push(
      1, device: 1, token: ida.token, [.list(at: 900), .task("a", at: 901)])
    try await service.join(Lists.scope(), by: ida.token, as: "viewer", ben.token)
    #expect(try await delete(ida.token).status == .noContent)
    #expect(try await service.tasks(device: 2, token: ben.token) == nil)
    #expect(try await service.pull([], device: 2, token: ben.token).grants.last?.role == .revoked)
    for (device, token) in [(UInt8(2), ben.token), (3, eve.token)] {
      let edits = [Op.list(at: 950, by: device)]
      let outcome = try await service.push(1, device: device, token: token, edits)
      #expect(outcome?.rejection == .forbidden)
      let row = await service.send(.get, "/v1/tables/lists/rows/1", token: token)
      #expect(row.status == .notFound)
    }
    let other = try await service.push(
      1, to: "2", device: 3, token: eve.token, [.list("2", at: 951, by: 3)])
    #expect(other?.range != nil, "A list of its own can be claimed.")
  }

  // MARK: - Personal scopes

  @Test func `Readers by a rule lose the personal scopes, with a hint`() async throws {
    let circles = try Circles()
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ben, ida)
    try await circles.share("week", with: "c", of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
    let stream = await circles.service.send(.get, "/v1/events", token: ben.token)
    let channel = try #require(stream.channel)
    #expect(try await delete(ida.token, from: circles.service).status == .noContent)
    #expect(try await circles.kinds(of: ida, by: ben) == [])
    circles.service.server.hub.close()
    var hinted: Set<ScopeID> = []
    while let hint = try await channel.nextHint() { hinted.insert(hint.scope) }
    for kind in ["profile", "week"] {
      let scope = try ida.scope(kind)
      #expect(hinted.contains(scope))
      let reader = AccountID(ben.id)
      try await circles.service.log.read { log throws in
        #expect(try log.grant(of: reader, in: scope)?.role == .revoked)
        #expect(try log.rows(in: scope, after: 0, limit: 9).isEmpty)
      }
    }
    #expect(try hinted.contains(ScopeID("circle/c")), "The members have changed.")
    #expect(try await circles.pull(ben.scope("profile"), by: ben)?.page != nil)
  }

  @Test func `Access that followed from a deleted circle ends between its members`() async throws {
    let circles = try Circles()
    let ida = try await circles.person("ida")
    let (ben, eve) = (try await circles.person("ben"), try await circles.person("eve"))
    try await circles.circle("c", ida)
    let scope = try ScopeID("circle/c")
    for member in [ben, eve] {
      try await circles.service.join(scope, by: ida.token, as: "viewer", member.token)
    }
    #expect(try await circles.kinds(of: ben, by: eve) == ["profile"])
    #expect(try await delete(ida.token, from: circles.service).status == .noContent)
    #expect(try await circles.kinds(of: ben, by: eve) == [])
    #expect(try await circles.kinds(of: eve, by: ben) == [])
  }

  // MARK: - Blobs

  @Test func `Contents that no scope has are deleted, and those of others stay`() async throws {
    let folder = try BlobFolder()
    let ida = try await RowClient(folder.service, "ida")
    let ben = try await RowClient(folder.service, "ben")
    _ = await ida.makeList("1")
    _ = await ben.makeList("2")
    let (own, both) = (BlobFolder.content(100), BlobFolder.content(200, seed: 2))
    for content in [own, both] { #expect(await ida.put(content).status == .created) }
    #expect(await ben.put(both, to: "2").status == .created)
    let unfinished = BlobFolder.content(300, seed: 3)
    _ = await ida.put([unfinished[0]], as: ContentHash(of: unfinished), at: 0, of: 300)
    #expect(folder.files.count == 3)
    #expect(try await delete(ida.token, from: folder.service).status == .noContent)
    #expect(folder.files.count == 1)
    #expect(await ben.blob(ContentHash(of: both)).bytes == both)
    #expect(await ben.blob(ContentHash(of: own)).status == .notFound)
  }
}
