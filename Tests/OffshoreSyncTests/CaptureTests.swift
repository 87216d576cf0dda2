import Foundation
import Offshore
import OffshoreSync
import Testing

struct CaptureTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    try device.addCharters("c1", "c2")
  }

  private func insertTask(_ id: String = "t1") throws {
    try device.connection.write { try Task(id).insert($0) }
  }

  @Test func `An insertion is recorded by its key alone`() throws {
    try insertTask()
    #expect(try device.journal() == ["tasks/t1 insert"])
    #expect(try device.number("SELECT count(*) FROM _outbox WHERE o1 IS NOT NULL") == 0)
  }

  @Test func `An update is recorded with a mask of the changed columns and their old values`()
    throws
  {
    try insertTask()
    try device.run("UPDATE tasks SET title = 'Ropes', note = NULL, hours = 1.5")
    // Bits count from the column after the id: title is 1, hours 3.
    #expect(try device.journal().last == "tasks/t1 update \(1 << 1 | 1 << 3)")
    #expect(try device.texts("SELECT o1 FROM _outbox WHERE kind = 2") == ["Sails"])
  }

  @Test func `An update that changes nothing is not recorded`() throws {
    try insertTask()
    try device.run("UPDATE tasks SET title = title, votes = votes + 0")
    #expect(try device.journal().count == 1)
  }

  @Test func `A local column is not captured, even beside others`() throws {
    try insertTask()
    try device.run("UPDATE tasks SET isOpen = 0")
    try device.run("UPDATE tasks SET isOpen = 1, title = 'Ropes'")
    #expect(try device.journal() == ["tasks/t1 insert", "tasks/t1 update 2"])
  }

  @Test func `A deletion stores the row, so that it can be restored`() throws {
    try insertTask()
    try device.run("DELETE FROM tasks")
    #expect(try device.journal().last == "tasks/t1 delete")
    #expect(
      try device.texts("SELECT o0 || o1 || o6 FROM _outbox WHERE kind = 3") == ["c1Sails1"])
  }

  @Test func `A changed key is recorded as a deletion and an insertion`() throws {
    try insertTask()
    try device.run("UPDATE tasks SET id = 't2', title = 'Ropes'")
    #expect(try device.journal() == ["tasks/t1 insert", "tasks/t1 delete", "tasks/t2 insert"])
  }

  @Test func `A row that REPLACE removes is recorded`() throws {
    try insertTask()
    try device.run(
      "INSERT OR REPLACE INTO tasks VALUES ('t1', 'c1', 'Ropes', NULL, NULL, 0, NULL, 1)")
    #expect(try device.journal() == ["tasks/t1 insert", "tasks/t1 delete", "tasks/t1 insert"])
  }

  @Test func `An upsert of an existing row is recorded as an update`() throws {
    try insertTask()
    try device.run(
      """
      INSERT INTO tasks VALUES ('t1', 'c1', 'Ropes', NULL, NULL, 0, NULL, 1)
      ON CONFLICT (id) DO UPDATE SET title = excluded.title
      """)
    #expect(try device.journal() == ["tasks/t1 insert", "tasks/t1 update 2"])
  }

  @Test func `Rows deleted by a cascade are recorded`() throws {
    try insertTask()
    try device.run("DELETE FROM charters WHERE id = 'c1'")
    #expect(Set(try device.journal().dropFirst()) == ["tasks/t1 delete", "charters/c1 delete"])
  }

  @Test func `A change by an app's trigger is recorded`() throws {
    try insertTask()
    try device.connection.execute(
      """
      CREATE TRIGGER rename AFTER UPDATE OF name ON charters
      BEGIN UPDATE tasks SET title = new.name WHERE charterID = new.id; END
      """)
    try device.run("UPDATE charters SET name = 'Luna' WHERE id = 'c1'")
    #expect(Set(try device.journal().dropFirst()) == ["charters/c1 update 1", "tasks/t1 update 2"])
  }

  @Test func `A change by another connection is recorded`() throws {
    let other = try device.otherConnection()
    try other.write { try Task("t1").insert($0) }
    #expect(try device.journal() == ["tasks/t1 insert"])
  }

  @Test func `A failed write leaves no record`() throws {
    #expect(throws: CocoaError.self) {
      try device.connection.write { writer in
        try Task("t1").insert(writer)
        throw CocoaError(.userCancelled)
      }
    }
    #expect(try device.journal() == [])
  }

  @Test func `Rows before a refused one are recorded, and the refused one is not`() throws {
    try device.connection.write { writer in
      let rows = ["c3", "c4", "c1", "c5"].map { Charter(id: $0, name: "Alma") }
      #expect(throws: DatabaseError.self) { try Charter.insert(contentsOf: rows, writer) }
    }
    #expect(try device.journal() == ["charters/c3 insert", "charters/c4 insert"])
    #expect(try device.number("SELECT count(*) FROM charters") == 4)
  }

  @Test func `A savepoint that is rolled back leaves no record`() throws {
    try device.connection.write { writer in
      try Task("t1").insert(writer)
      try? writer.savepoint { inner in
        try Task("t2").insert(inner)
        throw CocoaError(.userCancelled)
      }
    }
    #expect(try device.journal() == ["tasks/t1 insert"])
  }

  @Test func `Each write has its own number`() throws {
    try insertTask("t1")
    try device.connection.write { writer in
      try Task("t2").insert(writer)
      try Task("t3").insert(writer)
    }
    let batches = try device.connection.read {
      try SQL("SELECT batch FROM _outbox ORDER BY seq").all($0, as: Int.self)
    }
    #expect(batches[1] == batches[2])
    #expect(batches[0] + 1 == batches[1])
  }

  @Test func `A write without synced changes does not use up a number`() throws {
    let before = try device.number("SELECT batch FROM _state")
    try device.run("CREATE TABLE other (a)", "INSERT INTO other VALUES (1)")
    #expect(try device.number("SELECT batch FROM _state") == before)
  }

  @Test func `Texts that are equal by a collation are recorded as different`() throws {
    let device = try TestDevice(isInstalled: false)
    try device.run(
      "DROP TABLE tasks",
      "CREATE TABLE tags (id TEXT PRIMARY KEY NOT NULL, name TEXT COLLATE NOCASE) WITHOUT ROWID")
    let schema = try SyncSchema(
      version: 1, SyncTable(Tag.self, scope: .kind("tag", \.id)))
    try device.install(schema)
    try device.run("INSERT INTO tags VALUES ('a', 'red')", "UPDATE tags SET name = 'RED'")
    #expect(try device.number("SELECT count(*) FROM _outbox WHERE kind = 2") == 1)
  }

  @Test func `A connection still reports the rows that a statement has changed`() throws {
    try insertTask("t1")
    try insertTask("t2")
    var changed: [Set<Int64>?] = []
    device.connection.afterCommit = { changed.append($0.tables["tasks"]?.rowIDs) }
    try device.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't2'")
    try device.run("DELETE FROM tasks WHERE id = 't1'")
    #expect(changed == [[2], [1]])
  }

  @Test func `Changes from the server are not captured`() throws {
    try device.run(
      "UPDATE _state SET applying = 1",
      "INSERT INTO tasks VALUES ('t1', 'c1', 'Ropes', NULL, NULL, 0, NULL, 1)",
      "UPDATE tasks SET title = 'Sails'", "UPDATE tasks SET id = 't2'", "DELETE FROM tasks",
      "UPDATE _state SET applying = 0")
    #expect(try device.journal() == [])
  }

  @Test func `A write never fails because of capture`() throws {
    try device.run("DELETE FROM _state")
    try insertTask()
    #expect(try device.number("SELECT count(*) FROM tasks") == 1)
  }
}

/// A table without row ids, whose names compare without regard to case.
private struct Tag: Record {
  let id: String
  var name: String?
  static let table = Table(
    "tags", Tag.init, Column("id", \.id).primaryKey(), Column("name", \.name).collate(.noCase)
  ).withoutRowID()
}
