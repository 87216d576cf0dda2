import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

/// A device's pending and refused changes in the form that a user sees.
@Suite(.timeLimit(.minutes(1)))
struct OutgoingChangesTests {
  private let journey: Journey
  private let user = UUID()
  private let trip = Trip(id: UUID(), name: "Kornati")
  private let waypoint: Waypoint
  private let vote: Vote

  /// Creates a file of an account with a trip that the server has.
  init() async throws {
    waypoint = Waypoint(id: UUID(), tripID: trip.id, name: "Žut", authorID: user)
    vote = Vote(id: UUID(), tripID: trip.id, waypointID: waypoint.id)
    journey = try Journey(userID: user)
    try await journey.link()
    try await journey.store.write { [trip] in try trip.insert($0) }
    try await journey.run("DELETE FROM _outbox", "DELETE FROM _moment")
  }

  private var changes: OutgoingChanges { journey.store.changes }

  private func pending() async throws -> [PendingChange] {
    try #require(try await changes.pending().first()).listed
  }

  // MARK: - Names

  @Test func `A change has the name of its row, and of the row that it is part of`() async throws {
    try await journey.store.write { [waypoint, vote, user] writer in
      try waypoint.insert(writer)
      try vote.insert(writer)
      try Note(id: UUID(), ownerID: user, title: "Fuel").insert(writer)
      try CurrentTrip(id: user, tripID: nil).insert(writer)
    }
    #expect(
      try await Set(pending().map(\.row)) == [
        RowName(table: "waypoints", title: "Žut", whole: "Kornati"),
        RowName(table: "votes", title: "Žut", whole: "Kornati"),
        RowName(table: "notes", title: "Fuel"), RowName(table: "currentTrips"),
      ])
  }

  @Test func `A row without a title is named after the row that it is part of`() async throws {
    try await journey.store.write { [vote] in try vote.insert($0) }
    #expect(try await pending().map(\.row) == [RowName(table: "votes", title: "Kornati")])
  }

  @Test func `The level of a change follows from the title and the whole of its table`()
    async throws
  {
    try await journey.run("UPDATE trips SET name = 'Vis'")
    try await journey.store.write { [waypoint, vote, user] writer in
      try waypoint.insert(writer)
      try vote.insert(writer)
      try CurrentTrip(id: user, tripID: nil).insert(writer)
    }
    let levels = try await pending().map { ($0.row.table, $0.level) }
    #expect(
      Dictionary(uniqueKeysWithValues: levels) == [
        "trips": .whole, "waypoints": .part, "votes": .detail, "currentTrips": .detail,
      ])
  }

  @Test func `A deleted row has its former name`() async throws {
    try await journey.store.write { [waypoint, vote] writer in
      try waypoint.insert(writer)
      try vote.insert(writer)
    }
    try await journey.run("DELETE FROM _outbox", "DELETE FROM waypoints", "DELETE FROM votes")
    let found = try await pending()
    #expect(found.allSatisfy { $0.action == .removed && $0.row.table != "trips" })
    #expect(
      Set(found.map(\.row)) == [
        RowName(table: "waypoints", title: "Žut", whole: "Kornati"),
        RowName(table: "votes", title: "Kornati"),
      ])
  }

  // MARK: - Pending changes

  @Test func `Parts that are added or removed with their whole are one change`() async throws {
    let other = Trip(id: UUID(), name: "Vis")
    let part = Waypoint(id: UUID(), tripID: other.id, name: "Komiža", authorID: user)
    try await journey.store.write { writer in
      try other.insert(writer)
      try part.insert(writer)
    }
    var change = try #require(try await pending().first)
    #expect(try await pending().count == 1)
    #expect(change.id == "trips-\(other.id)" && change.action == .added && change.partCount == 1)
    #expect(!change.isBeingSent && change.date == Date(timeIntervalSince1970: 1_000))
    #expect(try await journey.store.status().first()?.pendingCount == 1)
    try await journey.run("DELETE FROM _outbox")
    try await journey.run("DELETE FROM trips WHERE id = \(other.id)")
    change = try #require(try await pending().first)
    #expect(change.action == .removed && change.partCount == 1 && change.row.title == "Vis")
  }

  @Test func `The status tells that all pending changes wait for a role`() async throws {
    let replica = journey.store.replica
    func waits() async throws -> Bool? { try await journey.store.status().first()?.waitsForGrant }
    func seal() async throws {
      try await journey.store.write { _ = try replica.outbox.seal($0, at: 1_000_000) { UUID() } }
    }
    #expect(try await waits() == false)
    try await journey.store.write { [user] in
      try Note(id: UUID(), ownerID: user, title: "Fuel").insert($0)
    }
    #expect(try await waits() == false)
    try await seal()
    #expect(try await waits() == true)
    // The scope of a trip may be claimed, so this change can be sent.
    try await journey.store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    try await seal()
    #expect(try await waits() == false)
    try await journey.run("DELETE FROM _batch WHERE scope LIKE 'trip/%'")
    #expect(try await waits() == true)
    try await journey.run("UPDATE _cursor SET role = 1")
    #expect(try await waits() == false)
  }

  @Test func `Cancelling an added row cancels its parts`() async throws {
    let other = Trip(id: UUID(), name: "Vis")
    let part = Waypoint(id: UUID(), tripID: other.id, name: "Komiža", authorID: user)
    try await journey.store.write { writer in
      try other.insert(writer)
      try part.insert(writer)
    }
    let change = try #require(try await pending().first)
    #expect(try await changes.cancel(change.id))
    #expect(try await pending().isEmpty)
    #expect(try await journey.texts("SELECT name FROM trips") == ["Kornati"])
    #expect(try await !changes.cancel(change.id), "there is none any more")
  }

  @Test func `Cancelling a deletion restores the parts, and earlier edits are pending again`()
    async throws
  {
    try await journey.store.write { [waypoint] in try waypoint.insert($0) }
    try await journey.run("DELETE FROM _outbox")
    try await journey.run("UPDATE trips SET name = 'Lastovo'")
    try await journey.run("DELETE FROM trips")
    let deletion = try #require(try await pending().first)
    #expect(deletion.action == .removed && deletion.partCount == 1)
    #expect(try await changes.cancel(deletion.id))
    #expect(try await journey.texts("SELECT name FROM waypoints") == ["Žut"])
    let edit = try #require(try await pending().first)
    #expect(edit.action == .changed && edit.row.title == "Lastovo")
    #expect(try await changes.cancel(edit.id))
    #expect(try await journey.texts("SELECT name FROM trips") == ["Kornati"])
  }

  @Test func `A sealed change, or one that others depend on, cannot be cancelled`()
    async throws
  {
    try await journey.store.write { [waypoint] in try waypoint.insert($0) }
    let captured = try #require(try await pending().first)
    _ = try await journey.store.write { [replica = journey.store.replica] in
      try replica.outbox.seal($0, at: 1_000_000) { UUID() }
    }
    let sealed = try #require(try await pending().first)
    #expect(sealed.isBeingSent && sealed.id == "waypoints-\(waypoint.id)-sealed")
    #expect(try await !changes.cancel(sealed.id))
    #expect(try await !changes.cancel(captured.id))
    // A later change of the same row depends on the deletion.
    try await journey.run("DELETE FROM trips")
    let deletion = try #require(try await pending().first { $0.action == .removed })
    try await journey.store.write { [trip] in try trip.insert($0) }
    #expect(try await !changes.cancel(deletion.id))
  }

  @Test func `A long list has the oldest changes and the number of the others`() async throws {
    try await journey.store.write { [user] writer in
      for number in 1...103 {
        try Note(id: UUID(), ownerID: user, title: "\(number)").insert(writer)
      }
    }
    let pending = try await changes.pending().first()
    #expect(pending?.listed.count == 100 && pending?.moreCount == 3)
    #expect(try await journey.store.status().first()?.pendingCount == 103)
  }

  // MARK: - Refused changes

  /// Records a change of the trip's name as refused by a server.
  private func refuse(_ code: Rejection.Code, _ id: UUID, op: Bool = true) async throws {
    let row = RowID(table: "trips", id: id.uuidString)
    let edit = Op(
      .patch, row, fields: ["name": "Lastovo"],
      stamp: Stamp(milliseconds: 1, device: DeviceID(UUID())))
    try await journey.run(
      """
      INSERT INTO _dead (at, tbl, id, scope, code, message, op) VALUES (
        2000, \(row.table), \(row.id), \("trip/\(row.id)"), \(code.rawValue), 'No.',
        \(op ? Data(edit.encoded()) : nil))
      """)
  }

  private func refused() async throws -> [RefusedChange] {
    try #require(try await changes.refused().first())
  }

  @Test func `A refused change has a row and a reason, and is retried or discarded`() async throws {
    try await refuse(.forbidden, trip.id)
    let change = try #require(try await refused().first)
    #expect(change.row == RowName(table: "trips", title: "Kornati"))
    #expect(change.reason == .forbidden && change.date == Date(timeIntervalSince1970: 2))
    #expect(try await journey.store.status().first()?.refusedCount == 1)
    #expect(change.canRetry)
    #expect(try await changes.retry(change.id))
    #expect(try await journey.texts("SELECT name FROM trips") == ["Lastovo"])
    #expect(try await refused().isEmpty)
    try await refuse(.init(rawValue: "strange"), trip.id, op: false)
    let strange = try #require(try await refused().first)
    #expect(strange.reason == .other("No.") && !strange.canRetry)
    #expect(try await !changes.retry(strange.id))
    try await changes.discard(strange.id)
    #expect(try await refused().isEmpty)
  }

  @Test func `A change of a deleted row cannot be retried`() async throws {
    try await refuse(.gone, UUID())
    let change = try #require(try await refused().first)
    #expect(change.row.title == "Lastovo", "the name that the edit gave it")
    #expect(try await !changes.retry(change.id))
  }

  @Test(arguments: [
    (Rejection.Code.gone, RefusedChange.Reason.gone), (.missingReference, .missingReference),
    (.forbidden, .forbidden), (.tooLarge, .tooLarge), (.dependency, .dependency),
    (.limitReached, .limitReached), (.init(rawValue: "collision"), .collision),
    (.init(rawValue: "lostByRestore"), .lostByRestore),
  ])
  func `Each of the server's reasons has a case`(
    code: Rejection.Code, reason: RefusedChange.Reason
  ) async throws {
    try await refuse(code, trip.id)
    #expect(try await refused().map(\.reason) == [reason])
    let lost = try await journey.store.status().first()?.lostByRestoreCount
    #expect(lost == (reason == .lostByRestore ? 1 : 0))
  }

  // MARK: - Without an account

  @Test func `Without an account nothing is pending, and nothing can be cancelled`() async throws {
    let local = try Journey()
    try await local.store.write { [trip] in try trip.insert($0) }
    #expect(try await local.store.changes.pending().first() == PendingChanges())
    #expect(try await local.store.changes.refused().first() == [])
    #expect(try await !local.store.changes.cancel("trips-\(trip.id)"))
    #expect(try await local.store.status().first() == SyncedStore.Status())
  }
}
