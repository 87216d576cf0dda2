import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// A second device of a person that was offline while the person narrowed the access of another one. Ida
/// and ben are members of circle c, and ida shares her week with it.
struct NarrowedAccessTests {
  /// The ways in which access ends.
  enum Narrowing: CaseIterable {
    case choice, deletion, block, left, removed

    /// The kinds of ida's scopes that ben reads afterwards.
    var kinds: [String] {
      switch self {
      case .choice, .deletion, .block: ["profile"]
      case .left, .removed: []
      }
    }
  }

  private static let mark = "zqx-late"
  private let circles: Circles
  private let ida: Circles.Person
  private let ben: Circles.Person
  /// The second device of ida.
  private let tablet: Circles.Person
  private var choice: String { "s-\(ida.id)-c" }

  init() async throws {
    circles = try Circles()
    ida = try await circles.person("ida")
    ben = try await circles.person("ben")
    tablet = Circles.Person(id: ida.id, token: ida.token, device: .sample(90))
    try await circles.circle("c", ida, ben)
    try await circles.share("week", with: "c", of: ida)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile", "week"])
  }

  private func narrow(_ narrowing: Narrowing) async throws {
    switch narrowing {
    case .choice:
      try await circles.change(.patch, "sharings", choice, ["shows": .null], of: ida)
    case .deletion: try await circles.change(.delete, "sharings", choice, of: ida)
    case .block: try await circles.block(ben, by: ida)
    case .left: try await circles.leave("c", ida)
    case .removed: try await circles.leave("c", ben, by: ida)
    }
  }

  /// Returns all rows that ben reads.
  private func rows() async -> String {
    var text = ""
    for table in ["days", "profiles", "sharings"] {
      text += await circles.service.send(
        .get, "/v1/tables/\(table)/rows?limit=1000", token: ben.token
      ).text
    }
    return text
  }

  private func lateDay() async -> Op {
    let fields: [String: WireValue] = [
      "ownerID": WireValue(ida.id.uuidString), "note": WireValue(Self.mark),
    ]
    return await circles.op(.put, "days", "late", fields, tablet)
  }

  @Test(arguments: Narrowing.allCases)
  func `Rows of the other device reach no account whose access has ended`(narrowing: Narrowing)
    async throws
  {
    let late = await lateDay()
    try await narrow(narrowing)
    #expect(try await circles.push(ida.scope("week"), [late], tablet) == nil)
    #expect(try await circles.kinds(of: ida, by: ben) == narrowing.kinds)
    #expect(await !rows().contains(Self.mark))
    // The owner has the row.
    let own = await circles.service.send(.get, "/v1/tables/days/rows", token: ida.token)
    #expect(own.text.contains(Self.mark))
  }

  @Test func `Without a narrowing the rows of the other device arrive`() async throws {
    let late = await lateDay()
    #expect(try await circles.push(ida.scope("week"), [late], tablet) == nil)
    #expect(await rows().contains(Self.mark))
  }

  @Test(arguments: [Narrowing.choice, .deletion])
  func `An earlier choice of the other device does not widen the access again`(
    narrowing: Narrowing
  ) async throws {
    let late = await circles.op(.patch, "sharings", choice, ["shows": "all"], tablet)
    try await narrow(narrowing)
    let outcome = try await circles.push(ida.scope("person"), [late], tablet)
    // An edit of a row that was deleted may be refused.
    #expect(outcome == nil || outcome == .gone)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    #expect(await !rows().contains("ida-note"))
  }

  @Test func `A block of the other device counts from its arrival, whatever was shared since`()
    async throws
  {
    let fields: [String: WireValue] = [
      "ownerID": WireValue(ida.id.uuidString), "blockedID": WireValue(ben.id.uuidString),
    ]
    let block = await circles.op(.put, "blocks", "b", fields, tablet)
    try await circles.circle("d", ben, ida)
    try await circles.share("all", with: "d", of: ida)
    #expect(await rows().contains("ida-note"))
    #expect(try await circles.push(ida.scope("person"), [block], tablet) == nil)
    #expect(try await circles.kinds(of: ida, by: ben) == ["profile"])
    #expect(await !rows().contains("ida-note"))
  }
}
