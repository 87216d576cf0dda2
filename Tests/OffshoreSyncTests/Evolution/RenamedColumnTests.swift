import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Columns and tables that a release has renamed.
struct RenamedColumnTests {
  private let yard: Shipyard

  init() throws {
    yard = try Shipyard(.moored(), .first())
    try yard.anna.run("INSERT INTO moorings VALUES ('b1', 'c1', 'North', 1.5)")
    try yard.ben.run("INSERT INTO berths VALUES ('b2', 'c1', 'South', 2)")
    try yard.settle()
  }

  private func moorings(_ ship: Ship) throws -> [String] {
    try ship.device.texts("SELECT id || ' ' || title || ' ' || hours FROM moorings ORDER BY id")
  }

  @Test func `In messages a renamed table and column have their first names`() throws {
    let manifest = try Release.moored().schema.manifest
    let table = try #require(manifest["berths"])
    #expect(manifest["moorings"] == nil && table.presentName == "moorings")
    #expect(table["name"]?.presentName == "title" && table["title"] == nil)
    #expect(
      try yard.serverFields("berths", "b1") == [
        "charterID": "c1", "name": "North", "hours": .real(1.5),
      ])
  }

  @Test func `Devices of three releases sync with each other`() throws {
    #expect(try moorings(yard.anna) == ["b1 North 1.5", "b2 South 2.0"])
    #expect(try yard.berths(yard.ben) == ["b1 North 1.5", "b2 South 2.0"])
    try yard.update(to: .renamed())
    try yard.ben.run("UPDATE berths SET title = 'N' WHERE id = 'b1'")
    try yard.anna.run("UPDATE moorings SET title = 'S', hours = 3 WHERE id = 'b2'")
    try yard.settle()
    #expect(try moorings(yard.anna) == ["b1 N 1.5", "b2 S 3.0"])
    #expect(try yard.berths(yard.ben) == ["b1 N 1.5", "b2 S 3.0"])
    try yard.anna.run("DELETE FROM moorings WHERE id = 'b1'")
    try yard.settle()
    #expect(try yard.berths(yard.ben) == ["b2 S 3.0"])
  }

  @Test func `An update fetches nothing again`() throws {
    try yard.update(to: .moored())
    #expect(try moorings(yard.ben) == ["b1 North 1.5", "b2 South 2.0"])
    let cursors = try yard.ben.device.connection.read { try ScopeCursor.all.all($0) }
    #expect(!cursors.isEmpty && cursors.allSatisfy { $0.fetch == nil })
    #expect(try yard.wrongRows(of: yard.ben) == [])
    try yard.settle()
  }

  @Test func `Captured and sealed changes survive the update`() throws {
    try yard.ben.run("UPDATE berths SET name = 'N' WHERE id = 'b1'")
    _ = try yard.ben.nextPush()
    try yard.ben.run("UPDATE berths SET name = 'NN' WHERE id = 'b1'")
    try yard.ben.run("UPDATE berths SET name = 'SS' WHERE id = 'b2'")
    try yard.update(to: .moored())
    #expect(try yard.ben.device.cancel("moorings", "b2", by: yard.ben))
    #expect(try moorings(yard.ben) == ["b1 NN 1.5", "b2 South 2.0"])
    try yard.settle()
    #expect(try moorings(yard.anna) == ["b1 NN 1.5", "b2 South 2.0"])
  }

  @Test func `A deletion is undone under the new names`() throws {
    try yard.ben.run("DELETE FROM berths WHERE id = 'b2'")
    try yard.update(to: .moored())
    #expect(try yard.ben.device.cancel("berths", "b2", by: yard.ben))
    #expect(try moorings(yard.ben) == ["b1 North 1.5", "b2 South 2.0"])
    #expect(try yard.ben.nextPush() == nil)
  }

  @Test func `A row is found by the name of its table in the app`() throws {
    try yard.update(to: .moored())
    try yard.ben.run("UPDATE moorings SET title = 'N' WHERE id = 'b1'")
    let rows = ["moorings", "berths"].map { RowID(table: $0, id: "b1") }
    let statuses = try yard.ben.device.connection.read { reader in
      try rows.map { try yard.ben.replica.status(of: $0, reader) }
    }
    #expect(statuses == [.pending, .pending])
    let schema = yard.ben.replica.schema
    #expect(schema.present(rows[1]) == rows[0] && schema.sent(rows[0]) == rows[1])
    #expect(schema.presentField("name", of: "berths") == "title")
    #expect(schema.presentField("hours", of: "moorings") == "hours")
  }

  @Test func `A conflict about a renamed column is decided`() throws {
    try yard.anna.run("UPDATE moorings SET title = 'A' WHERE id = 'b1'")
    try yard.ben.run("UPDATE berths SET name = 'B' WHERE id = 'b1'")
    try yard.update(to: .moored())
    try yard.settle()
    let row = RowID(table: "moorings", id: "b1")
    try yard.ben.device.connection.write { writer in
      let replica = yard.ben.replica
      let conflict = try #require(try replica.conflicts(of: row, writer).first)
      #expect(conflict.field == "name" && replica.canRestate([conflict]))
      #expect(try replica.currentValue(of: conflict, writer) == conflict.winning)
      let former = try replica.row(Mooring.self, id: "b1", reverting: [conflict], writer)
      #expect(former?.title == conflict.losing.string)
      #expect(try replica.revert(conflict, writer))
    }
    try yard.settle()
    #expect(try moorings(yard.anna) == moorings(yard.ben))
    let scope = try ScopeID(kind: "charter", value: "c1")
    let conflicts = try yard.anna.device.connection.read {
      try yard.anna.replica.conflicts(in: scope, $0)
    }
    let field = try yard.serverFields("berths", "b1")["name"]
    #expect(conflicts.count == 1 && field == conflicts.first?.losing)
  }

  @Test func `A scope and an author are found by renamed columns`() throws {
    let table = SyncTable(
      Mooring.self, scope: .kind("charter", \.charterID), writers: .author(\.title),
      .formerly(\.charterID, "charter"), .formerly(\.title, "author"))
    let manifest = try SyncSchema(version: 1, table).manifest["moorings"]
    #expect(manifest?.scopeColumn == "charter" && manifest?.writers == .author("author"))
    #expect(manifest?["charter"]?.presentName == "charterID")
  }

  @Test(arguments: [
    SyncTable(
      Mooring.self, scope: .kind("charter", \.charterID), .formerly(\.title, "hours")),
    SyncTable(
      Mooring.self, scope: .kind("charter", \.charterID), .formerly(\.title, "a"),
      .formerly(\.title, "b")),
    SyncTable(Mooring.self, scope: .kind("charter", \.charterID), .formerly(\.id, "key")),
    SyncTable(
      Mooring.self, scope: .kind("charter", \.charterID), .retired("hours", as: Double?.self)),
    SyncTable(
      Mooring.self, scope: .kind("charter", \.charterID),
      .derived(\.title, from: "text") { (text: String) in text }),
    SyncTable(
      Mooring.self, scope: .kind("charter", \.charterID), .retired("text", as: String.self),
      .local(\.hours), .derived(\.hours, from: "text") { (text: String) in Double(text) }),
  ])
  func `Names and derivations that contradict each other are refused`(_ table: SyncTable) {
    #expect { _ = try SyncSchema(version: 2, table) } throws: {
      ($0 as? ReplicaError)?.code == .declaration
    }
  }
}
