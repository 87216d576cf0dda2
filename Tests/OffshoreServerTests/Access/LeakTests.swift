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

  /// The account of an owner, at the time of the requests.
  enum OwnerState: CaseIterable { case present, deleted }

  private let folder = FileManager.default.temporaryDirectory.path + "/offshore-leaks-\(UUID())"
  /// A part of all values that only the owner and readers of the week may see.
  private static let mark = "zqx-secret"
  /// The replacement of the mark in names of things that do not exist.
  private static let unmarked = "zqx-nobody"
  private static let content = Array("\(mark) of a blob".utf8)
  private static let password = "correct horse"

  /// A circle with its owner, and the account in a position. It is not a member of a second circle, or not
  /// any more. The name of that circle has the mark.
  private struct World {
    let circles: Circles
    let owner: Circles.Person
    let other: Circles.Person
    /// An invitation to the second circle.
    let invitation: ContentHash
    /// The access token of the owner.
    let token: ContentHash

    private var mark: String { LeakTests.mark }

    /// Returns what the owner has in a scope of a kind.
    func target(_ kind: String) throws -> LeakTarget {
      LeakTarget(
        scope: try kind == "circle" ? ScopeID(kind: kind, value: mark) : owner.scope(kind),
        row: mark, blob: ContentHash(of: LeakTests.content), invitation: invitation, token: token)
    }

    /// Returns things that do not exist.
    func control(_ kind: String, _ unknown: UUID) throws -> LeakTarget {
      let unmarked = LeakTests.unmarked
      let value = kind == "circle" ? unmarked : unknown.uuidString
      return LeakTarget(
        scope: try ScopeID(kind: kind, value: value), row: unmarked,
        blob: ContentHash(of: [1, 2, 3]), invitation: ContentHash(of: [4]),
        token: ContentHash(of: [5]))
    }
  }

  private func world(_ position: Position) async throws -> World {
    let circles = try Circles(blobs: BlobStore(folder))
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    let eve = try await circles.person("eve")
    try await circles.circle("c", ida, ben)
    try await circles.circle(Self.mark, ida, ben)
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
    case .formerMember, .removed:
      try await circles.join(Self.mark, by: ida, eve)
      for circle in ["c", Self.mark] {
        try await circles.leave(circle, eve, by: position == .removed ? ida : nil)
      }
    case .blocked: try await circles.block(eve, by: ida)
    case .stranger, .reader: break
    }
    let invited = try await circles.service.send(
      .post, "/v1/scopes/circle/\(Self.mark)/invitations", token: ida.token,
      ["role": "viewer", "label": Self.mark, "title": Self.mark])
    let id = try #require(try invited.json()["id"] as? String)
    return World(
      circles: circles, owner: ida, other: eve,
      invitation: try #require(ContentHash(hexadecimal: id)),
      token: try #require(Secret(ida.token)).hash)
  }

  @Test(arguments: Position.allCases, OwnerState.allCases)
  func `No answer has what an account may not read, or shows that it exists or has existed`(
    position: Position, state: OwnerState
  ) async throws {
    let world = try await world(position)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (service, other, unknown) = (world.circles.service, world.other, UUID())
    if state == .deleted {
      let deleted = try await service.send(
        .delete, "/v1/account", token: world.owner.token, ["password": Self.password])
      #expect(deleted.status == .noContent)
    }
    let real = world.owner.id.uuidString
    for kind in ["week", "person", "circle"] {
      let probes = LeakProbes(person: other, target: try world.target(kind))
      let controls = LeakProbes(person: other, target: try world.control(kind, unknown))
      // Another account can claim a circle that does not exist.
      let pairs =
        kind == "circle" ? zip(probes.reading, controls.reading) : zip(probes.all, controls.all)
      for (probe, control) in pairs {
        let answer = await send(probe, to: service, other.token)
        let expected = await send(control, to: service, other.token)
        let place = "\(probe.method) \(probe.path)"
        #expect(answer.status == expected.status, "\(place)")
        #expect(answer.comparableHeaders == expected.comparableHeaders, "\(place)")
        // Requests about two scopes name them in their answers.
        let plain = answer.bytes.replacing(Array(real.utf8), with: Array(unknown.uuidString.utf8))
        #expect(kind == "circle" || !answer.text.contains(Self.mark), "\(place)")
        #expect(
          plain.replacing(Array(Self.mark.utf8), with: Array(Self.unmarked.utf8))
            == expected.bytes, "\(place)")
      }
    }
    let grants = try await pull(world.circles, other).grants.filter { $0.role.canRead }
    #expect(grants.allSatisfy { $0.scope.kind == "profile" || $0.scope.value != real })
    for path in ["/v1/tables/days/rows", "/v1/tokens", "/v1/account"] {
      let all = await service.send(.get, path, token: other.token)
      #expect(all.status == .ok && !all.text.contains(Self.mark), "\(path)")
      #expect(!all.text.contains("\(world.token)") && !all.text.contains(real), "\(path)")
    }
    if state == .present {
      let account = await service.send(.get, "/v1/account", token: world.owner.token)
      #expect(account.status == .ok, "No request of the other account has ended the token.")
    }
  }

  @Test func `Each route that names a thing of an account is among the requests`() async throws {
    let circles = try Circles(blobs: BlobStore(folder))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let person = try await circles.person("ida")
    let target = LeakTarget(
      scope: try person.scope("week"), row: "r", blob: ContentHash(of: [1]),
      invitation: ContentHash(of: [2]), token: ContentHash(of: [3]))
    let probes = LeakProbes(person: person, target: target).all
    let routes = circles.service.server.routes.filter {
      $0.pattern.contains(":") || $0.body?.isMessage == true
    }
    #expect(routes.count > 10)
    let missing = routes.filter { route in !probes.contains { $0.isRequest(of: route) } }
    #expect(missing.map { "\($0.method) \($0.pattern)" } == [])
  }

  @Test func `A deleted account gets the answers of an unknown token`() async throws {
    let world = try await world(.reader)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (service, other) = (world.circles.service, world.other)
    let deleted = try await service.send(
      .delete, "/v1/account", token: other.token, ["password": Self.password])
    #expect(deleted.status == .noContent)
    let targets = try ["week", "person", "circle"].map { try world.target($0) }
    let probes = targets.flatMap { LeakProbes(person: other, target: $0).all }
    let lists = ["events", "tokens", "account", "tables/days/rows"].map {
      LeakProbe(method: .get, path: "/v1/\($0)")
    }
    for (number, probe) in (probes + lists).enumerated() {
      // Invalid tokens are counted by network.
      let address = "10.0.\(number / 250).\(number % 250)"
      let answer = await send(probe, to: service, other.token, address)
      let expected = await send(probe, to: service, Secret.sample(7).text, address)
      let place = "\(probe.method) \(probe.path)"
      #expect(answer.status == .unauthorized, "\(place)")
      #expect(answer.comparableHeaders == expected.comparableHeaders, "\(place)")
      #expect(answer.bytes == expected.bytes, "\(place)")
    }
  }

  @Test(arguments: Position.allCases)
  func `A blob that others have is sent in parts like an unknown one`(position: Position)
    async throws
  {
    let world = try await world(position)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let other = try world.other.scope("week")
    var answers: [[String]] = []
    for content in [Self.content, Array(Self.content.reversed())] {
      let (blob, length) = ("/v1/blobs/\(ContentHash(of: content))", "\(content.count)")
      let part = { (offset: Int, bytes: ArraySlice<UInt8>) in
        LeakProbe(
          method: .put, path: "\(blob)?scope=\(other)",
          headers: ["Upload-Offset": "\(offset)", "Upload-Length": length], body: Array(bytes))
      }
      let probes = [
        LeakProbe(method: .head, path: blob), part(0, []), part(0, content[..<4]),
        part(9, content[9...]), LeakProbe(method: .head, path: blob), part(4, content[4...]),
      ]
      var statuses: [String] = []
      for probe in probes {
        let answer = await send(probe, to: world.circles.service, world.other.token)
        statuses.append("\(answer.status) \(answer.headers["Upload-Offset"] ?? "")")
      }
      answers.append(statuses)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].last?.hasPrefix("201") == true)
  }

  @Test(arguments: Position.allCases)
  func `No hint is about a scope that an account may not read`(position: Position) async throws {
    let world = try await world(position)
    let (circles, owner, other) = (world.circles, world.owner, world.other)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let response = await circles.service.send(.get, "/v1/events", token: other.token)
    let channel = try #require(response.channel)
    try await circles.put("days", "\(Self.mark)-3", ["note": WireValue(Self.mark)], of: owner)
    try await circles.share("week", with: "none", of: owner, id: "t")
    circles.service.server.hub.close()
    while let event = await channel.next() {
      #expect(!event.data.contains("week/\(owner.id.uuidString)"))
      #expect(!event.data.contains("person/\(owner.id.uuidString)"))
      #expect(!event.data.contains(Self.mark))
    }
  }

  // MARK: - Requests

  private func send(
    _ probe: LeakProbe, to service: TestService, _ token: String, _ address: String = "192.0.2.1"
  ) async -> Response {
    await service.send(
      probe.method, probe.path, token: token, headers: probe.headers, body: probe.body,
      address: address)
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
