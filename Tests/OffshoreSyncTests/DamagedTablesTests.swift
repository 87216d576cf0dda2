import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// A file whose tables of the library are damaged.
struct DamagedTablesTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    try device.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    _ = try device.seal()
  }

  @Test(arguments: [
    "UPDATE _batch SET content = x'FF'", "UPDATE _batch SET device = 'x'",
    "UPDATE _batch SET scope = 'charter'",
  ])
  func `A damaged batch is no entry that a user can delete, and the error says what to do`(
    damage: SQL
  ) throws {
    try device.run(damage)
    let error = #expect(throws: DatabaseError.self) {
      try device.connection.read { try SealedBatch.order { $0.key }.all($0) }
    }
    #expect(error?.code == .invalidValue && error?.isUnreadableRow == false)
    #expect(error?.message.contains("Restore the file from a backup.") == true)
  }

  @Test(arguments: [
    "UPDATE _row SET state = x'FF'", "UPDATE _row SET state = 'x'",
    "UPDATE _shadow SET state = x'FF'", "UPDATE _shadow SET state = 'x'",
  ])
  func `A damaged state of a row is reported, and is not taken for a row that does not exist`(
    damage: SQL
  ) throws {
    try device.run("UPDATE _shadow SET state = (SELECT state FROM _row)")
    try device.run(damage)
    let error = #expect(throws: ReplicaError.self) {
      try device.connection.write { writer in
        _ = try RowEntries(writer: writer).all(of: RowID(table: "charters", id: "c1"))
      }
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("Restore the file from a backup.") == true)
  }

  @Test func `An unknown step of a repair counts as none`() throws {
    try device.run("UPDATE _cursor SET doubt = 99")
    let cursors = try device.connection.read { try ScopeCursor.inOrder($0) }
    #expect(cursors.map(\.doubt) == [.none])
  }
}
