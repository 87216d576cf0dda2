import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// A server and its devices. The test controls each message between them.
final class Harbour {
  var server: MemoryState
  private let push: PushRules
  var pull = PullRules(.none)
  let schema: SyncSchema
  let derivations: [String: Replica.Derivation]
  let attemptLimits: [Rejection.Code: Int]
  /// The number of rows from which the rows of a new scope are shown as they arrive, if it is not the
  /// default.
  let largeScopeRows: Int?
  private(set) var ships: [Ship] = []
  /// The time on the server's clock, in milliseconds since 1970.
  var now: Int64 {
    get { clock.now }
    set { clock.now = newValue }
  }
  let clock = TestClock(1_000_000)

  init(
    ships count: Int = 2, granting scopes: [String] = ["c1"], schema: SyncSchema? = nil,
    creating tables: [SQL] = [Charter.creation, Task.creation],
    derivations: [String: Replica.Derivation] = [:], attemptLimits: [Rejection.Code: Int] = [:],
    largeScopeRows: Int? = nil
  ) throws {
    (self.derivations, self.attemptLimits) = (derivations, attemptLimits)
    self.largeScopeRows = largeScopeRows
    server = MemoryState(epoch: 1)
    self.schema = try schema ?? .fleet()
    push = try PushRules(self.schema.manifest)
    for number in 1...count { ships.append(try Ship(number, in: self, creating: tables)) }
    for scope in scopes {
      for ship in ships { try grant(.editor, to: ship, scope) }
    }
  }

  func add(_ ship: Ship) { ships.append(ship) }

  /// Adds a new device with an empty file, whose account may read the scope.
  func add(_ number: Int) throws -> Ship {
    let ship = try Ship(number, in: self, creating: [Charter.creation, Task.creation])
    add(ship)
    try grant(.viewer, to: ship, "c1")
    return ship
  }

  /// Replaces a ship by another one.
  func replace(_ place: Int, by ship: Ship) { ships[place] = ship }

  func grant(_ role: Role, to ship: Ship, _ charter: String) throws {
    try MemberRows(personalKinds: schema.manifest.personalKinds, at: now)
      .grant(role, to: ship.account, in: ScopeID(kind: "charter", value: charter), on: &server)
  }

  func answer(_ request: PushRequest, of account: AccountID) throws -> PushResponse {
    now += 1
    return try push.apply(request, of: account, at: now, to: &server)
  }

  func answer(_ request: PullRequest, of account: AccountID) throws -> PullResponse {
    now += 1
    return try pull.answer(request, of: account, at: now, from: server)
  }

  /// Lets all devices push and pull until nothing changes.
  func settle(limit: Int = 10) throws {
    for _ in 0..<20 {
      for ship in ships {
        while try ship.push()?.hasMore == true {}
        try ship.pullAll(limit: limit)
      }
      for ship in ships { try ship.pullAll(limit: limit) }
      if try ships.allSatisfy({ try $0.nextPush() == nil }) { return }
    }
    throw ReplicaError(.damaged, "The devices do not come to rest.")
  }

  /// Removes all tombstones of a scope.
  func collect(_ charter: String = "c1") throws {
    let scope = try ScopeID(kind: "charter", value: charter)
    try server.collect(scope, upTo: server.scope(scope).head)
  }

  /// Returns the titles of the server's tasks in a scope, by id.
  func titles(_ charter: String = "c1") throws -> [String: String] {
    let scope = try ScopeID(kind: "charter", value: charter)
    var titles: [String: String] = [:]
    for row in server.rows(in: scope, after: Int64(0), limit: .max)
    where row.row.table == "tasks" && row.state.isLiving {
      titles[row.row.id] = row.state.fields["title"]?.string
    }
    return titles
  }
}

/// Initial states that several suites share.
extension Harbour {
  /// Returns a harbour without charters, whose first account is named anna, and the second one ben.
  static func withAnnaAndBen() throws -> Harbour {
    let harbour = try Harbour(granting: [])
    for (ship, name) in zip(harbour.ships, ["anna", "ben"]) {
      harbour.server.setAccount(
        Account(id: ship.account, name: try AccountName(name), password: .none, created: 0))
    }
    return harbour
  }

  /// Returns a harbour with the charter c1 and its task t1, on both devices.
  static func withTask(
    schema: SyncSchema? = nil, attemptLimits: [Rejection.Code: Int] = [:]
  ) throws -> Harbour {
    let harbour = try Harbour(schema: schema, attemptLimits: attemptLimits)
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run(
      "INSERT INTO charters VALUES ('c1', 'Alma')", Task.insertion("t1", "Sails"))
    try harbour.settle()
    return harbour
  }

  /// Returns a harbour with the charters c1 and c2, with a task each, on both devices.
  static func withTwoCharters() throws -> Harbour {
    let harbour = try Harbour(granting: ["c1", "c2"])
    try harbour.ships[0].pullAll()
    for charter in ["c1", "c2"] {
      try harbour.ships[0].run(
        "INSERT INTO charters VALUES (\(charter), 'Alma')",
        """
        INSERT INTO tasks (id, charterID, title, votes)
        VALUES ('t-' || \(charter), \(charter), 'Sails', 0)
        """)
    }
    try harbour.settle()
    return harbour
  }

  /// Returns a harbour with a charter's leg on both devices.
  static func withLeg() throws -> Harbour {
    let harbour = try Harbour(
      schema: .voyages(), creating: [Leg.creation, Stop.creation, Crew.creation])
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run("INSERT INTO legs VALUES ('l1', 'c1', 'Out')")
    try harbour.settle()
    return harbour
  }
}
