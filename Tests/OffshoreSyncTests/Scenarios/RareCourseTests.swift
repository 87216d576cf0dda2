import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Rare sequences of events.
struct RareCourseTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try .withTwoCharters()
  }

  @Test func `A batch that a pull seals uses up its number`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't-c1'")
    try ben.pullAll()
    let first = try #require(try ben.nextPush()?.batches.first)
    try ben.push()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't-c1'")
    let second = try #require(try ben.nextPush()?.batches.first)
    #expect(second.number == first.number + 1)
  }

  @Test func `An applied batch is not pending after its scope was revoked`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't-c1'")
    try ben.push()
    try harbour.grant(.revoked, to: ben, "c1")
    try ben.pullAll()
    #expect(try ben.isSettled())
    #expect(try ben.titles() == ["t-c2": "Sails"])
  }

  @Test func `A batch answered after its scope was revoked is not pending`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't-c1'")
    try ben.push(losingAnswer: true)
    try harbour.grant(.revoked, to: ben, "c1")
    try ben.pullAll()
    try ben.push()
    #expect(try ben.isSettled())
  }

  @Test func `An edit is shown although the change before it is sealed again after it`() throws {
    try anna.run("DELETE FROM charters WHERE id = 'c1'")
    try anna.push()
    try ben.run("INSERT INTO tasks (id, charterID, title, votes) VALUES ('t9', 'c1', 'Ropes', 0)")
    let request = try #require(try ben.nextPush())
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't9'")
    _ = try ben.take(try harbour.answer(request, of: ben.account), to: request)
    #expect(try ben.titles()["t9"] == "Lines")
  }

  @Test func `Rows deleted together stay deleted although their tombstones were removed`() throws {
    try anna.run("INSERT INTO tasks (id, charterID, title, votes) VALUES ('t9', 'c1', 'Ropes', 0)")
    try harbour.settle()
    try anna.run("DELETE FROM tasks WHERE charterID = 'c1'")
    try anna.push()
    try harbour.collect("c1")
    try ben.run("DELETE FROM tasks WHERE charterID = 'c1'")
    for _ in 0..<4 {
      guard try ben.push() != nil else { break }
      #expect(try ben.titles() == ["t-c2": "Sails"])
    }
    try harbour.settle()
    #expect(try ben.titles() == ["t-c2": "Sails"])
    #expect(try ben.isSettled())
  }

  @Test func `A row appears in its next life if the same pull has its deletion`() throws {
    try anna.run(
      "DELETE FROM tasks WHERE id = 't-c1'",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t8', 'c1', 'Ropes', 0)")
    try anna.push()
    try ben.pull(limit: 1)
    try anna.run("INSERT INTO tasks (id, charterID, title, votes) VALUES ('t-c1', 'c1', 'Oars', 0)")
    try anna.push()
    try ben.pullAll(limit: 1)
    #expect(try ben.titles() == ["t-c1": "Oars", "t-c2": "Sails", "t8": "Ropes"])
  }

  @Test func `A grant that a restored server has again is received`() throws {
    let copy = harbour.server
    try harbour.grant(.revoked, to: ben, "c1")
    try ben.pullAll()
    harbour.server = copy
    try harbour.server.beginEpoch(2)
    try harbour.settle()
    #expect(try ben.titles() == ["t-c1": "Sails", "t-c2": "Sails"])
  }

  @Test func `A change that a restored server lost is sent again before any pull`() throws {
    let fresh = try Harbour(ships: 1)
    let ship = fresh.ships[0]
    // The grants arrive first, without rows.
    try ship.pull()
    let copy = fresh.server
    try ship.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try ship.push()
    fresh.server = copy
    try fresh.server.beginEpoch(2)
    try fresh.settle()
    #expect(try ship.isSettled())
    #expect(
      try fresh.server.row(RowID(table: "charters", id: "c1"), in: ScopeID("charter/c1")) != nil)
  }

  @Test func `A row is found in its new scope when the old one is fetched again`() throws {
    try anna.run("UPDATE tasks SET charterID = 'c2' WHERE id = 't-c1'")
    try anna.push()
    try harbour.collect("c1")
    try ben.pullAll()
    #expect(try ben.titles() == ["t-c1": "Sails", "t-c2": "Sails"])
    #expect(try ben.content() == anna.content())
  }

  @Test func `A copy of a file still shows the changes that only it has written`() throws {
    let copy = try ben.copy(3)
    try harbour.grant(.editor, to: copy, "c2")
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't-c1'")
    try ben.push()
    try copy.run("UPDATE tasks SET title = 'Lines' WHERE id = 't-c1'")
    try copy.pullAll()
    #expect(try copy.titles()["t-c1"] == "Lines")
    try harbour.settle()
    #expect(try copy.content() == anna.content())
  }

  @Test func `A row that moved out of a scope that was left appears in its new one`() throws {
    try harbour.grant(.left, to: ben, "c1")
    try ben.pullAll()
    try anna.run("UPDATE tasks SET charterID = 'c2', title = 'Ropes' WHERE id = 't-c1'")
    try harbour.settle()
    #expect(try ben.titles()["t-c1"] == "Ropes")
  }

  @Test func `Changes applied before a scope was left stay in its copy, and only there`()
    throws
  {
    try anna.run("UPDATE tasks SET charterID = 'c2', title = 'Ropes' WHERE id = 't-c1'")
    try anna.push()
    try ben.run("UPDATE tasks SET charterID = 'c2', title = 'Lines' WHERE id = 't-c1'")
    try ben.run("UPDATE charters SET name = 'Luna' WHERE id = 'c1'")
    try ben.push()
    try harbour.grant(.left, to: ben, "c1")
    try harbour.settle()
    #expect(try ben.titles()["t-c1"] == "Ropes")
    #expect(try ben.device.texts("SELECT name FROM charters WHERE id = 'c1'") == ["Luna"])
    #expect(try ben.isSettled())
  }

  @Test func `Rows that are hidden together come back unchanged`() throws {
    try ben.run("DELETE FROM charters WHERE id = 'c1'")
    _ = try ben.nextPush()
    try anna.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t9', 'c1', 'Knots', 0)")
    try anna.push()
    try ben.pullAll()
    #expect(try ben.titles() == ["t-c2": "Sails"])
    try harbour.grant(.viewer, to: ben, "c1")
    try harbour.settle()
    #expect(try ben.content() == anna.content())
  }
}
