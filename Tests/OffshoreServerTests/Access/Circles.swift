import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Circles of friends on a server. Members of a circle read each other's profile, and the week of each
/// member that shares it with the circle, unless one of both blocks the other.
actor Circles {
  /// A person with an account and a device.
  struct Person: Sendable {
    let id: UUID
    let token: String
    let device: DeviceID

    func scope(_ kind: String) throws -> ScopeID { try ScopeID(kind: kind, value: id.uuidString) }
  }

  nonisolated let service: TestService
  private var numbers: [String: Int64] = [:]
  private var people: UInt8 = 0
  private var time: Int64 = 1_000

  init(_ manifest: Manifest? = nil, blobs: BlobStore? = nil) throws {
    service = try TestService(manifest: manifest ?? Self.manifest(), blobs: blobs)
  }

  static func manifest(version: Int = 1, rules: [AccessRule]? = nil) throws -> Manifest {
    try Manifest(
      version: version, tables: tables, claimableKinds: ["circle"],
      personalKinds: ["person", "profile", "week"], memberLimits: ["circle": 30],
      membershipLimits: ["circle": 12], accessRules: rules ?? Self.rules)
  }

  static let rules: [AccessRule] = [
    AccessRule("profile", sharedKind: "circle"),
    AccessRule(
      "week", sharedKind: "circle",
      choice: .init(
        table: "sharings", scopeColumn: "circleID", column: "shows", values: ["week", "all"]),
      block: .init(table: "blocks", column: "blockedID")),
  ]

  private static let tables = [
    SyncedTable(
      "circles", scopeKind: "circle", scopeColumn: "id", columns: [SyncedColumn("name", .text)]),
    SyncedTable(
      "profiles", scopeKind: "profile", scopeColumn: "id", columns: [SyncedColumn("name", .text)]),
    SyncedTable(
      "days", scopeKind: "week", scopeColumn: "ownerID",
      columns: [SyncedColumn("ownerID", .text), SyncedColumn("note", .text)]),
    SyncedTable(
      "sharings", scopeKind: "person", scopeColumn: "ownerID",
      columns: [
        SyncedColumn("ownerID", .text), SyncedColumn("circleID", .text),
        SyncedColumn("shows", .text, isNullable: true),
      ]),
    SyncedTable(
      "blocks", scopeKind: "person", scopeColumn: "ownerID",
      columns: [SyncedColumn("ownerID", .text), SyncedColumn("blockedID", .text)]),
  ]

  // MARK: - People

  func person(_ name: String) async throws -> Person {
    let account = try await service.signUp(name)
    people += 1
    let person = Person(id: account.id, token: account.token, device: .sample(people))
    try await put(
      "profiles", person.id.uuidString, ["name": WireValue("\(name)-profile")], of: person)
    try await put("days", "\(name)-day", ["note": WireValue("\(name)-note")], of: person)
    return person
  }

  /// Makes a circle with an owner and members.
  func circle(_ id: String, _ owner: Person, _ members: Person...) async throws {
    let scope = try ScopeID(kind: "circle", value: id)
    #expect(try await push(scope, [op(.put, "circles", id, ["name": "c"], owner)], owner) == nil)
    for member in members { try await join(id, by: owner, member) }
  }

  func join(_ circle: String, by owner: Person, _ member: Person) async throws {
    let scope = try ScopeID(kind: "circle", value: circle)
    try await service.join(scope, by: owner.token, as: "editor", member.token)
  }

  /// Leaves a circle, or removes a member.
  func leave(_ circle: String, _ member: Person, by person: Person? = nil) async throws {
    let path = "/v1/scopes/circle/\(circle)/members/\(member.id.uuidString)"
    let response = await service.send(.delete, path, token: (person ?? member).token)
    #expect(response.status == .noContent)
  }

  // MARK: - Rows

  /// Inserts a row in the person's own scope.
  func put(
    _ table: String, _ id: String, _ fields: [String: WireValue], of person: Person
  ) async throws {
    try await change(.put, table, id, fields, of: person)
  }

  /// Chooses what a circle sees of a person.
  func share(_ shows: WireValue, with circle: String, of person: Person, id: String = "s")
    async throws
  {
    try await put(
      "sharings", "\(id)-\(person.id)-\(circle)", ["circleID": WireValue(circle), "shows": shows],
      of: person)
  }

  func block(_ other: Person, by person: Person) async throws {
    try await put(
      "blocks", "b-\(person.id)-\(other.id)", ["blockedID": WireValue(other.id.uuidString)],
      of: person)
  }

  func change(
    _ kind: Op.Kind, _ table: String, _ id: String, _ fields: [String: WireValue] = [:],
    generation: Int64 = 1, of person: Person
  ) async throws {
    guard let declared = try Self.manifest()[table] else { return }
    var fields = fields
    if kind == .put, declared.scopeColumn == "ownerID" {
      fields["ownerID"] = WireValue(person.id.uuidString)
    }
    let op = op(kind, table, id, fields, generation: generation, person)
    #expect(try await push(person.scope(declared.scopeKind), [op], person) == nil)
  }

  func op(
    _ kind: Op.Kind, _ table: String, _ id: String, _ fields: [String: WireValue],
    generation: Int64 = 1, _ person: Person
  ) -> Op {
    time += 1
    return Op(
      kind, RowID(table: table, id: id), generation: generation, fields: fields,
      stamp: Stamp(milliseconds: time, device: person.device))
  }

  /// Pushes a batch.
  /// - Returns: the code of its rejection.
  func push(
    _ scope: ScopeID, _ ops: [Op], _ person: Person
  ) async throws -> Rejection.Code? {
    let key = "\(scope) \(person.device)"
    let batch = Batch(scope, number: numbers[key, default: 0] + 1, id: UUID(), ops: ops)
    let request = PushRequest(
      device: person.device, epoch: 0, manifestVersion: 1, batches: [batch])
    let response = await service.send(
      .post, "/v1/push", token: person.token, body: request.body)
    let outcome = try #require(try PushResponse(body: response.bytes).results.first?.outcome)
    if case .applied = outcome { numbers[key] = batch.number }
    return outcome.rejection
  }

  // MARK: - Access

  /// Returns the answer to a pull of a scope from its beginning.
  func pull(
    _ scope: ScopeID, by person: Person,
    _ position: PullCursor.Position = .snapshot(
      head: nil, after: nil), epoch: UInt64 = 0
  ) async throws -> ScopeAnswer.Content? {
    let request = PullRequest(
      device: person.device, manifestVersion: 1, capabilities: .all, grantsAfter: 0,
      cursors: [
        PullCursor(
          scope, epoch: epoch, position: position, acknowledged: 0, conflictsAfter: 0,
          wantsRangeDigests: true)
      ], limit: 100)
    let response = await service.send(.post, "/v1/pull", token: person.token, body: request.body)
    return try PullResponse(body: response.bytes).scopes.first?.content
  }

  /// Returns the kinds of scopes of another person that a person reads, by the answer to pulls. The grants
  /// have to agree.
  func kinds(of owner: Person, by reader: Person) async throws -> [String] {
    var kinds: [String] = []
    for kind in ["person", "profile", "week"] {
      let scope = try owner.scope(kind)
      let reads = try await pull(scope, by: reader)?.page != nil
      let account = AccountID(reader.id)
      let grant = try await service.log.read { try $0.grant(of: account, in: scope) }
      #expect(reads == (grant?.role == .viewer), "\(kind)")
      if reads { kinds.append(kind) }
    }
    return kinds
  }
}
