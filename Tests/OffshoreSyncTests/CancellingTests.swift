import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

struct CancellingTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    try device.addCharters("c1", "c2")
    try device.run(
      "INSERT INTO tasks VALUES ('t1', 'c1', 'Sails', 'red', 0.1, 7, '{\"a\":1}', 0)",
      "INSERT INTO tasks VALUES ('t2', 'c1', 'Ropes', NULL, NULL, 0, NULL, 1)")
    _ = try device.sealAll()
  }

  @Test func `An inserted row goes`() throws {
    let before = try device.tasks()
    try device.connection.write { try Task("t3").insert($0) }
    #expect(try device.cancel("tasks", "t3"))
    #expect(try device.tasks() == before)
    #expect(try device.journal() == [])
  }

  @Test func `An updated row is as it was, over several writes`() throws {
    let before = try device.tasks()
    try device.run("UPDATE tasks SET title = 'A', hours = NULL WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B', votes = 8 WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.tasks() == before)
    #expect(try device.journal() == [])
  }

  @Test func `A deleted row comes back, its local columns too`() throws {
    let before = try device.tasks()
    try device.run("DELETE FROM tasks WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.tasks() == before)
    #expect(try device.seal() == [])
  }

  @Test func `A local column keeps what was stored meanwhile`() throws {
    try device.run("UPDATE tasks SET title = 'A', isOpen = 1 WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.texts("SELECT title || isOpen FROM tasks WHERE id = 't1'") == ["Sails1"])
  }

  @Test func `Other rows of the write stay`() throws {
    try device.run("UPDATE tasks SET title = 'A'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.texts("SELECT title FROM tasks ORDER BY id") == ["Sails", "A"])
    #expect(try device.journal() == ["tasks/t2 update 2"])
  }

  @Test func `What was sealed stays`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    let sealed = try device.seal()
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.texts("SELECT title FROM tasks WHERE id = 't1'") == ["A"])
    #expect(try device.connection.read { try device.outbox.sealedBatches($0) }.last == sealed.last)
  }

  @Test func `A row without changes is left alone`() throws {
    #expect(try !device.cancel("tasks", "t1"))
    #expect(try !device.cancel("unknown", "t1"))
  }

  @Test func `A whole write is undone, with the rows that went with another`() throws {
    let before = try device.tasks()
    try device.run(
      "UPDATE charters SET name = 'Luna' WHERE id = 'c2'", "DELETE FROM charters WHERE id = 'c1'")
    #expect(try device.tasks() == [])
    let number = try #require(try device.transactions().last)
    #expect(try device.cancelTransaction(number))
    #expect(try device.tasks() == before)
    #expect(
      try device.texts("SELECT id || name FROM charters ORDER BY id") == ["c1Alma", "c2Alma"])
    #expect(try device.journal() == [])
  }

  @Test func `An earlier write is undone where no later one touched its rows`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't2'")
    #expect(try device.cancelTransaction(try device.transactions()[0]))
    #expect(try device.texts("SELECT title FROM tasks ORDER BY id") == ["Sails", "B"])
    #expect(try device.journal() == ["tasks/t2 update 2"])
  }

  @Test func `A write that a later one builds on is not undone`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't1'")
    let number = try device.transactions()[0]
    #expect { try device.cancelTransaction(number) } throws: {
      ($0 as? SyncError)?.code == .dependency
    }
    #expect(try device.texts("SELECT title FROM tasks WHERE id = 't1'") == ["B"])
  }

  @Test func `Only the last of two writes to a row is undone`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't1'")
    #expect(try device.cancelTransaction(try device.transactions()[1]))
    #expect(try device.texts("SELECT title FROM tasks WHERE id = 't1'") == ["A"])
    #expect(try device.seal().op?.fields == ["title": "A"])
  }

  @Test func `What goes with a cancelled row is captured`() throws {
    try device.run("INSERT INTO charters VALUES ('c3', 'Luna')")
    try device.run("UPDATE tasks SET charterID = 'c3' WHERE id = 't1'")
    #expect(try device.cancel("charters", "c3"))
    #expect(try device.seal().lines == ["delete t1@1"])
  }
}
