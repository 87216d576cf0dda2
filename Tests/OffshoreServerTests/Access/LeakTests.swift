import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// A scan of the answers of all routes for values that an account may not read: no answer has one, and each
/// equals the answer about a scope that does not exist.
struct LeakTests {
  /// An account, as seen from the owner of the scopes.
  enum Position: CaseIterable {
    /// It never shared a circle with the owner.
    case stranger
    /// It has left the circle with a copy, or was removed.
    case formerMember, removed
    /// It is a member of the circle, and blocked.
    case blocked
    /// It reads the profile by the rule of members, and nothing else.
    case reader
  }

  private let folder = FileManager.default.temporaryDirectory.path + "/offshore-leaks-\(UUID())"
  /// A part of all values that only the owner and readers of the week may see.
  private static let mark = "zqx-secret"
  private static let content = Array("\(mark) of a blob".utf8)

  /// A circle with its owner, and the account in a position.
  private func world(
    _ position: Position
  ) async throws -> (circles: Circles, owner: Circles.Person, other: Circles.Person) {
    let circles = try Circles(blobs: BlobStore(folder))
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    let eve = try await circles.person("eve")
    try await circles.circle("c", ida, ben)
    if position != .stranger { try await circles.join("c", by: ida, eve) }
    if position != .reader { try await circles.share("week", with: "c", of: ida) }
    try await circles.put("days", "\(Self.mark)-1", ["note": WireValue(Self.mark)], of: ida)
    try await circles.put("days", "\(Self.mark)-2", ["note": WireValue(Self.mark)], of: ida)
    try await circles.change(.delete, "days", "\(Self.mark)-2", of: ida)
    let blob = try await circles.service.send(
      .put, "/v1/blobs/\(ContentHash(of: Self.content))?scope=\(ida.scope("week"))",
      token: ida.token, body: Self.content)
    #expect(blob.status == .created)
    switch position {
    case .formerMember: try await circles.leave("c", eve)
    case .removed: try await circles.leave("c", eve, by: ida)
    case .blocked: try await circles.block(eve, by: ida)
    case .stranger, .reader: break
    }
    return (circles, ida, eve)
  }

