import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Scopes that are granted, revoked and left.
struct AccessTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try .withTwoCharters()
  }

  @Test func `Rows of a revoked scope are removed, and pending changes are refused`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes'")
    try harbour.grant(.revoked, to: ben, "c1")
    try harbour.settle()
    #expect(try ben.titles() == ["t-c2": "Ropes"])
    #expect(try anna.titles() == ["t-c1": "Sails", "t-c2": "Ropes"])
    #expect(try ben.dead() == ["tasks/t-c1 forbidden"])
    #expect(try ben.isSettled())
    #expect(try ben.device.number("SELECT count(*) FROM _row WHERE scope = 'charter/c1'") == 0)
  }

  @Test func `A write into a revoked scope is refused`() throws {
    try harbour.grant(.revoked, to: ben, "c1")
    try ben.pullAll()
    try ben.run(
      "INSERT INTO charters VALUES ('c1', 'Mine')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t9', 'c1', 'Ropes', 0)")
    try harbour.settle()
    #expect(try ben.titles() == ["t-c2": "Sails"])
    #expect(try ben.dead() == ["charters/c1 forbidden", "tasks/t9 forbidden"])
    #expect(try anna.titles() == ["t-c1": "Sails", "t-c2": "Sails"])
  }

  @Test func `A scope that is granted again comes back and can be edited again`() throws {
    try harbour.grant(.revoked, to: ben, "c1")
    try ben.run("UPDATE tasks SET title = 'Ropes'")
    try harbour.settle()
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    #expect(try ben.titles() == ["t-c1": "Sails", "t-c2": "Ropes"])
    try ben.run("UPDATE tasks SET title = 'Lines'")
    try harbour.settle()
    #expect(try anna.titles() == ["t-c1": "Lines", "t-c2": "Lines"])
  }

  @Test func `A scope that was left does not change`() throws {
    try harbour.grant(.left, to: ben, "c1")
    try harbour.settle()
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    try harbour.settle()
    #expect(try ben.titles() == ["t-c1": "Sails", "t-c2": "Ropes"])
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't-c1'")
    try harbour.settle()
    #expect(try ben.titles()["t-c1"] == "Sails")
    #expect(try ben.dead() == ["tasks/t-c1 forbidden"])
  }

  @Test func `The copy of a scope that was left can be deleted, and comes back with a grant`()
    throws
  {
    #expect(try !removeCopy("charter/c1"), "who takes part has no copy")
    try harbour.grant(.left, to: ben, "c1")
    try harbour.settle()
    try ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't-c2'")
    #expect(try removeCopy("charter/c1"))
    #expect(try !removeCopy("charter/c1"))
    #expect(try ben.titles() == ["t-c2": "Lines"])
    #expect(try ben.device.number("SELECT count(*) FROM _row WHERE scope = 'charter/c1'") == 0)
    try harbour.settle()
    #expect(try anna.titles() == ["t-c1": "Sails", "t-c2": "Lines"])
    #expect(try ben.isSettled() && ben.dead() == [])
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    #expect(try ben.titles() == ["t-c1": "Sails", "t-c2": "Lines"])
  }

  private func removeCopy(_ scope: String) throws -> Bool {
    try ben.device.connection.write { [replica = ben.replica] in
      try replica.removeCopy(of: ScopeID(scope), $0, at: harbour.now, makeID: UUID.init)
    }
  }

  @Test func `A viewer's edits give way to the confirmed values`() throws {
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't-c1'")
    try harbour.settle()
    #expect(try ben.titles() == ["t-c1": "Sails", "t-c2": "Sails"])
    #expect(try ben.dead() == ["tasks/t-c1 forbidden"])
  }

  @Test func `A row that moves to another scope is never in both or in none`() throws {
    try anna.run("UPDATE tasks SET charterID = 'c2' WHERE id = 't-c1'")
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't-c2'")
    try anna.push()
    try harbour.settle()
    #expect(try ben.content() == anna.content())
    #expect(
      try ben.device.texts("SELECT DISTINCT charterID FROM tasks ORDER BY id") == ["c2"])
    #expect(try ben.titles() == ["t-c1": "Sails", "t-c2": "Ropes"])
  }

  @Test func `A scope without any grant waits for one`() throws {
    try ben.run("INSERT INTO charters VALUES ('c3', 'Luna')")
    try harbour.settle()
    #expect(try ben.device.number("SELECT count(*) FROM _batch") == 1)
    try harbour.grant(.owner, to: ben, "c3")
    try harbour.settle()
    #expect(try ben.isSettled())
    #expect(
      try harbour.server.row(
        RowID(table: "charters", id: "c3"), in: ScopeID("charter/c3"))?.state.isLiving == true)
  }
}
