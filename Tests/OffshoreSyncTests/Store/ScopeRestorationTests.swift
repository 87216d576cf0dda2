import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// A scope that another device deleted is restored by a member who may not write all its rows.
struct ScopeRestorationTests {
  private let trip = Trip(id: UUID(), name: "Kornati")
  private let deck: Deck

  private var scope: ScopeID {
    get throws { try ScopeID(kind: "trip", value: trip.id.uuidString) }
  }

  init() throws { deck = Deck() }

  /// Lets one account make the trip, and lets another one edit it.
  private func travel(
    rootWriters: SyncWriters<Trip> = .members
  ) async throws -> (owner: Traveller, editor: Traveller) {
    let schema = StoreSchema(
      migrations: [
        Migration("v1_createAll") { writer in
          try writer.create(Trip.table)
          try writer.create(Remark.table)
          try writer.create(Like.table)
        }
      ],
      sync: try SyncSchema(
        version: 1,
        SyncTable(
          Trip.self, scope: .kind("trip", \.id), title: \.name, writers: rootWriters),
        SyncTable(
          Remark.self, scope: .kind("trip", \.tripID), title: \.text, writers: .author(\.authorID)),
        SyncTable(Like.self, scope: .kind("trip", \.tripID)), claimableKinds: ["trip"]))
    let owner = try await Traveller(1, schema, deck)
    let editor = try await Traveller(2, schema, deck)
    try await owner.store.write { [trip] in try trip.insert($0) }
    try await owner.sync()
    deck.copy = deck.server
    try deck.server.grant(.editor, to: editor.account, in: scope)
    try await editor.sync()
    return (owner, editor)
  }

  /// Stores a refused insertion.
  private func refuse(
    _ table: String, _ fields: [String: WireValue], on traveller: Traveller
  ) async throws {
    let row = RowID(table: table, id: UUID().uuidString)
    let fields = fields.merging(["tripID": WireValue(trip.id.uuidString)]) { $1 }
    let op = Op(
      .put, row, fields: fields, stamp: Stamp(milliseconds: 1, device: DeviceID(UUID())))
    try await refuse(op, on: traveller)
  }

  /// Stores a refused edit.
  private func refuse(_ op: Op, on traveller: Traveller) async throws {
    let scope = try scope
    try await traveller.store.write { writer in
      try StoredRefusal(
        date: 1, tableName: op.row.table, id: op.row.id, scope: scope, code: "forbidden",
        message: "No.", op: op
      ).insert(writer)
    }
  }