  @Test(arguments: Position.allCases)
  func `No answer has what an account may not read, or shows that it exists`(position: Position)
    async throws
  {
    let (circles, owner, other) = try await world(position)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (real, unknown) = (owner.id.uuidString, UUID().uuidString)
    let hashes = (ContentHash(of: Self.content), ContentHash(of: [1, 2, 3]))
    for kind in ["week", "person"] {
      let probes = try await probes(circles, other, kind, real, Self.mark, hashes.0)
      let controls = try await self.probes(circles, other, kind, unknown, "zqx-nobody", hashes.1)
      for (probe, control) in zip(probes, controls) {
        let (answer, expected) = (
          await circles.service.send(
            probe.method, probe.path, token: other.token, headers: probe.headers, body: probe.body),
          await circles.service.send(
            control.method, control.path, token: other.token, headers: control.headers,
            body: control.body)
        )
        let place = "\(probe.method) \(probe.path)"
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains(Self.mark), "\(place)")
        #expect(answer.status == expected.status, "\(place)")
        #expect(answer.comparableHeaders == expected.comparableHeaders, "\(place)")
        // Requests about two scopes name them in their answers.
        let plain = answer.bytes.replacing(Array(real.utf8), with: Array(unknown.utf8))
          .replacing(Array(Self.mark.utf8), with: Array("zqx-nobody".utf8))
        #expect(plain == expected.bytes, "\(place)")
      }
    }
    let grants = try await pull(circles, other).grants.filter { $0.role.canRead }
    #expect(grants.allSatisfy { $0.scope.kind == "profile" || $0.scope.value != real })
    let all = await circles.service.send(.get, "/v1/tables/days/rows", token: other.token)
    #expect(!String(decoding: all.bytes, as: UTF8.self).contains(Self.mark))
  }

  @Test(arguments: Position.allCases)
  func `No hint is about a scope that an account may not read`(position: Position) async throws {
    let (circles, owner, other) = try await world(position)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let response = await circles.service.send(.get, "/v1/events", token: other.token)
    let channel = try #require(response.channel)
    try await circles.put("days", "\(Self.mark)-3", ["note": WireValue(Self.mark)], of: owner)
    try await circles.share("week", with: "none", of: owner, id: "t")
    circles.service.server.hub.close()
    while let event = await channel.next() {
      #expect(!event.data.contains("week/\(owner.id.uuidString)"))
      #expect(!event.data.contains("person/\(owner.id.uuidString)"))
    }
  }

  // MARK: - Requests

  private struct Probe {
    let method: Request.Method
    let path: String
    var headers: Headers = [:]
    var body: [UInt8] = []
  }

  /// Returns requests about a scope and its rows, for all routes that name one.
  private func probes(
    _ circles: Circles, _ person: Circles.Person, _ kind: String, _ value: String, _ row: String,
    _ hash: ContentHash
  ) async throws -> [Probe] {
    let scope = try ScopeID(kind: kind, value: value)
    let table = kind == "week" ? "days" : "sharings"
    let (rows, members) = ("/v1/tables/\(table)/rows", "/v1/scopes/\(scope)/members")
    let json: Headers = ["Content-Type": "application/json"]
    var probes = [
      Probe(method: .get, path: "\(rows)?scope=\(scope)"),
      Probe(method: .get, path: members),
      Probe(
        method: .put, path: "\(members)/\(person.id.uuidString)", headers: json,
        body: Array(#"{"role":"owner"}"#.utf8)),
      Probe(method: .delete, path: "\(members)/\(person.id.uuidString)"),
      Probe(method: .get, path: "/v1/scopes/\(scope)/invitations"),
      Probe(
        method: .post, path: "/v1/scopes/\(scope)/invitations", headers: json,
        body: Array(#"{"role":"viewer"}"#.utf8)),
      Probe(
        method: .delete, path: "/v1/account", headers: json,
        body: Array(#"{"password":"\#(value)"}"#.utf8)),
      Probe(method: .get, path: "/v1/blobs/\(hash)"),
      Probe(method: .head, path: "/v1/blobs/\(hash)"),
      Probe(
        method: .put, path: "/v1/blobs/\(ContentHash(of: [7]))?scope=\(scope)", body: [7]),
      Probe(method: .delete, path: "/v1/blobs/\(hash)?scope=\(scope)"),
      Probe(
        method: .post, path: rows, headers: json,
        body: Array(
          #"{"scope":"\#(scope)","id":"\#(row)-1","values":\#(Self.values(of: kind))}"#.utf8)),
    ]
    for number in 1...2 {
      let path = "\(rows)/\(row)-\(number)?scope=\(scope)"
      probes += [
        Probe(method: .get, path: path), Probe(method: .delete, path: path),
        Probe(
          method: .patch, path: path, headers: json,
          body: Array(#"{"values":\#(Self.values(of: kind))}"#.utf8)),
      ]
      for condition in [nil, ("If-Match", "*"), ("If-None-Match", "*")] as [(String, String)?] {
        var headers = json
        if let (name, value) = condition { headers[name] = value }
        probes.append(
          Probe(
            method: .put, path: path, headers: headers,
            body: Array(#"{"values":\#(Self.values(of: kind))}"#.utf8)))
      }
    }
    probes += try await messages(circles, person, scope, table, row).map { path, body in
      Probe(method: .post, path: path, body: body)
    }
    return probes
  }

  private static func values(of kind: String) -> String {
    kind == "week" ? #"{"note":"x"}"# : #"{"circleID":"c","shows":"week"}"#
  }

  private func messages(
    _ circles: Circles, _ person: Circles.Person, _ scope: ScopeID, _ table: String, _ row: String
  ) async throws -> [(path: String, body: [UInt8])] {
    let stamp = Stamp(milliseconds: 9_000, device: person.device)
    let id = RowID(table: table, id: "\(row)-1")
    let kinds: [Op.Kind] = [.put, .patch, .delete]
    let pushes = kinds.map { kind in
      PushRequest(
        device: person.device, epoch: 0, manifestVersion: 1,
        batches: [
          Batch(
            scope, number: 1, id: UUID(),
            ops: [
              Op(
                kind, id, fields: kind == .delete ? [:] : ["ownerID": WireValue(scope.value)],
                stamp: stamp)
            ])
        ])
    }
    let positions: [PullCursor.Position] = [
      .snapshot(head: nil, after: nil), .changes(after: 0), .changes(after: 1),
      .repair(ranges: .all, head: nil, after: nil),
    ]
    let pulls = positions.map { position in
      PullRequest(
        device: person.device, manifestVersion: 1, capabilities: .all, grantsAfter: 1 << 40,
        cursors: [
          PullCursor(scope, epoch: 7, position: position, acknowledged: 0, conflictsAfter: 0)
        ], limit: 10)
    }
    return pushes.map { ("/v1/push", $0.body) } + pulls.map { ("/v1/pull", $0.body) }
  }

  private func pull(_ circles: Circles, _ person: Circles.Person) async throws -> PullResponse {
    let request = PullRequest(
      device: person.device, manifestVersion: 1, capabilities: .all, grantsAfter: 0, cursors: [],
      limit: 10)
    let response = await circles.service.send(
      .post, "/v1/pull", token: person.token, body: request.body)
    return try PullResponse(body: response.bytes)
  }
}
