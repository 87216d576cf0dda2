import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

@testable import OffshoreSimulator

/// Tests of the record of cancelled changes.
struct CancelledTextsTests {
  private let files: DeviceFiles
  private let device: SimulatedDevice
  private let row = RowID(table: "boards", id: "b1")
  private let texts: Set<[UInt8]> = [Array("~0.1".utf8), Array("b1".utf8)]

  init() throws {
    files = try DeviceFiles(seed: 4_715)
    let version = try AppVersion(2)
    device = try SimulatedDevice(
      0, AccountID(Samples.device(1).uuid), version, file: try files.make(version.template),
      skew: 0, newID: Samples.device(1))
    try device.change("INSERT INTO boards VALUES ('b1', '~0.1', 0, 'draft')")
  }

  @Test func `A text that is shown and captured is not cancelled`() throws {
    #expect(try device.texts(of: row).contains(Array("~0.1".utf8)))
    try device.noteCancelled(texts, of: row)
    #expect(device.cancelled == [])
  }

  @Test func `The text of a cancelled insertion is recorded, and no other value`() throws {
    try device.connection.write { _ = try device.replica.outbox.cancel(row, $0) }
    try device.noteCancelled(texts, of: row)
    #expect(device.cancelled == [Array("~0.1".utf8)])
  }

  @Test func `A text in a sealed batch is not cancelled`() throws {
    try device.connection.write { writer in
      _ = try device.replica.outbox.seal(writer, at: 1, makeID: { Samples.device(9).uuid })
    }
    try device.changeUnseen("DELETE FROM boards")
    try device.noteCancelled(texts, of: row)
    #expect(device.cancelled == [])
  }
}
