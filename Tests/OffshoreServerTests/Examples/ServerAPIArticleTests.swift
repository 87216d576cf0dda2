import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The requests in the tables of the article “The interface for other clients”, against the routes of the
/// server.
struct ServerAPIArticleTests {
  private static let article = URL(filePath: #filePath).appending(
    path: "../../../../Sources/OffshoreServer/OffshoreServer.docc/ServerAPI.md"
  ).standardized

  private let folder: BlobFolder
  private let text: String

  init() throws {
    folder = try BlobFolder()
    text = try String(contentsOf: Self.article, encoding: .utf8)
  }

  /// The routes that are for clients without a copy of the data.
  private var routes: [ServerRoute] {
    let others = ["/v1/push", "/v1/pull", "/v1/openapi.json"]
    return folder.service.server.routes
      .filter { $0.path.hasPrefix("/v1/") && !others.contains($0.path) }
  }

  /// The answers of each request in the tables.
  private var rows: [String: Set<Int>] {
    let lines = text.split(separator: "\n").compactMap {
      $0.wholeMatch(of: /\| `(\w+ [^`?]+)[^`]*` \|.*\| ([0-9, ]+) \|/)
    }
    return Dictionary(
      lines.map { line in
        (String(line.1), Set(line.2.split(separator: ", ").compactMap { Int($0) }))
      }, uniquingKeysWith: { $0.union($1) })
  }

  @Test func `The tables have each request, and no other one`() {
    let requests = routes.map { "\($0.method.rawValue) \($0.path)" }
    #expect(requests.count > 25)
    #expect(rows.keys.sorted() == requests.sorted())
  }

  @Test func `The tables have the answers of each request that succeeds`() {
    for route in routes {
      let answers = Set(route.answers.map(\.status).filter { $0 < 400 })
      #expect(rows["\(route.method.rawValue) \(route.path)"] == answers, "\(route.path)")
    }
  }

  @Test func `The terms of invitations are those of the rules`() {
    let rules = MembershipRules()
    #expect(text.contains("| 7 days |") && rules.invitationLifetime == 7 * 86_400_000)
    #expect(text.contains("at most \(rules.maximumInvitations) open invitations"))
    #expect(text.contains("the number is\n\(WireLimits.number)."))
  }
}
