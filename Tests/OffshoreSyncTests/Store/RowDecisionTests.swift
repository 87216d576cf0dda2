import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// The cancellation, the edit and the retry of one row, by the messages that are sent afterwards.
@Suite(.timeLimit(.minutes(1)))
struct RowDecisionTests {
  enum State: CaseIterable { case captured, sealed, postponed, refused }

  private static let schema = StoreSchema(
    migrations: [
      Migration("v1") { writer in
        try writer.create(Trip.table)
        try writer.create(Waypoint.table)
      }
    ],
    sync: try SyncSchema(
      version: 1, SyncTable(Trip.self, scope: .kind("trip", \.id)),
      SyncTable(
        Waypoint.self, scope: .kind("trip", \.tripID), writers: .author(\.authorID),
        keepsRefused: true),
      claimableKinds: ["trip"]),
    attemptLimits: [.forbidden: 2])

  private let store: SyncedStore
  private let waypoint: Waypoint
  private let now: Int64 = 1_000_000

  /// Creates the file of an account with a trip, as if the server had the trip.
  init() async throws {
    var environment = SyncedStore.Environment()
    environment.now = { Date(timeIntervalSince1970: 1_000) }
    store = try .temporary(schema: Self.schema, environment: environment)
    let user = UUID()
    try await store.link(LinkedAccount(id: user, name: "skipper"), token: nil)
    let trip = Trip(id: UUID(), name: "Kornati")
    waypoint = Waypoint(id: UUID(), tripID: trip.id, name: "Former", authorID: user)
    try await store.write { writer in try writer.applying { try trip.insert(writer) } }
  }

  private var changes: OutgoingChanges { store.changes }

  // MARK: - Steps

  private func insert(_ waypoint: Waypoint, as state: State) async throws {
    try await store.write { try waypoint.insert($0) }
    switch state {
    case .captured: break
    case .sealed: try await seal()
    case .postponed: try await refuse(at: now)
    case .refused:
      try await refuse(at: now)
      try await refuse(at: now + 10_000)
    }
  }

  private func seal() async throws {
    try await store.write { [replica = store.replica, now] in
      try replica.sealAll($0, at: now, makeID: UUID.init)
    }
  }

  private func nextPush(at now: Int64) async throws -> PushRequest? {
    try await store.write { [replica = store.replica] in
      try replica.nextPush($0, at: now, makeID: UUID.init)
    }
  }

  /// Lets the server refuse the next request.
  private func refuse(at now: Int64) async throws {
    let request = try #require(try await nextPush(at: now))
    let results = request.batches.map { batch in
      BatchResult(
        scope: batch.scope, number: batch.number,
        outcome: .rejected(
          Rejection(.forbidden, "No.", row: batch.ops.first?.row), current: nil))
    }
    let answer = PushResponse(epoch: 1, serverTime: now, results: results)
    _ = try await store.write { [replica = store.replica] in
      try replica.apply(
        answer, to: request, at: RequestTimes(sent: now, received: now), $0,
        newDevice: { DeviceID(UUID()) }, makeID: UUID.init)
    }
  }

  private func state() async throws -> SendingState? {
    let id = waypoint.id.uuidString
    return try await store.read { [store] in
      try store.sendingStates(of: [id], in: "waypoints", $0)[id]
    }
  }

  /// The names of the waypoints.
  private func names() async throws -> [String] {
    try await store.read { try Waypoint.order { $0.name }.all($0) }.map(\.name)
  }

  /// Returns the names in the insertions of a request, after checking that its bytes lack the former name.
  private func sentNames(_ request: PushRequest?) throws -> [String?] {
    let batches = try #require(request).batches
    for batch in batches {
      let bytes = String(decoding: batch.encoded(), as: UTF8.self)
      #expect(!bytes.contains("Former"))
    }
    let ops = batches.flatMap(\.ops)
    #expect(ops.allSatisfy { $0.kind == .put })
    return ops.map { $0.fields["name"]?.string }
  }

  // MARK: - Cancelling

  @Test(arguments: State.allCases)
  func `A cancelled row never leaves`(_ state: State) async throws {
    try await insert(waypoint, as: state)
    #expect(try await changes.cancel(Waypoint.find(waypoint.id)))
    #expect(try await names() == [])
    #expect(try await nextPush(at: now + 100_000) == nil)
    #expect(try await self.state() == nil)
    #expect(try await !changes.cancel(Waypoint.find(waypoint.id)), "there is none any more")
  }

