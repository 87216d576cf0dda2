import Offshore
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Derivations that throw, inside a write that the app commits nevertheless.
struct FailedDerivationTests {
  private struct Failure: Error {}

  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private let row = RowID(table: "tasks", id: "t1")

  init() throws {
    harbour = try Harbour(
      ships: 1,
      derivations: [
        "tasks": { _, writer in
          try SQL("UPDATE tasks SET isOpen = 0").run(writer)
          let name = try SQL("SELECT name FROM charters").first(writer, as: String.self)
          if name == "Unfit" { throw Failure() }
        }
      ])
    try anna.pullAll()
    try anna.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c1', 'Sails', 0)")
    try harbour.settle()
    try anna.run("UPDATE charters SET name = 'Unfit'", "UPDATE tasks SET isOpen = 1")
  }

  /// Cancels a change, while the derivation throws and the app catches the error.
  private func cancelWithFailure() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    let isCancelled = try anna.device.connection.write { writer in
      try? anna.replica.outbox.cancel(row, writer)
    }
    #expect(isCancelled == nil)
  }

  @Test func `Edits are captured after a derivation threw, also once the file is reopened`() throws
  {
    try cancelWithFailure()
    try anna.run("UPDATE tasks SET title = 'Lines'")
    #expect(try anna.device.journal().contains { $0.hasPrefix("tasks/t1 update") })
    try anna.device.reopen()
    try anna.device.install()
    try anna.run("UPDATE tasks SET note = 'Dry'")
    try anna.push()
    #expect(try harbour.titles() == ["t1": "Lines"])
    let note = try harbour.server.row(row, in: ScopeID("charter/c1"))?.state.fields["note"]?.string
    #expect(note == "Dry")
  }

  @Test func `The writes of a derivation that threw are undone`() throws {
    try cancelWithFailure()
    #expect(try anna.device.texts("SELECT id FROM tasks WHERE isOpen") == ["t1"])
  }

  @Test func `Preparing a file whose capture is off switches it on`() throws {
    try anna.run("UPDATE _state SET applying = 1")
    try anna.device.reopen()
    try anna.device.install()
    try anna.run("UPDATE tasks SET title = 'Lines'")
    #expect(try anna.device.journal().contains { $0.hasPrefix("tasks/t1 update") })
  }
}
