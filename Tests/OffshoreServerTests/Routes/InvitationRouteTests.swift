import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Invitations over HTTP. Ida owns list 1; ben and the others are not members of it.
struct InvitationRouteTests {
  private let service: TestService
  private let ida: RowClient
  private let ben: RowClient
  private let path = "/v1/scopes/list/1/invitations"

  init() async throws {
    service = try TestService(
      manifest: Manifest(
        version: 1, tables: [Lists.lists, Lists.tasks], claimableKinds: ["list"],
        memberLimits: ["list": 5]))
    ida = try await RowClient(service, "ida")
    ben = try await RowClient(service, "ben")
    _ = await ida.makeList(tasks: ["zqx-task"])
  }

  /// Invites, by terms in JSON.
  private func invite(_ terms: String = #"{"role":"viewer"}"#) async -> Response {
    await service.send(
      .post, path, token: ida.token, headers: ["Content-Type": "application/json"],
      body: Array(terms.utf8))
  }

  private func code(_ terms: String = #"{"role":"viewer"}"#) async throws -> String {
    try #require(try await invite(terms).json()["code"] as? String)
  }

  private func preview(_ code: String, by client: RowClient) async throws -> Response {
    try await service.send(
      .post, "/v1/invitations/preview", token: client.token, ["code": code])
  }

  private func accept(_ code: String, by client: RowClient) async throws -> Response {
    try await service.send(.post, "/v1/invitations", token: client.token, ["code": code])
  }

  private func role(of client: RowClient) async throws -> Role? {
    let (account, scope) = (AccountID(client.id), try Lists.scope())
    return try await service.log.read { try $0.grant(of: account, in: scope)?.role }
  }

  // MARK: - Terms

