import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Derivations of rows whose values stay as they are, and whose changes are refused, sent again or cancelled.
struct StatusDerivationTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }

  init() throws {
    harbour = try Harbour(
      schema: SyncSchema(
        version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
        SyncTable(
          Task.self, scope: .kind("charter", \.charterID), keepsRefused: true,
          .merged(\.votes, .counter), .merged(\.items, .keyed), .local(\.isOpen))),
      creating: [Charter.creation, Task.creation, "CREATE TABLE derived (id TEXT NOT NULL)"],
      derivations: [
        "tasks": { ids, writer in
          for id in ids { try SQL("INSERT INTO derived VALUES (\(id))").run(writer) }
        }
      ], attemptLimits: [.forbidden: 2])
    try anna.pullAll()
    try anna.run("INSERT INTO charters VALUES ('c1', 'Alma')", Task.insertion("t1", "Sails"))
    try harbour.settle()
  }

  /// Returns the tasks whose derivations a step runs.
  private func derived(by step: () throws -> Void) throws -> Set<String> {
    try anna.run("DELETE FROM derived")
    try step()
    return Set(try anna.device.texts("SELECT id FROM derived"))
  }

  private func pushRefused() throws {
    try harbour.grant(.viewer, to: anna, "c1")
    #expect(try anna.push()?.rejected == 1)
    try harbour.grant(.editor, to: anna, "c1")
  }

  @Test func `They run for a change that is refused and sent again later`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    #expect(try derived { try pushRefused() } == ["t2"])
    // Ends the delay.
    let row = RowID(table: "tasks", id: "t2")
    let ids = try derived {
      try anna.device.connection.write { try anna.replica.sendAgain([row], $0) }
    }
    #expect(ids == ["t2"])
    #expect(try derived { try pushRefused() } == ["t2"])
    #expect(try anna.dead() == ["tasks/t2 forbidden"] && anna.titles()["t2"] == "Lines")
  }

  @Test func `They run for a refused insertion that is edited, when it is sealed`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    try pushRefused()
    harbour.now += 10_000
    try pushRefused()
    try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't2'")
    let ids = try derived { _ = try anna.nextPush() }
    #expect(ids == ["t2"])
    #expect(try anna.dead() == [])
  }

  @Test func `They run for a change that is taken back`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't1'")
    try anna.pullAll()
    let row = RowID(table: "tasks", id: "t1")
    let ids = try derived {
      let isDone = try anna.device.connection.write {
        try anna.replica.takeBack(
          [row], isDeletion: false, $0, at: harbour.now, makeID: anna.device.nextID)
      }
      #expect(isDone)
    }
    #expect(ids == ["t1"])
  }
}
