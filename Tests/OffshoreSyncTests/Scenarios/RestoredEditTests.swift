import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Edits and scopes that a restored server lacks, in an order that could mislead a device.
struct RestoredEditTests: RestoredHarbour {
  let harbour: Harbour
  let copy: MemoryState

  init() throws { (harbour, copy) = try Self.makeCopy() }

  @Test func `An own edit is not made again if a later one of a device that is away is listed`()
    throws
  {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    try harbour.settle()
    try cat.run("UPDATE tasks SET title = 'Cords' WHERE id = 't2'")
    try harbour.settle()
    try restore()
    for _ in 0..<2 { try settle(ben, anna, dan) }
    #expect(try harbour.titles()["t2"] == "Ropes")
    for ship in [anna, ben, dan] { #expect(try ship.dead() == ["tasks/t2 lostByRestore"]) }
    #expect(try retry(dan) == [true])
    try settle(dan, anna, ben)
    #expect(try harbour.titles()["t2"] == "Cords")
    try harbour.settle()
    #expect(try harbour.titles()["t2"] == "Cords")
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `An own edit that was not sent before the restore is made again`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    try harbour.settle()
    try cat.run("UPDATE tasks SET title = 'Cords' WHERE id = 't2'")
    try restore()
    try settle(cat, dan)
    #expect(try cat.dead() == ["tasks/t2 lostByRestore", "tasks/t2 lostByRestore"])
    try harbour.settle()
    #expect(try harbour.titles()["t2"] == "Cords")
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `Of own edits that are made again the latest stays, in any order of refusals`() throws
  {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    for title in ["Lines", "Cords"] {
      try ben.run("UPDATE tasks SET title = \(title) WHERE id = 't2'")
      try harbour.settle()
    }
    try restore()
    try settle(ben)
    // Without the row itself, which has the latest title, too.
    try ben.run("DELETE FROM _dead WHERE number = (SELECT min(number) FROM _dead)")
    #expect(try ben.dead() == ["tasks/t2 lostByRestore", "tasks/t2 lostByRestore"])
    try ben.run("UPDATE _dead SET number = -number")
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Cords"])
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test
  func `An own edit does not replace a later one that is not sealed when another is discarded`()
    throws
  {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    _ = try ben.nextPush()
    harbour.now += 10
    try cat.run("UPDATE tasks SET title = 'Cords' WHERE id = 't2'")
    try settle(cat)
    try ben.pullAll()
    try restore()
    try settle(ben, anna)
    let refused = try ben.device.connection.read { try ben.replica.deadLetters($0) }
    let letter = try #require(refused.first { $0.op?.fields["title"] == "Cords" })
    #expect(refused.count == 2)
    try ben.run("UPDATE tasks SET title = 'Knots' WHERE id = 't2'")
    #expect(try ben.device.connection.write { try ben.replica.discard(letter.id, $0) })
    #expect(try ben.titles()["t2"] == "Knots")
    try settle(ben, anna)
    #expect(try retry(ben) == [true])
    try settle(ben, anna)
    #expect(try harbour.titles()["t2"] == "Knots" && ben.dead() == [])
  }

  @Test func `Values of others that the server has lost are removed when access ends`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET note = 'Dry' WHERE id = 't2'")
    try harbour.settle()
    try restore()
    try settle(ben)
    func stored(_ text: String) throws -> Int {
      try ben.device.number(
        "SELECT count(*) FROM _dead WHERE instr(op, CAST(\(text) AS BLOB)) > 0")
    }
    #expect(try stored("Ropes") == 1 && stored("Dry") > 0)
    try harbour.grant(.revoked, to: ben, "c1")
    try ben.pullAll()
    #expect(try stored("Ropes") == 0 && stored("Dry") > 0)
  }

  @Test func `A row that a device has moved is listed until the row's author sends it again`()
    throws
  {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')")
    try harbour.settle()
    let copy = harbour.server
    try dan.run(Self.task("t6", "Bell"))
    try harbour.settle()
    try anna.run("UPDATE tasks SET charterID = 'c2' WHERE id = 't6'")
    try harbour.settle()
    try restore(copy)
    try settle(anna)
    #expect(try anna.dead().contains("tasks/t6 lostByRestore"))
    #expect(try harbour.titles("c2") == [:])
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t6": "Bell"] && harbour.titles() == ["t1": "Sails"])
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `The values of a lost move are made again if another device has moved the row, too`()
    throws
  {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')", Self.task("t6", "Bell"))
    try anna.push()
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    try ben.run("UPDATE tasks SET charterID = 'c2' WHERE id = 't6'")
    try ben.push()
    try harbour.collect()
    let copy = harbour.server
    try anna.run("UPDATE tasks SET charterID = 'c2', title = 'Horn' WHERE id = 't6'")
    try restore(copy)
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t6": "Horn"] && harbour.titles() == ["t1": "Sails"])
    for ship in [anna, ben] { #expect(try ship.dead() == []) }
  }

  @Test func `Batches of a scope wait until the scope is pulled`() throws {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')")
    try harbour.settle()
    let copy = harbour.server
    try anna.run(Self.task("t4", "Flag", in: "c2"))
    try harbour.settle()
    try vote(anna, 2, "t4")
    try harbour.settle()
    try restore(copy)
    // One scope is pulled, as in the first of several rounds.
    let scope = try ScopeID("charter/c1")
    for _ in 0..<3 {
      let request = try anna.device.connection.read {
        try anna.replica.nextPull($0, of: [scope], limit: 10)
      }
      _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    }
    try anna.run("UPDATE tasks SET note = 'Wet' WHERE id = 't4'")
    #expect(try anna.nextPush() == nil)
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t4": "Flag"])
    let row = RowID(table: "tasks", id: "t4")
    let fields = harbour.server.row(row, in: try ScopeID("charter/c2"))?.state.fields
    #expect(fields?["votes"] == .integer(2) && fields?["note"]?.string == "Wet")
    #expect(try anna.dead() == [])
  }

  @Test func `A scope is claimed again if the grant had not arrived before the restore`() throws {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')", Self.task("t4", "Flag", in: "c2"))
    try anna.push()
    try restore()
    try settle(anna)
    #expect(try harbour.titles("c2") == ["t4": "Flag"])
    #expect(try anna.isSettled() && anna.dead() == [])
  }

  @Test func `A deletion that the server has refused as done is not sent again`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    let copy = harbour.server
    try cat.run("DELETE FROM tasks WHERE id = 't2'")
    try ben.run("DELETE FROM tasks WHERE id = 't2'")
    try cat.push()
    try harbour.collect()
    #expect(try ben.push()?.rejected == 1)
    try harbour.settle()
    #expect(try ben.device.number("SELECT count(*) FROM _sent") == 0)
    try restore(copy)
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails"])
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test(arguments: [true, false])
  func `A device with a copy of the author's file lists the rows of the author`(returns: Bool)
    throws
  {
    let twin = try anna.copy(5)
    try anna.run(Self.task("t2", "Ropes"))
    try anna.push()
    try vote(anna, 2, "t2")
    try anna.push()
    try anna.run("UPDATE tasks SET note = 'Dry' WHERE id = 't1'")
    try settle(anna, twin)
    try anna.run(Self.task("t3", "Unseen"))
    try settle(anna)
    try restore()
    try settle(twin)
    #expect(try harbour.titles() == ["t1": "Sails"])
    #expect(try twin.dead() == ["tasks/t1 lostByRestore", "tasks/t2 lostByRestore"])
    if returns {
      try harbour.settle()
      #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes", "t3": "Unseen"])
      #expect(try votes("t2") == .integer(2))
      for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
    } else {
      #expect(try retry(twin) == [true, true])
      try settle(twin)
      #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
      #expect(try twin.device.texts("SELECT note FROM tasks WHERE id = 't1'") == ["Dry"])
    }
  }

  @Test func `Edits of a device with a copy of the file are sent to restored data under a new id`()
    throws
  {
    try vote(anna)
    let twin = try anna.copy(5)
    // The sealed batch has another edit, too.
    try vote(twin, 2)
    _ = try twin.nextPush()
    try restore()
    try settle(anna)
    #expect(try votes() == .integer(1))
    try twin.pullAll()
    let request = try #require(try twin.nextPush())
    #expect(request.device != DeviceID(Ship.uuid(1, 1)))
    try harbour.settle()
    #expect(try votes() == .integer(4), "the server cannot tell that the first vote is the same")
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }

  @Test(arguments: [0, -500_000, 500_000] as [Int64])
  func `A row that others deleted does not come back after its batch was dropped`(
    clockError: Int64
  ) throws {
    anna.clockError = clockError
    try anna.pullAll()
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    harbour.now += SentBatches.lifetime + 1
    for _ in 1...16 {
      try vote(anna)
      try anna.push()
      try anna.pullAll()
    }
    try #expect(anna.device.number("SELECT count(*) FROM _sent WHERE bytes = 0") > 0)
    try settle(ben)
    try deleteWithoutTombstone()
    #expect(try harbour.titles() == ["t1": "Sails"])
    #expect(try anna.titles() == ["t1": "Sails"] && anna.dead() == [])
    let device = try anna.device.connection.read { try anna.replica.device($0) }
    #expect(device == DeviceID(Ship.uuid(1, 1)), "no other device has a copy of the file")
  }

  @Test(arguments: [true, false])
  func `Changes whose effects were not pulled stay if the copy lacks their scope`(areSent: Bool)
    throws
  {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')")
    try harbour.settle()
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    try ben.run(Self.task("t6", "Bell", in: "c2"))
    if areSent { try ben.push() }
    try restore()
    try settle(ben)
    #expect(try ben.dead() == ["charters/c2 lostByRestore", "tasks/t6 lostByRestore"])
    #expect(try harbour.server.grant(of: ben.account, in: ScopeID("charter/c2")) == nil)
    try harbour.settle()
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t6": "Bell"])
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }

  @Test func `A row that was deleted and inserted again comes back with its last values`() throws {
    for ship in [anna, ben] { try harbour.grant(.editor, to: ship, "c2") }
    try harbour.settle()
    let copy = harbour.server
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')")
    try harbour.settle()
    try ben.run(Self.task("t6", "Bell", in: "c2"))
    try settle(ben)
    try ben.run("DELETE FROM tasks WHERE id = 't6'")
    try ben.run(Self.task("t6", "Horn", in: "c2"))
    try settle(ben)
    try restore(copy)
    try settle(ben)
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t6": "Horn"])
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }

  @Test func `A member whose role the copy lacks has its rows listed, and sends again with a role`()
    throws
  {
    for ship in [anna, cat] { try harbour.grant(.editor, to: ship, "c2") }
    try harbour.settle()
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')")
    try harbour.settle()
    let copy = harbour.server
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    try ben.run(Self.task("t6", "Bell", in: "c2"))
    try ben.push()
    try restore(copy)
    try settle(ben)
    #expect(try ben.dead() == ["charters/c2 lostByRestore", "tasks/t6 lostByRestore"])
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t6": "Bell"])
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }

  /// A change of task t4 that was made offline, the last batch of the device that the copy has, and
  /// whether a later change is sent before the scope is pulled.
  struct OfflineChange {
    let sql: SQL
    let lastSent: Int64
    let isFollowed: Bool

    static let all = [
      SQL("UPDATE tasks SET votes = votes + 2 WHERE id = 't4'"),
      "DELETE FROM tasks WHERE id = 't4'", "UPDATE tasks SET charterID = 'c1' WHERE id = 't4'",
    ].flatMap { sql in
      [Int64(0), 1].flatMap { number in
        [false, true].map { OfflineChange(sql: sql, lastSent: number, isFollowed: $0) }
      }
    }
  }

  @Test(arguments: OfflineChange.all)
  func `An offline change in a scope without a role in the copy is sent with the next role`(
    change: OfflineChange
  ) throws {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')", Self.task("t4", "Flag", in: "c2"))
    try harbour.settle()
    if change.lastSent > 0 {
      try harbour.grant(.editor, to: ben, "c2")
      try harbour.settle()
      try ben.run("UPDATE tasks SET note = 'Wet' WHERE id = 't4'")
      try harbour.settle()
      try harbour.grant(.revoked, to: ben, "c2")
      try harbour.settle()
    }
    let copy = harbour.server
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    try ben.run(change.sql)
    let expected = try ben.content()
    try restore(copy)
    try settle(ben)
    #expect(try ben.device.texts("SELECT id FROM charters") == ["c1"])
    try harbour.grant(.editor, to: ben, "c2")
    if change.isFollowed {
      // Only the roles arrive.
      let request = try ben.nextPull()
      _ = try ben.take(try harbour.answer(request, of: ben.account), to: request)
      try ben.run("INSERT INTO charters VALUES ('c2', 'Luna')")
      try ben.push()
    }
    try harbour.settle()
    for ship in [anna, ben] { #expect(try ship.content() == expected) }
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }

  @Test func `A lost deletion does not end the row that was inserted after it`() throws {
    try anna.run(Self.task("t6", "Bell"))
    try harbour.settle()
    try ben.run("DELETE FROM tasks WHERE id = 't6'")
    try settle(ben)
    try ben.run(Self.task("t6", "Horn"))
    try settle(ben)
    try restore()
    try settle(ben)
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t6": "Horn"])
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }
}