  @Test func `The rows and changes that the account may write are restored`() async throws {
    let (owner, editor) = try await travel()
    let others = Remark(on: trip, by: owner, "Wind")
    try await owner.store.write { try others.insert($0) }
    try await owner.sync()
    try await editor.sync()
    let own = Remark(on: trip, by: editor, "Sun")
    let reply = Remark(on: trip, by: editor, "Gusts", replyTo: others)
    let likes = [Like(own), Like(others)]
    try await editor.store.write { writer in
      try own.insert(writer)
      try reply.insert(writer)
      for like in likes { try like.insert(writer) }
    }
    for traveller in [editor, owner] { try await traveller.sync() }
    try await refuse(
      "remarks", ["authorID": WireValue(owner.id.uuidString), "text": "Rain", "replyTo": .null],
      on: editor)
    try await refuse("likes", ["remarkID": WireValue(others.id.uuidString)], on: editor)
    try await refuse(
      "remarks", ["authorID": WireValue(editor.id.uuidString), "text": "Calm", "replyTo": .null],
      on: editor)
    try await owner.store.write { try SQL("DELETE FROM trips").run($0) }
    for traveller in [owner, editor] { try await traveller.sync() }
    #expect(try await editor.rows() == [])
    #expect(try await editor.refused().allSatisfy { $0.end?.isRestorable == true })
    #expect(try await editor.store.changes.restore(scope))
    let restored = ["Calm -", "Gusts -", "Kornati", "Sun -", "like of Sun"]
    #expect(try await editor.rows() == restored)
    #expect(try await editor.refused().map(\.row.table).sorted() == ["likes", "remarks"])
    for traveller in [editor, owner] { try await traveller.sync() }
    for traveller in [owner, editor] { #expect(try await traveller.rows() == restored) }
    #expect(try await editor.refused().count == 2)
    #expect(try await owner.refused().isEmpty)
  }

  @Test func `Refused edits of restored rows are made again in their order`() async throws {
    let (owner, editor) = try await travel()
    let remarks = ["Sun", "Wind"].map { Remark(on: trip, by: editor, $0) }
    try await editor.store.write { writer in
      for remark in remarks { try remark.insert(writer) }
    }
    for traveller in [editor, owner] { try await traveller.sync() }
    // The later edit was refused first.
    let edits: [(text: WireValue, time: Int64)] = [("Moon", 3_000_000), ("Rain", 2_000_000)]
    for (text, time) in edits {
      try await refuse(
        Op(
          .patch, RowID(table: "remarks", id: remarks[0].id.uuidString), fields: ["text": text],
          stamp: Stamp(milliseconds: time, device: DeviceID(UUID()))),
        on: editor)
    }
    try await owner.store.write { try SQL("DELETE FROM trips").run($0) }
    for traveller in [owner, editor] { try await traveller.sync() }
    #expect(try await editor.store.changes.restore(scope))
    for traveller in [editor, owner] { try await traveller.sync() }
    for traveller in [owner, editor] {
      #expect(try await traveller.rows() == ["Kornati", "Moon -", "Wind -"])
    }
    #expect(try await editor.refused().isEmpty)
  }

  @Test func `A scope that the account may only read by now cannot be restored`() async throws {
    let (owner, editor) = try await travel()
    try await refuse("likes", ["remarkID": WireValue(UUID().uuidString)], on: editor)
    try await owner.store.write { try SQL("DELETE FROM trips").run($0) }
    for traveller in [owner, editor] { try await traveller.sync() }
    #expect(try await editor.refused().map(\.end?.isRestorable) == [true])
    try deck.server.grant(.viewer, to: editor.account, in: scope)
    try await editor.sync()
    #expect(try await editor.refused().map(\.end?.isRestorable) == [false])
  }

  @Test(arguments: [false, true])
  func `The rows of a deleted scope are removed with the access, unless restored data lacks it`(
    isRestored: Bool
  ) async throws {
    let (owner, editor) = try await travel()
    try await refuse("likes", ["remarkID": WireValue(UUID().uuidString)], on: editor)
    try await owner.store.write { try SQL("DELETE FROM trips").run($0) }
    for traveller in [owner, editor] { try await traveller.sync() }
    let scope = try scope
    let former = try await editor.store.read { try FormerScopes.rows(of: scope, $0) != nil }
    #expect(former)
    if isRestored {
      deck.server = deck.copy
      try deck.server.beginEpoch(2)
    } else {
      try deck.server.grant(.revoked, to: editor.account, in: scope)
    }
    try await editor.sync()
    let (role, isStored) = try await editor.store.read { [replica = editor.store.replica] reader in
      (try replica.role(in: scope, reader), try FormerScopes.rows(of: scope, reader) != nil)
    }
    #expect(role == .revoked)
    #expect(isStored == isRestored)
  }

  @Test func `A scope whose root row others write cannot be restored`() async throws {
    let (owner, editor) = try await travel(rootWriters: .owners)
    try await refuse("likes", ["remarkID": WireValue(UUID().uuidString)], on: editor)
    try await owner.store.write { try SQL("DELETE FROM trips").run($0) }
    for traveller in [owner, editor] { try await traveller.sync() }
    #expect(try await editor.refused().map(\.end?.isRestorable) == [false])
    let error = await #expect(throws: ReplicaError.self) {
      try await editor.store.changes.restore(scope)
    }
    #expect(error?.code == .forbidden)
    #expect(try await editor.rows() == [])
  }
}

/// The server of the travellers.
private final class Deck {
  var server = MemoryState(epoch: 1)
  /// The server's data from before the second account was a member.
  var copy = MemoryState(epoch: 1)
  var now: Int64 = 1_000_000
}