  @Test(arguments: [
    (#""uses":1"#, true), (#""uses":100"#, true), (#""uses":0"#, false), (#""uses":101"#, false),
    (#""lifetime":60000"#, true), (#""lifetime":59999"#, false),
    (#""lifetime":7776000000"#, true), (#""lifetime":7776000001"#, false),
    (#""label":"\#(String(repeating: "é", count: 80))""#, true),
    (#""label":"\#(String(repeating: "é", count: 81))""#, false),
    (#""title":"\#(String(repeating: "é", count: 200))""#, true),
    (#""title":"\#(String(repeating: "é", count: 201))""#, false),
  ])
  func `Terms up to their limits are accepted, and none beyond`(term: String, isAccepted: Bool)
    async throws
  {
    let answer = await invite(#"{"role":"editor",\#(term)}"#)
    #expect(answer.status == (isAccepted ? .created : .badRequest))
    let listed = try await service.send(.get, path, token: ida.token).json()
    let open = try #require(listed["invitations"] as? [Any])
    #expect(open.count == (isAccepted ? 1 : 0))
  }

  @Test func `An invitation has its expiry and the uses that are left`() async throws {
    let made = try await invite(#"{"role":"editor","uses":2,"label":"crew","lifetime":60000}"#)
      .json()
    #expect(made["expires"] as? Int == Int(service.clock.now) + 60_000)
    #expect(made["label"] as? String == "crew" && made["title"] == nil)
    let code = try #require(made["code"] as? String)
    #expect(try await accept(code, by: ben).status == .ok)
    let listed = try await service.send(.get, path, token: ida.token).json()
    let open = try #require(listed["invitations"] as? [[String: Any]])
    #expect(open.map { $0["uses"] as? Int } == [1])
  }

  // MARK: - Previews

  @Test func `A preview has the terms and the number of members, and nothing else`() async throws {
    let code = try await code(#"{"role":"viewer","uses":3,"label":"zqx-label","title":"Kornati"}"#)
    let answer = try await preview(code, by: ben)
    #expect(answer.status == .ok && !answer.text.contains("zqx"))
    let shown = try answer.json()
    #expect(
      Set(shown.keys) == ["scope", "role", "title", "inviter", "members", "expires"])
    #expect(shown["scope"] as? String == "list/1" && shown["role"] as? String == "viewer")
    #expect(shown["title"] as? String == "Kornati" && shown["inviter"] as? String == "ida")
    #expect(shown["members"] as? Int == 1)
    #expect(try await role(of: ben) == nil)
    #expect(await ben.get("tasks/rows?scope=list/1").status == .notFound)
  }

  // MARK: - Codes that have ended

  enum End: CaseIterable {
    case usedUp, expired, withdrawn, byInviter
  }

  @Test(arguments: End.allCases)
  func `An invitation that has ended is refused like an unknown code, and nothing is stored`(
    end: End
  ) async throws {
    let code = try await code(#"{"role":"editor","lifetime":60000}"#)
    let carl = try await RowClient(service, "carl")
    #expect(try await preview(code, by: ben).status == .ok)
    switch end {
    case .usedUp: #expect(try await accept(code, by: carl).status == .ok)
    case .expired: service.clock.now += 60_000
    case .withdrawn:
      let listed = try await service.send(.get, path, token: ida.token).json()
      let open = try #require(listed["invitations"] as? [[String: Any]])
      let id = try #require(open.first?["id"] as? String)
      let answer = await service.send(.delete, "\(path)/\(id)", token: ida.token)
      #expect(answer.status == .noContent)
    case .byInviter:
      try await carl.grant(.owner)
      try await ida.grant(.editor)
    }
    let unknown = Secret.sample(77).text
    let scope = try Lists.scope()
    let before = try await service.log.read { try $0.scope(scope) }
    let answers = [
      (try await preview(code, by: ben), try await preview(unknown, by: ben)),
      (try await accept(code, by: ben), try await accept(unknown, by: ben)),
    ]
    for (answer, expected) in answers {
      #expect(answer.status == .notFound && answer.code == "invalidInvitation")
      #expect(answer.text == expected.text)
      #expect(answer.text.contains("Ask for another one."))
    }
    #expect(try await role(of: ben) == nil)
    #expect(try await service.log.read { try $0.scope(scope) } == before)
  }

  @Test func `As many accounts join as a code has uses, also at the same time`() async throws {
    let code = try await code(#"{"role":"viewer","uses":2}"#)
    var clients = [ben]
    for number in 0..<5 { clients.append(try await RowClient(service, "person-\(number)")) }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for client in clients {
        group.addTask { [service] in
          try await service.send(
            .post, "/v1/invitations", token: client.token, ["code": code]
          ).status.rawValue
        }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses.sorted() == [200, 200, 404, 404, 404, 404])
    var members = 0
    for client in clients where try await role(of: client) != nil { members += 1 }
    #expect(members == 2)
  }

  @Test func `A full scope refuses further members with the reason, until one leaves`() async throws
  {
    let code = try await code(#"{"role":"viewer","uses":9}"#)
    for number in 0..<4 {
      let client = try await RowClient(service, "person-\(number)")
      #expect(try await accept(code, by: client).status == .ok)
    }
    let refused = try await accept(code, by: ben)
    #expect(refused.status == .conflict && refused.code == "scopeFull")
    #expect(refused.text.contains("5 members") && refused.text.contains("Ask an owner"))
    #expect(try await role(of: ben) == nil)
    let members = try await service.send(.get, "/v1/scopes/list/1/members", token: ida.token)
      .json()
    let accounts = try #require(members["members"] as? [[String: Any]])
    let other = try #require(accounts.first { $0["name"] as? String == "person-0" })
    let account = try #require(other["account"] as? String)
    let removal = await service.send(
      .delete, "/v1/scopes/list/1/members/\(account)", token: ida.token)
    #expect(removal.status == .noContent)
    // The member that was removed may have the code, so it has ended.
    #expect(try await accept(code, by: ben).code == "invalidInvitation")
    #expect(try await accept(try await self.code(), by: ben).status == .ok)
  }
}
