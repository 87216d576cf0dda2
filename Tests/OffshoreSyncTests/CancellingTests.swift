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

  @Test func `Cancelling an insertion removes the row`() throws {
    let before = try device.tasks()
    try device.connection.write { try Task("t3").insert($0) }
    #expect(try device.cancel("tasks", "t3"))
    #expect(try device.tasks() == before)
    #expect(try device.journal() == [])
  }

  @Test func `Cancelling updates restores the row, over several writes`() throws {
    let before = try device.tasks()
    try device.run("UPDATE tasks SET title = 'A', hours = NULL WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B', votes = 8 WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.tasks() == before)
    #expect(try device.journal() == [])
  }

  @Test func `Cancelling a deletion restores the row, including its local columns`() throws {
    let before = try device.tasks()
    try device.run("DELETE FROM tasks WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.tasks() == before)
    #expect(try device.seal() == [])
  }

  @Test func `Cancelling leaves a local column with its present value`() throws {
    try device.run("UPDATE tasks SET title = 'A', isOpen = 1 WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.texts("SELECT title || isOpen FROM tasks WHERE id = 't1'") == ["Sails1"])
  }

  @Test func `Cancelling a row leaves the other rows of the write`() throws {
    try device.run("UPDATE tasks SET title = 'A'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.texts("SELECT title FROM tasks ORDER BY id") == ["Sails", "A"])
    #expect(try device.journal() == ["tasks/t2 update 2"])
  }

  @Test func `Cancelling leaves a sealed change`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    let sealed = try device.seal()
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't1'")
    #expect(try device.cancel("tasks", "t1"))
    #expect(try device.texts("SELECT title FROM tasks WHERE id = 't1'") == ["A"])
    #expect(try device.connection.read { try device.outbox.sealedBatches($0) }.last == sealed.last)
  }

  @Test func `Cancelling a row without changes has no effect`() throws {
    #expect(try !device.cancel("tasks", "t1"))
    #expect(try !device.cancel("unknown", "t1"))
  }

  @Test func `Cancelling a write restores all its rows, including cascaded deletions`() throws {
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

  @Test func `An earlier write is cancelled if no later one changed its rows`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't2'")
    #expect(try device.cancelTransaction(try device.transactions()[0]))
    #expect(try device.texts("SELECT title FROM tasks ORDER BY id") == ["Sails", "B"])
    #expect(try device.journal() == ["tasks/t2 update 2"])
  }

  @Test func `A write that a later one depends on is not cancelled`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't1'")
    let number = try device.transactions()[0]
    #expect { try device.cancelTransaction(number) } throws: {
      ($0 as? ReplicaError)?.code == .dependency
    }
    #expect(try device.texts("SELECT title FROM tasks WHERE id = 't1'") == ["B"])
  }

  @Test func `Cancelling the later of two writes to a row leaves the earlier one`() throws {
    try device.run("UPDATE tasks SET title = 'A' WHERE id = 't1'")
    try device.run("UPDATE tasks SET title = 'B' WHERE id = 't1'")
    #expect(try device.cancelTransaction(try device.transactions()[1]))
    #expect(try device.texts("SELECT title FROM tasks WHERE id = 't1'") == ["A"])
    #expect(try device.seal().op?.fields == ["title": "A"])
  }

  @Test func `A row deleted by a cascade of a cancellation is captured`() throws {
    try device.run("INSERT INTO charters VALUES ('c3', 'Luna')")
    try device.run("UPDATE tasks SET charterID = 'c3' WHERE id = 't1'")
    #expect(try device.cancel("charters", "c3"))
    #expect(try device.seal().lines == ["delete t1@1"])
  }
}