/// An account with a store, which syncs with the server.
private struct Traveller {
  let id: UUID
  let store: SyncedStore
  private let deck: Deck
  private let push: PushRules

  var account: AccountID { AccountID(id) }

  init(_ number: Int, _ schema: StoreSchema, _ deck: Deck) async throws {
    self.deck = deck
    id = Ship.uuid(2, number)
    var environment = SyncedStore.Environment()
    environment.now = { Date(timeIntervalSince1970: 1_000) }
    store = try .temporary(schema: schema, environment: environment)
    push = try PushRules(store.replica.schema.manifest)
    try await store.link(LinkedAccount(id: id, name: "person-\(number)"), token: nil)
  }

  /// Pushes and pulls until there is nothing more.
  func sync() async throws {
    var isDone = false
    while !isDone {
      deck.now += 1
      let now = deck.now
      let times = RequestTimes(sent: now, received: now)
      let request = try await store.write { [replica = store.replica] in
        try replica.nextPush($0, at: now, makeID: UUID.init)
      }
      if let request {
        let answer = try push.apply(request, of: account, at: now, to: &deck.server)
        _ = try await store.write { [replica = store.replica] in
          try replica.apply(
            answer, to: request, at: times, $0, newDevice: { DeviceID(UUID()) }, makeID: UUID.init)
        }
      }
      let pull = try await store.read { [replica = store.replica] in
        try replica.nextPull($0, limit: 100)
      }
      let page = try PullRules(.none).answer(pull, of: account, at: now, from: deck.server)
      let report = try await store.write { [replica = store.replica] in
        try replica.apply(page, to: pull, at: times, $0, makeID: UUID.init)
      }
      isDone = request == nil && !report.hasMore && !report.needsPush
    }
  }

  /// The names of all rows.
  func rows() async throws -> [String] {
    try await store.read {
      try SQL(
        """
        SELECT name FROM trips
        UNION ALL SELECT r.text || ' ' || coalesce(a.text, '-')
          FROM remarks r LEFT JOIN remarks a ON a.id = r.replyTo
        UNION ALL SELECT 'like of ' || r.text FROM likes JOIN remarks r ON r.id = remarkID ORDER BY 1
        """
      ).all($0, as: String.self)
    }
  }

  func refused() async throws -> [RefusedChange] {
    try await store.read { [store] in try store.changes.refused($0) }
  }
}

/// A row that its author writes.
private struct Remark: Record, Identifiable {
  let id: UUID
  let tripID: UUID
  let authorID: UUID
  let text: String
  let replyTo: UUID?

  init(id: UUID, tripID: UUID, authorID: UUID, text: String, replyTo: UUID?) {
    (self.id, self.tripID, self.authorID) = (id, tripID, authorID)
    (self.text, self.replyTo) = (text, replyTo)
  }

  init(on trip: Trip, by author: Traveller, _ text: String, replyTo: Remark? = nil) {
    self.init(
      id: UUID(), tripID: trip.id, authorID: author.id, text: text, replyTo: replyTo?.id)
  }

  static let table = Table(
    "remarks", Remark.init(id:tripID:authorID:text:replyTo:), Column("id", \.id).primaryKey(),
    Column("tripID", \.tripID).references("trips", column: "id", onDelete: .cascade),
    Column("authorID", \.authorID), Column("text", \.text),
    Column("replyTo", \.replyTo).references("remarks", column: "id", onDelete: .setNull))
}

/// A row of any member that needs a remark.
private struct Like: Record, Identifiable {
  let id: UUID
  let tripID: UUID
  let remarkID: UUID

  init(id: UUID, tripID: UUID, remarkID: UUID) {
    (self.id, self.tripID, self.remarkID) = (id, tripID, remarkID)
  }

  init(_ remark: Remark) { self.init(id: UUID(), tripID: remark.tripID, remarkID: remark.id) }

  static let table = Table(
    "likes", Like.init(id:tripID:remarkID:), Column("id", \.id).primaryKey(),
    Column("tripID", \.tripID).references("trips", column: "id", onDelete: .cascade),
    Column("remarkID", \.remarkID).references("remarks", column: "id", onDelete: .cascade))
}
