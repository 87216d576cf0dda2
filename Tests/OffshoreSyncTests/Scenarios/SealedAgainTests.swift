import Offshore
import OffshoreSync
import OffshoreWire
import Testing

/// Changes of a refused batch that are sealed again, and arrive after later changes of the device.
struct SealedAgainTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour()
    try anna.pullAll()
    try anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    for id in ["t1", "t2"] {
      try anna.run(
        "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(id), 'c1', 'Sails', 0)")
    }
    try harbour.settle()
  }

  /// Lets one device seal edits of both tasks, of which the server will refuse the second, and then see
  /// the title that the other has given the first one.
  private func sealEdits() throws {
    try anna.run(
      "UPDATE tasks SET title = 'Lines', note = 'Dry', votes = votes + 1 WHERE id = 't1'")
    try anna.run("UPDATE tasks SET title = 'Oars' WHERE id = 't2'")
    _ = try anna.nextPush()
    harbour.now += 1
    try ben.run("DELETE FROM tasks WHERE id = 't2'")
    try ben.run("UPDATE tasks SET title = 'Cords' WHERE id = 't1'")
    try ben.push()
    try harbour.collect()
    try anna.pullAll()
    #expect(try anna.titles()["t1"] == "Cords")
  }

  @Test func `An edit that is sealed again does not replace a later one of the same field`() throws
  {
    try sealEdits()
    try anna.run("UPDATE tasks SET title = 'Knots' WHERE id = 't1'")
    #expect(try anna.push()?.rejected == 1)
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.titles() == ["t1": "Knots"])
      #expect(try ship.device.texts("SELECT note || votes FROM tasks") == ["Dry1"])
    }
    #expect(try anna.dead() == ["tasks/t2 gone"])
  }

  @Test func `A later edit may be pulled before the answer that refuses the earlier one`() throws {
    try sealEdits()
    try anna.run("UPDATE tasks SET title = 'Knots' WHERE id = 't1'")
    try anna.pullAll()
    let request = try #require(try anna.nextPush())
    #expect(request.batches.count == 2)
    let answer = try harbour.answer(request, of: anna.account)
    try anna.pullAll()
    #expect(try anna.take(answer, to: request).rejected == 1)
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.device.texts("SELECT title || note || votes FROM tasks") == ["KnotsDry1"])
    }
    #expect(try anna.dead() == ["tasks/t2 gone"])
  }

  @Test func `An edit is sent again before a later one that builds on it`() throws {
    try sealEdits()
    try anna.run("UPDATE tasks SET title = 'Knots', note = 'Wet' WHERE id = 't1'")
    #expect(try anna.push()?.rejected == 1)
    try harbour.settle()
    #expect(try ben.device.texts("SELECT title || note || votes FROM tasks") == ["KnotsWet1"])
    #expect(try anna.dead() == ["tasks/t2 gone"])
  }

  @Test func `A move that is sealed again names its scope, also if the row moves again later`()
    throws
  {
    let harbour = try Harbour.withTwoCharters()
    let (anna, ben) = (harbour.ships[0], harbour.ships[1])
    try anna.run(Task.insertion("t2", "Oars"))
    try harbour.settle()
    try anna.run("UPDATE tasks SET charterID = 'c2' WHERE id = 't-c1'")
    try anna.run("UPDATE tasks SET title = 'Lines' WHERE id = 't2'")
    let request = try #require(try anna.nextPush())
    try ben.run("DELETE FROM tasks WHERE id = 't2'")
    try ben.push()
    try harbour.collect()
    let response = try harbour.answer(request, of: anna.account)
    for charter in ["c1", "c2"] {
      try anna.run("UPDATE tasks SET charterID = \(charter) WHERE id = 't-c1'")
      try anna.pullAll()
    }
    #expect(try anna.take(response, to: request).rejected == 1)
    try harbour.settle()
    #expect(try anna.dead() == ["tasks/t2 gone"])
    for ship in harbour.ships {
      #expect(
        try ship.device.texts("SELECT id || charterID FROM tasks ORDER BY id")
          == ["t-c1c2", "t-c2c2"])
    }
    #expect(try harbour.titles() == [:])
  }
}
