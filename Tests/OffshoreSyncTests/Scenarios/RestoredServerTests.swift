import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// A server whose data is restored from a copy, under devices that have seen more.
struct RestoredServerTests: RestoredHarbour {
  let harbour: Harbour
  let copy: MemoryState

  init() throws { (harbour, copy) = try Self.makeCopy() }

  /// Lets all four devices insert, edit and delete rows, count, change keys and make scopes.
  private func sailForADay() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't1'")
    try cat.run(Self.task("t3", "Oars"))
    try dan.run("UPDATE tasks SET items = '{\"a\":1,\"b\":2}' WHERE id = 't1'")
    try harbour.settle()
    try dan.run("UPDATE tasks SET note = 'Dry' WHERE id = 't2'")
    try ben.run("UPDATE tasks SET items = '{\"a\":5,\"c\":3}' WHERE id = 't1'")
    for ship in harbour.ships { try vote(ship) }
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')", Self.task("t4", "Flag", in: "c2"))
    try dan.run("INSERT INTO charters VALUES ('c3', 'Mira')", Self.task("t6", "Bell", in: "c3"))
    try cat.run("DELETE FROM tasks WHERE id = 't3'")
    try cat.run(Self.task("t5", "Knots"))
    try dan.run(Self.task("t7", "Lamp"))
    try harbour.settle()
    // Not sent before the restore.
    try ben.run("UPDATE tasks SET note = 'Wet' WHERE id = 't5'")
    try vote(dan, 2, "t7")
  }

  @Test func `All changes of four devices since the copy are on the server again, and count once`()
    throws
  {
    try sailForADay()
    let before = try harbour.ships.map { try $0.content() }
    try restore()
    try harbour.settle()
    let after = try harbour.ships.map { try $0.content() }
    #expect(after[0].contains { $0.contains("'t5'") && $0.contains("'Wet'") })
    #expect(
      try harbour.titles() == ["t1": "Lines", "t2": "Ropes", "t5": "Knots", "t7": "Lamp"])
    #expect(try harbour.titles("c2") == ["t4": "Flag"] && harbour.titles("c3") == ["t6": "Bell"])
    #expect(try votes() == .integer(4) && votes("t7") == .integer(2))
    #expect(try cat.device.texts("SELECT items FROM tasks WHERE id = 't1'") == [#"{"a":5,"c":3}"#])
    for (before, after) in zip(before, after) { #expect(before.count == after.count) }
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }

  @Test func `While one of four devices is away, each row is on the server or listed`() throws {
    try sailForADay()
    let before = try [anna, ben, cat].map { try $0.titles().keys.sorted() }
    try restore()
    try settle(anna, ben, cat)
    let onServer = Set(try harbour.titles().keys).union(try harbour.titles("c2").keys)
    #expect(onServer == ["t1", "t2", "t4", "t5"])
    for (ship, rows) in zip([anna, ben, cat], before) {
      let listed = Set(try ship.dead())
      for row in rows where !onServer.contains(row) {
        #expect(listed.contains("tasks/\(row) lostByRestore"))
      }
      #expect(listed == Set(["t2", "t7"].map { "tasks/\($0) lostByRestore" }), "Dan's")
      #expect(try ship.device.texts("SELECT note FROM tasks WHERE id = 't5'") == ["Wet"])
    }
    #expect(try lostCounts(anna, ben, cat) == [2, 2, 2])
    try harbour.settle()
    #expect(
      try harbour.titles() == ["t1": "Lines", "t2": "Ropes", "t5": "Knots", "t7": "Lamp"])
    #expect(try harbour.titles("c3") == ["t6": "Bell"] && votes() == .integer(4))
    #expect(try anna.device.texts("SELECT note FROM tasks WHERE id = 't2'") == ["Dry"])
    #expect(try lostCounts(anna, ben, cat, dan) == [0, 0, 0, 0])
  }

  @Test func `Increments count once, though one device has not pulled the other's`() throws {
    try vote(anna)
    try anna.push()
    try anna.pullAll()
    try vote(ben, 10)
    try ben.push()
    try ben.pullAll()
    try restore()
    try anna.pullAll()
    try ben.pullAll()
    try harbour.settle()
    #expect(try votes() == .integer(11))
    #expect(try ben.device.number("SELECT votes FROM tasks") == 11)
  }

  @Test func `A device that is away leaves its rows to the others, who may insert them again`()
    throws
  {
    try ben.run(Self.task("t2", "Ropes"))
    try vote(ben, 3, "t2")
    try harbour.settle()
    try restore()
    try settle(anna, cat, dan)
    #expect(try harbour.titles() == ["t1": "Sails"])
    #expect(try lostCounts(anna, cat, dan) == [1, 1, 1])
    #expect(try anna.dead() == ["tasks/t2 lostByRestore"])
    #expect(try retry(anna) == [true])
    try settle(anna, cat, dan)
    #expect(try lostCounts(anna, cat, dan) == [0, 0, 0])
    #expect(try cat.titles() == ["t1": "Sails", "t2": "Ropes"])
    // Two persons insert it, one of them late, and then its author is back.
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
    #expect(try votes("t2") == .integer(3))
  }

  @Test func `Two devices that insert a lost row at the same time make one row`() throws {
    try ben.run(Self.task("t2", "Ropes"))
    try vote(ben, 3, "t2")
    try harbour.settle()
    try restore()
    for ship in [anna, cat] {
      try ship.pullAll()
      #expect(try retry(ship) == [true])
    }
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
    #expect(try votes("t2") == .integer(3))
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `A lost edit of a device that is away is listed on the others, and can be made again`()
    throws
  {
    try ben.run("UPDATE tasks SET title = 'Lines', note = 'Dry'")
    try vote(ben)
    try harbour.settle()
    try restore()
    try harbour.ships[3].run("UPDATE tasks SET note = 'Wet'")
    try settle(anna, dan)
    #expect(try anna.titles() == ["t1": "Sails"])
    #expect(try anna.dead() == ["tasks/t1 lostByRestore"])
    #expect(try retry(anna) == [true])
    try settle(anna, dan)
    // Edits since the restore stay, and increments are left to their author.
    #expect(try dan.device.texts("SELECT title || note || votes FROM tasks") == ["LinesWet0"])
    try harbour.settle()
    #expect(try votes() == .integer(1))
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `Edits of a lost row are made again once the row's author has sent it again`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    try vote(ben, 2, "t2")
    try harbour.settle()
    try restore()
    try settle(ben, cat)
    #expect(try Set(ben.dead()) == ["tasks/t2 lostByRestore"])
    #expect(try harbour.titles() == ["t1": "Sails"])
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Lines"])
    #expect(try votes("t2") == .integer(2))
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `The answer to an early edit of a lost row may arrive after the row`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    try harbour.settle()
    try restore()
    try ben.pullAll()
    let early = try #require(try ben.nextPush())
    let refusal = try harbour.answer(early, of: ben.account)
    try settle(anna)
    try ben.pullAll()
    _ = try ben.take(refusal, to: early)
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Lines"])
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `An edit of a lost row that is made again does not replace a later pending one`()
    throws
  {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    try ben.push()
    try harbour.settle()
    try restore()
    try ben.pullAll()
    let early = try #require(try ben.nextPush())
    let refusal = try harbour.answer(early, of: ben.account)
    try settle(anna)
    try ben.pullAll()
    try ben.run("UPDATE tasks SET title = 'Cords' WHERE id = 't2'")
    _ = try ben.take(refusal, to: early)
    #expect(try ben.titles()["t2"] == "Cords")
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Cords"])
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `A row that was deleted since the copy is deleted again`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    try cat.run("DELETE FROM tasks WHERE id = 't2'")
    try restore()
    try settle(ben, cat)
    #expect(try cat.dead() == ["tasks/t2 lostByRestore"], "the row may still come back")
    #expect(try Set(ben.dead()) == ["tasks/t2 lostByRestore"])
    try dan.pullAll()
    #expect(try dan.dead() == ["tasks/t2 lostByRestore"])
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails"])
    for ship in harbour.ships { #expect(try ship.titles() == ["t1": "Sails"] && ship.dead() == []) }
  }

  @Test func `A deletion that the copy has does not bring the row back, without a tombstone`()
    throws
  {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try anna.run("DELETE FROM tasks WHERE id = 't2'")
    try anna.push()
    try harbour.collect()
    try harbour.server.beginEpoch(2)
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails"] && anna.titles() == ["t1": "Sails"])
    #expect(try anna.dead() == [])
  }

  /// Lets a device make a scope that the copy lacks, and share it with another one.
  private func shareScope() throws {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')", Self.task("t4", "Flag", in: "c2"))
    try harbour.settle()
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
  }

  @Test func `Members send their increments again once they have a role again`() throws {
    try shareScope()
    try vote(ben, 2, "t4")
    try ben.push()
    try restore()
    try settle(ben, anna)
    let row = RowID(table: "tasks", id: "t4")
    let scope = try ScopeID("charter/c2")
    #expect(harbour.server.row(row, in: scope)?.state.fields["votes"] == .integer(0))
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    #expect(harbour.server.row(row, in: scope)?.state.fields["votes"] == .integer(2))
    #expect(try ben.device.number("SELECT votes FROM tasks WHERE id = 't4'") == 2)
  }

  @Test func `A counter that a lost row was inserted with counts once`() throws {
    try ben.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t2', 'c1', 'Ropes', 3)")
    try harbour.settle()
    try restore()
    try settle(anna)
    #expect(try retry(anna) == [true])
    try harbour.settle()
    #expect(try votes("t2") == .integer(3))
  }

  @Test func `A lost row whose batch is not stored any more is inserted again by its author`()
    throws
  {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')", Self.task("t4", "Flag", in: "c2"))
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try anna.run("UPDATE _sent SET bytes = 0, parts = x'', content = x''")
    try restore()
    try settle(anna, ben)
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
    #expect(try harbour.titles("c2") == ["t4": "Flag"])
    #expect(try anna.dead() == [] && ben.dead() == [])
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Ropes"])
  }

  @Test func `A file of a former version inserts its lost rows again`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try anna.run("DROP TABLE _sent")
    try anna.device.connection.write {
      try anna.replica.outbox.install($0, device: DeviceID(Ship.uuid(1, 1)))
    }
    try restore()
    try settle(anna, ben)
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
  }

  @Test func `Batches are stored for 30 days, and lost rows are inserted again later, too`() throws
  {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    harbour.now += 31 * 86_400_000
    for _ in 1...17 {
      try vote(anna)
      try harbour.settle()
    }
    #expect(try anna.device.number("SELECT count(*) FROM _sent WHERE bytes = 0") == 1)
    #expect(try anna.device.number("SELECT count(*) FROM _sent WHERE bytes > 0") >= 16)
    try restore()
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
    #expect(try votes() == .integer(17))
  }

  @Test func `A batch with a wrong time does not take those before it along`() throws {
    harbour.now += 31 * 86_400_000
    for number in 1...33 {
      try vote(anna)
      try harbour.settle()
      guard number == 15 else { continue }
      try anna.run("UPDATE _sent SET at = 0 WHERE k = (SELECT max(k) FROM _sent)")
    }
    #expect(try anna.device.number("SELECT count(*) FROM _sent WHERE bytes > 0") == 33)
    try restore()
    try harbour.settle()
    #expect(try votes() == .integer(33))
  }

  @Test func `A row that another device has deleted since does not come back without a tombstone`()
    throws
  {
    try anna.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try deleteWithoutTombstone()
    #expect(try harbour.titles() == ["t1": "Sails"])
    #expect(try anna.titles() == ["t1": "Sails"] && anna.dead() == [])
  }

  @Test func `The rows of a scope that is not granted any more are kept, and listed`() throws {
    try shareScope()
    try ben.run(Self.task("t6", "Bell", in: "c2"))
    try harbour.settle()
    try restore()
    try settle(ben)
    #expect(try ben.titles() == ["t1": "Sails"])
    #expect(
      try ben.dead() == [
        "charters/c2 lostByRestore", "tasks/t4 lostByRestore", "tasks/t6 lostByRestore",
      ])
    // The owner claims the scope again, and lets the other in.
    try settle(anna)
    #expect(try harbour.titles("c2") == ["t4": "Flag"])
    #expect(try anna.dead() == ["tasks/t6 lostByRestore"])
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.settle()
    #expect(try harbour.titles("c2") == ["t4": "Flag", "t6": "Bell"])
    #expect(try anna.dead() == [] && ben.dead() == [])
  }

  @Test func `The roles of the copy arrive with the first pull after the restore`() throws {
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.pullAll()
    #expect(try ben.device.number("SELECT role FROM _cursor WHERE scope = 'charter/c1'") == 3)
    try restore()
    try ben.pullAll()
    #expect(try ben.device.number("SELECT role FROM _cursor WHERE scope = 'charter/c1'") == 2)
  }

  @Test func `A lost row that is discarded does not come back`() throws {
    try ben.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    try restore()
    try settle(anna)
    try anna.device.connection.write { writer in
      for letter in try anna.replica.deadLetters(writer) {
        #expect(try anna.replica.discard(letter.id, writer))
      }
    }
    try settle(anna)
    #expect(try harbour.titles() == ["t1": "Sails"] && anna.dead() == [])
  }

  @Test func `The oldest batches beyond 16 MiB are not stored`() throws {
    for number in 1...33 {
      try anna.run("UPDATE tasks SET note = \(String(repeating: "\(number % 10)", count: 1 << 20))")
      try anna.push()
      try anna.pullAll()
    }
    let bytes = try anna.device.number("SELECT sum(length(content)) FROM _sent")
    #expect(bytes <= SentBatches.mostBytes * 5 / 4 && bytes >= SentBatches.mostBytes / 2)
    try restore()
    try harbour.settle()
    #expect(try ben.device.texts("SELECT substr(note, 1, 2) FROM tasks") == ["33"])
  }
}
