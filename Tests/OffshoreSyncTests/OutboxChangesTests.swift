import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

/// The pending changes that a device reports.
struct OutboxChangesTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    try device.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')", "INSERT INTO charters VALUES ('c2', 'Luna')")
    _ = try device.sealAll()
    try device.run("DELETE FROM _batch")
  }

  private func changes() throws -> [OutboxChange] {
    try device.connection.read { try device.outbox.changes($0) }
  }

  /// A line for each pending change.
  private func lines() throws -> [String] {
    try changes().map { "\($0.row) \($0.kind)\($0.isSealed ? " sealed" : "")" }
  }

  private func pending() throws -> Int {
    try device.connection.read { try Replica(device.outbox.schema).status($0).pending }
  }

  @Test func `Nothing is pending without changes`() throws {
    #expect(try lines() == [])
  }

  @Test func `Each row counts once, with its former values`() throws {
    try device.run("UPDATE charters SET name = 'Vega' WHERE id = 'c1'")
    try device.run("UPDATE charters SET name = 'Mira' WHERE id = 'c1'")
    try device.connection.write { try Task("t1").insert($0) }
    #expect(try lines() == ["charters/c1 updated", "tasks/t1 inserted"])
    #expect(try changes()[0].former["name"]?.string == "Alma")
    #expect(try changes()[0].transaction == device.transactions()[1])
    #expect(try pending() == 2)
  }

  @Test func `A deleted row has its former values`() throws {
    try device.run("DELETE FROM charters WHERE id = 'c2'")
    let change = try #require(try changes().first)
    #expect(change.kind == .deleted && change.former["name"]?.string == "Luna")
  }

  @Test func `A change that was reverted is not pending`() throws {
    try device.run("UPDATE charters SET name = 'Vega' WHERE id = 'c1'")
    try device.run("UPDATE charters SET name = 'Alma' WHERE id = 'c1'")
    try device.connection.write { try Task("t1").insert($0) }
    try device.run("DELETE FROM tasks")
    #expect(try lines() == [])
    #expect(try pending() == 0)
  }

  @Test func `A sealed change is separate from a later change of the same row`() throws {
    try device.run("UPDATE charters SET name = 'Vega' WHERE id = 'c1'")
    _ = try device.seal(at: 7_000)
    #expect(try lines() == ["charters/c1 updated sealed"])
    #expect(try changes()[0].date != nil)
    try device.run("UPDATE charters SET name = 'Mira' WHERE id = 'c1'")
    #expect(try Set(lines()) == ["charters/c1 updated sealed", "charters/c1 updated"])
    #expect(try Set(changes().map(\.id)).count == 2)
    #expect(try device.cancel("charters", "c1"))
    #expect(try lines() == ["charters/c1 updated sealed"])
  }

  @Test func `Rows that were inserted together are cancelled together, without a trace`() throws {
    try device.run(
      "INSERT INTO charters VALUES ('c3', 'Nova')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c3', 'Sails', 0)")
    let rows = try changes().map(\.row)
    #expect(rows.count == 2)
    #expect(try device.connection.write { try device.outbox.cancel(rows, $0) })
    #expect(try device.texts("SELECT id FROM charters ORDER BY id") == ["c1", "c2"])
    #expect(try device.journal() == [])
    #expect(try !device.connection.write { try device.outbox.cancel([], $0) })
  }
}
