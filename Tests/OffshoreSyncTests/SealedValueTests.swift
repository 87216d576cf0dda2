import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

/// Values of each kind, from the statement that stores them to the op that is sent.
struct SealedValueTests {
  private static let cases: [(sql: SQL, value: WireValue)] = [
    ("NULL", .null), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)),
    ("0.1 + 0.2", .real(0.1 + 0.2)), ("9e999", .real(.infinity)),
    ("5e-324", .real(.leastNonzeroMagnitude)),
    ("1.0", .real(1)), ("x''", .blob([])), ("x'00FF'", .blob([0, 255])), ("''", ""),
    ("'Öl ' || char(0) || '⛵'", "Öl \0⛵"), ("CAST(x'FF41' AS TEXT)", .text([0xFF, 0x41])),
  ]

  private let device: TestDevice

  init() throws {
    device = try TestDevice(isInstalled: false)
    try device.run(Cell.creation)
    try device.install(try Cell.schema())
    try device.run("INSERT INTO cells VALUES ('a', 0)")
  }

  private func seal() throws -> [Batch] {
    let outbox = Outbox(try Cell.schema())
    return try device.connection.write { try outbox.seal($0, at: 1) { UUID() } }
  }

  @Test(arguments: cases.indices) func `A value is sealed bit for bit`(_ index: Int) throws {
    _ = try seal()
    let (sql, value) = Self.cases[index]
    try device.run("UPDATE cells SET content = \(sql)")
    let batch = try #require(try seal().first)
    #expect(batch.ops.first?.fields == ["content": value])
    #expect(try Batch(decoding: batch.encoded()) == batch)
  }

  @Test(arguments: cases.indices) func `Cancelling restores each value exactly`(_ index: Int) throws
  {
    let (sql, _) = Self.cases[index]
    try device.run("UPDATE cells SET content = \(sql)")
    _ = try seal()
    let kept: SQL = "SELECT typeof(content) || hex(content) FROM cells"
    let before = try device.texts(kept)
    try device.run("UPDATE cells SET content = 'another'")
    let outbox = Outbox(try Cell.schema())
    let isCancelled = try device.connection.write {
      try outbox.cancel(RowID(table: "cells", id: "a"), $0)
    }
    #expect(isCancelled)
    #expect(try device.texts(kept) == before)
    #expect(try device.number("SELECT count(*) FROM cells WHERE content IS \(sql)") == 1)
  }

  @Test func `A change from an integer to the equal real is sent`() throws {
    try device.run("UPDATE cells SET content = 1")
    _ = try seal()
    try device.run("UPDATE cells SET content = 1.0")
    #expect(try seal().first?.ops.first?.fields == ["content": .real(1)])
  }
}

/// A row with a value of any type.
private struct Cell: Record {
  let id: String
  var content: String?
  static let table = Table(
    "cells", Cell.init, Column("id", \.id).primaryKey(), Column("content", \.content).type("ANY"))
  static let creation: SQL = "CREATE TABLE cells (id TEXT PRIMARY KEY NOT NULL, content ANY) STRICT"

  static func schema() throws -> SyncSchema {
    try SyncSchema(version: 1, SyncTable(Cell.self, scope: .kind("cell", \.id)))
  }
}
