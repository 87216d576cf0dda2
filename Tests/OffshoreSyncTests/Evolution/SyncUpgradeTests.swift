import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Changes that are pending while the app is updated.
struct SyncUpgradeTests {
  private let device: TestDevice
  private let former: Outbox
  private let outbox: Outbox

  init() throws {
    let first = try Release.first()
    device = try TestDevice(first.schema, creating: first.statements)
    former = Outbox(first.schema)
    outbox = Outbox(try Release.renamed().schema)
    try device.run("INSERT INTO berths VALUES ('b1', 'c1', 'North', 1.5), ('b2', 'c1', 'South', 2)")
    _ = try device.seal()
  }

  private func update() throws {
    try device.connection.migrate([
      Migration("v2") { writer in
        for sql in try Release.renamed().steps[1].statements { try sql.run(writer) }
      }
    ])
    try device.install(outbox.schema)
  }

  private func seal() throws -> Op? {
    try device.connection.write { try outbox.seal($0, at: TestDevice.now, makeID: device.nextID) }
      .op
  }

  private func berths() throws -> [String] {
    try device.texts("SELECT quote(id) || quote(title) || quote(hours) FROM berths ORDER BY id")
  }

  private func journalNumber(_ column: SQL) throws -> [String] {
    try device.texts("SELECT quote(\(column)) FROM _outbox ORDER BY seq")
  }

  @Test func `An edit of a renamed column is sent under the new name`() throws {
    try device.run("UPDATE berths SET name = 'N' WHERE id = 'b1'")
    try update()
    let op = try seal()
    #expect(op?.kind == .patch && op?.fields == ["title": "N"])
  }

  @Test func `An edit of a converted column is sent as converted`() throws {
    try device.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    try update()
    let op = try seal()
    #expect(op?.fields == ["hours": .real(180)])
  }

  @Test func `An edit that was reverted is not sent, even if its column is converted`() throws {
    try device.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    try device.run("UPDATE berths SET hours = 1.5 WHERE id = 'b1'")
    try update()
    #expect(try seal() == nil)
    #expect(try device.number("SELECT count(*) FROM _outbox") == 0)
  }

  @Test func `Base and earlier transactions are derived from converted values`() throws {
    try device.run("UPDATE berths SET hours = 3, name = 'N' WHERE id = 'b1'")
    try device.run("UPDATE berths SET hours = 4, name = 'NN' WHERE id = 'b1'")
    try update()
    var limits = SealingLimits()
    limits.ops = 2
    let batches = try device.connection.write {
      try outbox.seal($0, at: TestDevice.now, limits: limits, makeID: device.nextID)
    }
    #expect(batches.op?.fields == ["title": "N", "hours": .real(180)])
    #expect(batches.op?.base["hours"] != nil)
    #expect(try seal()?.fields == ["title": "NN", "hours": .real(240)])
  }

  @Test func `Cancelling restores converted values under the new name`() throws {
    try device.run("UPDATE berths SET hours = 3, name = 'N' WHERE id = 'b1'")
    try device.run("DELETE FROM berths WHERE id = 'b2'")
    try update()
    for id in ["b1", "b2"] {
      let isCancelled = try device.connection.write {
        try outbox.cancel(RowID(table: "berths", id: id), $0)
      }
      #expect(isCancelled)
    }
    #expect(try berths() == ["'b1''North'90.0", "'b2''South'120.0"])
    #expect(try device.number("SELECT count(*) FROM _outbox") == 0)
  }

  @Test func `An upgrade is applied once`() throws {
    try device.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    try update()
    let before = try journalNumber("o2")
    try device.install(outbox.schema)
    #expect(try journalNumber("o2") == before)
    #expect(before == ["90.0"])
  }

  @Test func `A change made after the update is not upgraded`() throws {
    try update()
    try device.run("UPDATE berths SET hours = 3, title = 'N' WHERE id = 'b1'")
    try device.install(outbox.schema)
    #expect(try journalNumber("o2") == ["90.0"])
  }

  @Test func `A sealed change is not upgraded`() throws {
    try device.run("UPDATE berths SET name = 'N' WHERE id = 'b1'")
    let sealed = try device.seal()
    try update()
    let batches = try device.connection.read { try outbox.sealedBatches($0) }
    #expect(batches.last == sealed.last && sealed.op?.fields == ["name": "N"])
  }

  @Test func `Upgrades are applied in the order of their versions`() throws {
    let doubling: @Sendable (WireValue) -> WireValue = { value in
      guard case .real(let hours) = value else { return value }
      return .real(hours * 2)
    }
    let adding: @Sendable (WireValue) -> WireValue = { value in
      guard case .real(let hours) = value else { return value }
      return .real(hours + 1)
    }
    try device.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    let schema = try SyncSchema(
      version: 3,
      SyncTable(FirstBerth.self, scope: .kind("charter", \.charterID)),
      upgrades: [
        SyncUpgrade(to: 3, table: "berths", converted: ["hours": doubling]),
        SyncUpgrade(to: 2, table: "berths", converted: ["hours": adding]),
      ])
    try device.install(schema)
    #expect(try journalNumber("o2") == ["5.0"])
  }

  @Test func `Columns may swap their names, and one may get a removed one's name`() throws {
    var layout = CaptureLayout()
    layout = try layout.adapted(to: former.schema) { _ in false }
    layout.rename(["charterID": "name", "name": "charterID"], in: 0)
    #expect(layout.tables[0].columns == ["name", "charterID", "hours"])
    layout.rename(["name": "hours"], in: 0)
    #expect(layout.tables[0].columns == ["hours", "charterID", ""])
  }

  @Test(arguments: [
    SyncUpgrade(to: 1, table: "berths"), SyncUpgrade(to: 3, table: "berths"),
    SyncUpgrade(to: 2, table: "berths", renamed: ["a": "c", "b": "c"]),
  ])
  func `An upgrade that contradicts itself or the schema is refused`(_ upgrade: SyncUpgrade) {
    #expect {
      _ = try SyncSchema(
        version: 2, SyncTable(FirstBerth.self, scope: .kind("charter", \.charterID)),
        upgrades: [upgrade])
    } throws: {
      ($0 as? ReplicaError)?.code == .declaration
    }
  }

  @Test func `A pending edit under a new name is shown instead of the server's value`() throws {
    let yard = try Shipyard(.twoNamed(), .first())
    try yard.anna.run("INSERT INTO berths VALUES ('b1', 'c1', 'North', 'Norden', 1)")
    try yard.settle()
    try yard.ben.run("UPDATE berths SET name = 'N'")
    try yard.update(to: .renamed())
    #expect(try yard.ben.device.texts("SELECT title FROM berths") == ["N"])
    try yard.settle()
    #expect(try yard.anna.device.texts("SELECT name || title FROM berths") == ["NorthN"])
  }

  @Test func `Cancelling such an edit shows the server's value`() throws {
    let yard = try Shipyard(.twoNamed(), .first())
    try yard.anna.run("INSERT INTO berths VALUES ('b1', 'c1', 'North', 'Norden', 1)")
    try yard.settle()
    try yard.ben.run("UPDATE berths SET name = 'N'")
    try yard.update(to: .renamed())
    #expect(try yard.ben.device.cancel("berths", "b1", by: yard.ben))
    #expect(try yard.ben.device.texts("SELECT title FROM berths") == ["Norden"])
    #expect(try yard.ben.nextPush() == nil)
  }
}