  @Test func `A row that may have left is not cancelled`() async throws {
    try await insert(waypoint, as: .captured)
    _ = try await nextPush(at: now)
    #expect(try await !changes.cancel(Waypoint.find(waypoint.id)))
    #expect(try await names() == ["Former"])
  }

  @Test(arguments: [State.captured, .sealed])
  func `Rows that refer to a cancelled one are cancelled with it`(_ state: State) async throws {
    let trip = Trip(id: UUID(), name: "Vis")
    var part = waypoint
    part.tripID = trip.id
    try await store.write { try trip.insert($0) }
    try await insert(part, as: state)
    #expect(try await changes.cancel(Trip.find(trip.id)))
    #expect(try await names() == [])
    #expect(try await nextPush(at: now) == nil)
  }

  @Test func `A row of a file without an account is deleted`() async throws {
    let store = try SyncedStore.temporary(schema: Self.schema)
    let trip = Trip(id: UUID(), name: "Vis")
    try await store.write { try trip.insert($0) }
    #expect(try await store.changes.cancel(Trip.find(trip.id)))
    #expect(try await store.read { try Trip.all.count($0) } == 0)
    await store.close()
  }

  // MARK: - Editing

  @Test(arguments: State.allCases)
  func `Only the new values of an edited row are sent, and at once`(_ state: State) async throws {
    try await insert(waypoint, as: state)
    let count = try await changes.edit(Waypoint.find(waypoint.id)) { [$0.name.set("Present")] }
    #expect(count == 1)
    #expect(try await names() == ["Present"])
    #expect(try await self.state() == SendingState(status: .pending))
    #expect(try await sentNames(nextPush(at: now)) == ["Present"])
    #expect(try await store.read { try StoredRefusal.all.count($0) } == 0)
  }

  @Test func `Only the new values are sent behind a batch whose answer is missing`() async throws {
    let first = Waypoint(
      id: UUID(), tripID: waypoint.tripID, name: "First", authorID: waypoint.authorID)
    try await insert(first, as: .captured)
    _ = try await nextPush(at: now)
    try await insert(waypoint, as: .sealed)
    try await changes.edit(Waypoint.find(waypoint.id)) { [$0.name.set("Present")] }
    #expect(try await sentNames(nextPush(at: now)) == ["First", "Present"])
  }

  @Test func `A row that may have left is not edited`() async throws {
    try await insert(waypoint, as: .captured)
    _ = try await nextPush(at: now)
    do {
      try await changes.edit(Waypoint.find(waypoint.id)) { [$0.name.set("Present")] }
      Issue.record("It was edited.")
    } catch let error as ReplicaError {
      #expect(error.code == .alreadySent)
    }
    #expect(try await names() == ["Former"])
  }

  @Test func `An edit gives a row no other author`() async throws {
    try await insert(waypoint, as: .sealed)
    do {
      try await changes.edit(Waypoint.find(waypoint.id)) { [$0.authorID.set(UUID())] }
      Issue.record("It was edited.")
    } catch let error as ReplicaError {
      #expect(error.code == .forbidden)
    }
    #expect(try await sentNamesOfFormer() == ["Former"])
  }

  private func sentNamesOfFormer() async throws -> [String?] {
    try await nextPush(at: now)?.batches.flatMap(\.ops).map { $0.fields["name"]?.string } ?? []
  }

  @Test(arguments: [State.postponed, .refused])
  func `A refused row that is edited without a change is sent again`(_ state: State) async throws {
    try await insert(waypoint, as: state)
    try await changes.edit(Waypoint.find(waypoint.id)) { [$0.name.set("Former")] }
    #expect(try await self.state() == SendingState(status: .pending))
    #expect(try await sentNamesOfFormer() == ["Former"])
  }

  // MARK: - Retrying

  @Test(arguments: [State.postponed, .refused])
  func `A refused row is sent again at once, and its attempts begin again`(
    _ state: State
  ) async throws {
    try await insert(waypoint, as: state)
    #expect(try await self.state()?.attempts == (state == .postponed ? 1 : 2))
    #expect(try await changes.retry(Waypoint.find(waypoint.id)))
    #expect(try await self.state() == SendingState(status: .pending))
    #expect(try await sentNamesOfFormer() == ["Former"])
    #expect(try await !changes.retry(Waypoint.find(waypoint.id)), "it is not refused any more")
  }
}
