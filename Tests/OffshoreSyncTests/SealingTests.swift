import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

struct SealingTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    try device.addCharters("c1", "c2")
  }

  private func insertTask(_ id: String = "t1", items: String? = nil) throws {
    try device.connection.write { try Task(id, items: items).insert($0) }
  }

  /// Adds a task that is already sealed.
  private func addTask(_ id: String = "t1", items: String? = nil) throws {
    try insertTask(id, items: items)
    _ = try device.sealAll()
  }

  // MARK: - Kinds of ops

  @Test func `An inserted row is sealed as a put with all its synced columns`() throws {
    try insertTask()
    let batches = try device.seal()
    #expect(batches.lines == ["put t1@1 charterID hours items note title votes"])
    #expect(batches.op?.fields["title"] == "Sails")
    #expect(batches.op?.fields["note"] == .null)
  }

  @Test func `An insertion and an update are sealed as one insertion`() throws {
    try insertTask()
    try device.run("UPDATE tasks SET title = 'Ropes'")
    let batches = try device.seal()
    #expect(batches.lines == ["put t1@1 charterID hours items note title votes"])
    #expect(batches.op?.fields["title"] == "Ropes")
  }

  @Test func `An insertion and a deletion are not sealed`() throws {
    try insertTask()
    try device.run("DELETE FROM tasks")
    #expect(try device.seal() == [])
    #expect(try device.journal() == [])
    #expect(try device.number("SELECT count(*) FROM _row") == 0)
  }

  @Test func `Updates are sealed as one`() throws {
    try addTask()
    try device.run("UPDATE tasks SET title = 'Ropes'")
    try device.run("UPDATE tasks SET title = 'Lines', note = 'red'")
    let batches = try device.seal()
    #expect(batches.lines == ["patch t1@1 note title"])
    #expect(batches.op?.fields == ["note": "red", "title": "Lines"])
  }

  @Test func `A column with its former value is not sent`() throws {
    try addTask()
    try device.run("UPDATE tasks SET title = 'Ropes', note = 'red'")
    try device.run("UPDATE tasks SET title = 'Sails'")
    #expect(try device.seal().lines == ["patch t1@1 note"])
  }

  @Test func `A deleted row that is inserted again begins its next life`() throws {
    try addTask()
    try device.run("DELETE FROM tasks")
    try insertTask()
    #expect(
      try device.seal().lines == [
        "delete t1@1", "put t1@3 charterID hours items note title votes",
      ])
  }

  @Test func `A row whose deletion was sealed is inserted in its next life`() throws {
    try addTask()
    try device.run("DELETE FROM tasks")
    #expect(try device.seal().lines == ["delete t1@1"])
    try insertTask()
    #expect(try device.seal().lines == ["put t1@3 charterID hours items note title votes"])
    try device.run("UPDATE tasks SET note = 'red'")
    #expect(try device.seal().lines == ["patch t1@3 note"])
  }

  @Test func `A row with a new key is sealed as a deletion and a put`() throws {
    try addTask()
    try device.run("UPDATE tasks SET id = 't2'")
    #expect(
      try device.seal().lines == [
        "delete t1@1", "put t2@1 charterID hours items note title votes",
      ])
  }

  @Test func `A counter is sealed as the number that was added`() throws {
    try addTask()
    try device.run("UPDATE tasks SET votes = votes + 5")
    try device.run("UPDATE tasks SET votes = votes - 2, title = 'Ropes'")
    let batches = try device.seal()
    #expect(batches.lines == ["increment t1@1 votes", "patch t1@1 title"])
    #expect(batches[0].ops[0].fields == ["votes": 3])
  }

  @Test func `Keys of a JSON column are separate fields`() throws {
    try addTask(items: #"{"a": 1, "b": [2], "c": true}"#)
    try device.run(#"UPDATE tasks SET items = '{"a":1,"b":[3],"d":"x"}'"#)
    let op = try device.seal().op
    #expect(
      op?.fields == ["items.b": "[3]", "items.c": .null, "items.d": #""x""#])
    // A key that was never written has no version.
    #expect(op?.base.keys.sorted() == ["items.b", "items.c"])
  }

  @Test func `A change of scope is sealed as a move, and later edits go to the new scope`() throws {
    try addTask()
    try device.run("UPDATE tasks SET charterID = 'c2', title = 'Ropes', votes = 1")
    let batches = try device.seal()
    #expect(batches.lines == ["increment t1@1 votes", "move to c2 t1@1 charterID title"])
    #expect(batches.map(\.scope.value) == ["c1"])
    try device.run("UPDATE tasks SET note = 'red'")
    let later = try device.seal()
    #expect(later.lines == ["patch t1@1 note"])
    #expect(later.map(\.scope.value) == ["c2"])
  }

  @Test func `A deletion is sent to the former scope of a moved row`() throws {
    try addTask()
    try device.run("UPDATE tasks SET charterID = 'c2'")
    try device.run("DELETE FROM tasks")
    let batches = try device.seal()
    #expect(batches.lines == ["delete t1@1"])
    #expect(batches.map(\.scope.value) == ["c1"])
  }

  @Test func `An updated row that was never sent is sealed as a put`() throws {
    try insertTask()
    try device.run("DELETE FROM _outbox")
    try device.run("UPDATE tasks SET title = 'Ropes'")
    #expect(try device.seal().lines == ["put t1@1 charterID hours items note title votes"])
  }

  // MARK: - Versions and numbers

  @Test func `An edit names the version that its user saw`() throws {
    try insertTask()
    let put = try #require(try device.seal().op)
    try device.run("UPDATE tasks SET title = 'Ropes'")
    let first = try #require(try device.seal().op)
    try device.run("UPDATE tasks SET title = 'Lines', note = 'red'")
    let second = try #require(try device.seal().op)
    #expect(first.base == ["title": put.stamp])
    #expect(second.base == ["title": first.stamp, "note": put.stamp])
  }

  @Test func `Stamps keep rising after the file was opened again with an earlier clock`() throws {
    try insertTask()
    let first = try #require(try device.seal(at: 5000).op)
    try device.reopen()
    try device.run("UPDATE tasks SET title = 'Ropes'")
    let second = try #require(try device.seal(at: 10).op)
    #expect(second.stamp > first.stamp)
    #expect(second.stamp.device == TestDevice.id)
  }

  @Test func `Batches are numbered by scope`() throws {
    for id in ["t1", "t2"] {
      try insertTask(id)
      try device.run("UPDATE charters SET name = \("Alma \(id)") WHERE id = 'c2'")
      _ = try device.seal()
    }
    let numbers = try device.texts(
      "SELECT scope || ' ' || number FROM _batch ORDER BY scope, number")
    #expect(
      numbers == ["charter/c1 1", "charter/c1 2", "charter/c2 1", "charter/c2 2"])
  }

  @Test func `A transaction in two scopes is sealed as a batch for each`() throws {
    try device.run("UPDATE charters SET name = 'Luna'")
    let batches = try device.seal()
    #expect(batches.map(\.scope.value) == ["c1", "c2"])
    #expect(batches.allSatisfy { $0.isIntact && $0.number == 1 })
  }

  @Test func `A sealed batch does not change when its row does`() throws {
    try insertTask()
    let batches = try device.seal()
    try device.run("UPDATE tasks SET title = 'Ropes'")
    try device.reopen()
    #expect(try device.connection.read { try device.outbox.sealedBatches($0) } == batches)
  }

  @Test func `The confirmed state is stored beside the first pending change`() throws {
    try addTask()
    try device.run("DELETE FROM _shadow")
    try device.run("UPDATE tasks SET title = 'Ropes'")
    _ = try device.seal()
    let kept = try device.texts("SELECT hex(state) FROM _shadow")
    try device.run("UPDATE tasks SET title = 'Lines'")
    _ = try device.seal()
    #expect(try device.texts("SELECT hex(state) FROM _shadow") == kept)
    #expect(kept.count == 1)
  }

  // MARK: - Transactions

  @Test func `The oldest transactions are sealed with the values of their time`() throws {
    try insertTask()
    try device.run("UPDATE tasks SET title = 'Ropes'")
    try device.run("DELETE FROM tasks")
    let first = try device.seal(ops: 4)
    #expect(first.op?.fields["title"] == "Ropes")
    #expect(try device.seal(ops: 4).lines == ["delete t1@1"])
  }

  @Test func `A deletion is sealed without a later insertion of its row`() throws {
    try addTask()
    try device.run("DELETE FROM tasks")
    try insertTask()
    #expect(try device.seal(ops: 2).lines == ["delete t1@1"])
    #expect(
      try device.seal(ops: 2).lines == ["put t1@3 charterID hours items note title votes"])
  }

  @Test func `A transaction beyond the limit is split into consecutive batches`() throws {
    try device.connection.write { writer in
      for number in 1...5 { try Task("t\(number)").insert(writer) }
    }
    let batches = try device.seal(ops: 2)
    #expect(batches.map(\.ops.count) == [2, 2, 1])
    #expect(batches.map(\.number) == [1, 2, 3])
  }

  @Test func `Transactions that exceed the byte limit together are sealed separately`() throws {
    for id in ["t1", "t2", "t3"] { try insertTask(id) }
    let size = try device.seal(bytes: 200).reduce(0) { $0 + $1.ops.count }
    #expect(size == 1)
    #expect(try device.sealAll().reduce(0) { $0 + $1.ops.count } == 2)
  }

  @Test func `A row comes after the row it refers to`() throws {
    try device.run(
      "PRAGMA defer_foreign_keys = ON",
      "INSERT INTO tasks VALUES ('t1', 'c9', 'Sails', NULL, NULL, 0, NULL, 1)",
      "INSERT INTO charters VALUES ('c9', 'Luna')")
    #expect(
      try device.seal().lines == [
        "put c9@1 name", "put t1@1 charterID hours items note title votes",
      ])
  }

  @Test func `A change that cannot be sent is refused, and the others are sealed`() throws {
    // A row from before the table was synced may have an id that no server accepts.
    let device = try TestDevice(isInstalled: false)
    try device.run(
      "INSERT INTO charters VALUES ('c1', 'Luna')",
      "INSERT INTO tasks VALUES ('t 1', 'c1', 'Sails', NULL, NULL, 0, NULL, 1)",
      "INSERT INTO tasks VALUES ('t2', 'c1', 'Sails', NULL, NULL, 0, NULL, 1)")
    try device.connection.write { try device.outbox.install($0, device: TestDevice.id) }
    #expect(try device.seal().flatMap(\.ops).map(\.row.id).sorted() == ["c1", "t2"])
    #expect(try device.texts("SELECT id || ' ' || code FROM _dead") == ["t 1 invalidOp"])
    #expect(try device.journal() == [])
  }

  @Test func `A file that was not prepared is refused`() throws {
    let device = try TestDevice(isInstalled: false)
    #expect { try device.seal() } throws: { ($0 as? ReplicaError)?.code == .notInstalled }
  }
}
