import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Sealed changes of which no server has anything: they can be cancelled, and an insertion that is
/// changed is sent with its present values.
struct UnsentChangeTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour.withTask()
  }

  /// Makes changes, and lets a pull seal them.
  private func seal(_ statements: SQL...) throws {
    for statement in statements { try anna.run(statement) }
    try anna.pullAll()
    #expect(try anna.device.number("SELECT count(*) FROM _outbox") == 0)
  }

  private func takeBack(_ ids: String..., isDeletion: Bool = false) throws -> Bool {
    let rows = Set(ids.map { RowID(table: $0.hasPrefix("c") ? "charters" : "tasks", id: $0) })
    return try anna.device.connection.write {
      try anna.replica.takeBack(
        rows, isDeletion: isDeletion, $0, at: harbour.now, makeID: anna.device.nextID)
    }
  }

  /// Returns the ops of the next push, each with the number of its batch.
  private func nextOps() throws -> [String] {
    try anna.nextPush()?.batches.flatMap { batch in
      batch.ops.map { "\(batch.number) \($0.kind) \($0.row.id)" }
    } ?? []
  }

  private func number() throws -> Int64 { try harbour.lastNumber(of: anna) }

  @Test func `A cancelled insertion, update or deletion is never sent`() throws {
    let first = try number() + 1
    try seal(Task.insertion("t2", "Lines"))
    try seal("UPDATE tasks SET title = 'Oars' WHERE id = 't1'")
    #expect(try takeBack("t2"))
    #expect(try anna.titles() == ["t1": "Oars"])
    try seal("DELETE FROM tasks WHERE id = 't1'", Task.insertion("t3", "Ropes"))
    #expect(try takeBack("t1", isDeletion: true))
    #expect(try anna.titles() == ["t1": "Oars", "t3": "Ropes"])
    #expect(try takeBack("t1"))
    #expect(try anna.titles() == ["t1": "Sails", "t3": "Ropes"])
    #expect(try nextOps() == ["\(first) put t3"])
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails", "t3": "Ropes"] && anna.isSettled())
  }

  @Test func `A change that was part of a request cannot be cancelled`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    _ = try anna.nextPush()
    #expect(try !takeBack("t2"))
    #expect(try anna.titles()["t2"] == "Lines")
  }

  @Test func `An insertion that other rows refer to is cancelled only together with them`() throws {
    let other = try Harbour(granting: ["c1", "c2"])
    let cat = other.ships[0]
    try cat.pullAll()
    try cat.run(
      "INSERT INTO charters VALUES ('c2', 'Luna')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t9', 'c2', 'Cords', 0)")
    try cat.pullAll()
    let charter = RowID(table: "charters", id: "c2")
    func takeBack(_ rows: Set<RowID>) throws -> Bool {
      try cat.device.connection.write {
        try cat.replica.takeBack(
          rows, isDeletion: false, $0, at: other.now, makeID: cat.device.nextID)
      }
    }
    #expect(try !takeBack([charter]))
    #expect(try takeBack([charter, RowID(table: "tasks", id: "t9")]))
    #expect(try cat.nextPush() == nil && cat.isSettled() && cat.titles() == [:])
  }

  @Test func `A hidden insertion stays if the row with its id in another scope is changed`() throws
  {
    let other = try Harbour.withTwoCharters()
    let cat = other.ships[1]
    try other.grant(.viewer, to: cat, "c1")
    try cat.run("DELETE FROM tasks WHERE id = 't-c1'")
    try cat.run("INSERT INTO tasks (id, charterID, title, votes) VALUES ('t-c1', 'c2', 'Cords', 0)")
    let request = try #require(try cat.nextPush(bytes: 1))
    #expect(request.batches.map(\.scope.value) == ["c1"])
    _ = try cat.take(try other.answer(request, of: cat.account), to: request)
    #expect(try cat.titles()["t-c1"] == "Sails")
    try other.grant(.editor, to: cat, "c1")
    try cat.pullAll()
    try cat.run("UPDATE tasks SET title = 'Oars' WHERE id = 't-c1'")
    try other.settle()
    #expect(try other.titles("c1")["t-c1"] == "Oars" && other.titles("c2")["t-c1"] == "Cords")
  }

  @Test func `An insertion that is changed before it was sent is sent once, in its place`()
    throws
  {
    let first = try number() + 1
    try seal(Task.insertion("t2", "Lines"))
    try seal(Task.insertion("t3", "Oars"))
    try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't2'")
    #expect(try nextOps() == ["\(first) put t2", "\(first + 1) put t3"])
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Ropes", "t3": "Oars"])
    #expect(try anna.isSettled())
  }

  @Test func `An insertion that was part of a request is not replaced`() throws {
    let first = try number() + 1
    try anna.run(Task.insertion("t2", "Lines"))
    _ = try anna.nextPush()
    try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't2'")
    try anna.pullAll()
    #expect(try nextOps() == ["\(first) put t2", "\(first + 1) patch t2"])
    try harbour.settle()
    #expect(try ben.titles()["t2"] == "Ropes")
  }

  @Test func `Rows that were written together stay together`() throws {
    let first = try number() + 1
    try anna.device.connection.write { writer in
      for id in ["t2", "t3"] { try Task.insertion(id, "Lines").run(writer) }
    }
    try anna.pullAll()
    try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't2'")
    #expect(try nextOps() == ["\(first) put t2", "\(first) put t3"])
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Ropes", "t3": "Lines"])
  }

  @Test func `A deleted insertion with a tombstone before it leaves the tombstone`() throws {
    try anna.run("DELETE FROM tasks WHERE id = 't1'")
    try harbour.settle()
    try seal(Task.insertion("t1", "Again"))
    try anna.run("DELETE FROM tasks WHERE id = 't1'")
    #expect(try nextOps() == [])
    try seal(Task.insertion("t1", "Once more"))
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Once more"] && anna.isSettled())
  }
}

extension Harbour {
  /// Returns the number of the last batch of a device in c1 that the server has.
  fileprivate func lastNumber(of ship: Ship) throws -> Int64 {
    let device = try ship.device.connection.read { try ship.replica.device($0) }
    return server.device(device, in: try ScopeID(kind: "charter", value: "c1")).lastNumber
  }
}
