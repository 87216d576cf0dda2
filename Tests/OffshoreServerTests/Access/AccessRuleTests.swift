import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The access to personal scopes of others, as it follows from memberships, choices and blocks.
struct AccessRuleTests {
  private let circles: Circles

  init() throws { circles = try Circles() }

  @Test func `Members read each other's profile until one of them leaves or is removed`()
    async throws
  {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    let eve = try await circles.person("eve")
    #expect(try await circles.kinds(of: ida, by: ben) == [])
    try await circles.circle("c", ida, ben)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    #expect(try await circles.kinds(of: ben, by: ida) == ["profile"])
    #expect(try await circles.kinds(of: ida, by: eve) == [])
    try await circles.leave("c", ben)
    #expect(try await circles.kinds(of: ida, by: ben) == [])
    #expect(try await circles.kinds(of: ben, by: ida) == [])
    try await circles.join("c", by: ida, eve)
    try await circles.leave("c", eve, by: ida)
    #expect(try await circles.kinds(of: ida, by: eve) == [])
  }

  @Test func `A choice for a circle gives its members access, and ends it`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    try await circles.share("week", with: "c", of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
    #expect(try await circles.kinds(of: ben, by: ida) == ["profile"])
    let row = "s-\(ida.id)-c"
    for (shows, expected) in [
      ("busy", ["profile"]), ("all", ["profile", "week"]), (nil, ["profile"]),
      ("week", ["profile", "week"]),
    ] as [(String?, [String])] {
      let value = shows.map { WireValue($0) } ?? .null
      try await circles.change(.patch, "sharings", row, ["shows": value], of: ida)
      #expect(try await circles.kinds(of: ida, by: ben) == expected, "\(shows ?? "NULL")")
    }
    try await circles.change(.delete, "sharings", row, of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
  }

  @Test func `The widest choice of several circles counts`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    try await circles.circle("d", ben, ida)
    try await circles.share("busy", with: "c", of: ida)
    try await circles.share("week", with: "d", of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
    try await circles.leave("d", ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    // Two rows for a circle are one choice.
    try await circles.share("week", with: "c", of: ida, id: "t")
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
  }

  @Test func `A choice for a circle of which its owner is no member gives no access`()
    async throws
  {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    let eve = try await circles.person("eve")
    try await circles.circle("c", ben, eve)
    try await circles.share("week", with: "c", of: ida)
    #expect(try await circles.kinds(of: ida, by: eve) == [])
    try await circles.join("c", by: ben, ida)
    #expect(try await circles.kinds(of: ida, by: eve) == ["profile", "week"])
  }

  @Test func `A block ends access in both directions, in all circles, now and later`()
    async throws
  {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    for person in [ida, ben] { try await circles.share("week", with: "c", of: person) }
    try await circles.block(ben, by: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    #expect(try await circles.kinds(of: ben, by: ida) == ["profile"])
    try await circles.circle("d", ben, ida)
    for person in [ida, ben] { try await circles.share("week", with: "d", of: person) }
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    #expect(try await circles.kinds(of: ben, by: ida) == ["profile"])
    try await circles.change(.delete, "blocks", "b-\(ida.id)-\(ben.id)", of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
    #expect(try await circles.kinds(of: ben, by: ida) == ["profile", "week"])
  }

  @Test func `A member who has left with a copy reads nothing of the others`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    let command = MemberCommand(.left, of: ben.id)
    let op = command.op(at: Stamp(milliseconds: 5, device: ben.device))
    #expect(try await circles.push(ScopeID("circle/c"), [op], ben) == nil)
    #expect(try await circles.kinds(of: ida, by: ben) == [])
  }

  @Test func `A value that is not a circle or an account changes nothing`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    try await circles.put("sharings", "x", ["circleID": "a/b", "shows": "week"], of: ida)
    try await circles.put(
      "blocks", "y", ["blockedID": WireValue(String(repeating: "z", count: 5_000))], of: ida)
    try await circles.share("week", with: "c", of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
    // The spelling of an id does not matter.
    try await circles.put(
      "blocks", "z", ["blockedID": WireValue(ben.id.uuidString.lowercased())], of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
  }

  @Test func `Changes of a deciding row in one batch count together`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    let row = "s-\(ida.id)-c"
    let fields: [String: WireValue] = [
      "ownerID": WireValue(ida.id.uuidString), "circleID": "c", "shows": "week",
    ]
    let own = try ida.scope("person")
    let ops = [
      await circles.op(.put, "sharings", row, fields, ida),
      await circles.op(.delete, "sharings", row, [:], ida),
      await circles.op(.put, "sharings", row, fields, generation: 3, ida),
      await circles.op(.patch, "sharings", row, ["shows": "busy"], generation: 3, ida),
    ]
    #expect(try await circles.push(own, Array(ops[..<3]), ida) == nil)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
    #expect(try await circles.push(own, [ops[3]], ida) == nil)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
  }

  @Test func `Access follows changes over HTTP, of rows and of roles`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    let (service, own) = (circles.service, try ida.scope("person"))
    func send(_ method: Request.Method, _ path: String, _ json: String) async -> Response.Status {
      await service.send(
        method, path, token: ida.token, headers: ["Content-Type": "application/json"],
        body: Array(json.utf8)
      ).status
    }
    let rows = "/v1/tables/sharings/rows"
    let insertion = #"{"scope":"\#(own)","id":"x","values":{"circleID":"c","shows":"week"}}"#
    #expect(await send(.post, rows, insertion) == .created)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
    let row = "\(rows)/x?scope=\(own)"
    #expect(await send(.patch, row, #"{"values":{"shows":"busy"}}"#) == .ok)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    #expect(await send(.patch, row, #"{"values":{"shows":"all"}}"#) == .ok)
    let deleted = await service.send(.delete, row, token: ida.token)
    #expect(deleted.status == .noContent)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    let member = "/v1/scopes/circle/c/members/\(ben.id.uuidString)"
    #expect(await send(.put, member, #"{"role":"viewer"}"#) == .ok)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    let removed = await service.send(.delete, member, token: ida.token)
    #expect(removed.status == .noContent)
    #expect(try await circles.kinds(of: ida, by: ben) == [])
  }
}
