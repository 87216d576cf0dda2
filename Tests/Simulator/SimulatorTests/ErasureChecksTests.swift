import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

@testable import OffshoreSimulator

struct ErasureChecksTests {
  @Test(arguments: ["~1.2", "abc~1.2", "~~1.2x", "~.~10.20 ~"])
  func `A text of a user is found among other bytes`(content: String) {
    #expect(Text.first(in: Array(content.utf8))?.hasPrefix("~1") == true)
  }

  @Test(arguments: ["", "~", "1.2", "~1", "~1.", "~.2", "~a.2", "~ 1.2"])
  func `Other bytes are no text`(content: String) {
    #expect(Text.first(in: Array(content.utf8)) == nil)
  }

  /// Returns a device with a board.
  private func device(_ files: DeviceFiles) throws -> SimulatedDevice {
    let version = try AppVersion(2, hasFiles: true)
    let device = try SimulatedDevice(
      0, AccountID(Samples.device(1).uuid), version, file: try files.make(version.template),
      skew: 0, newID: Samples.device(1))
    try device.change("INSERT INTO boards VALUES ('b1', '~0.1', 0, 'draft')")
    device.folder.add([1], at: 0)
    return device
  }

  @Test(arguments: SimulatedDevice.Stop.allCases)
  func `An erased device has nothing, and continues with another account`(
    stop: SimulatedDevice.Stop
  ) throws {
    let files = try DeviceFiles(seed: 4_713)
    let (device, account) = (try device(files), AccountID(Samples.device(2).uuid))
    try device.erase(for: account, stop: stop, nil)
    try ErasureChecks(device: device).run()
    try device.signIn(as: Samples.device(2))
    #expect(device.account == account)
    #expect(try device.rows().isEmpty)
    try device.change("INSERT INTO boards VALUES ('b2', '~0.2', 0, 'draft')")
    let id = try device.connection.read { try device.replica.device($0) }
    #expect(id == Samples.device(2))
    #expect(try device.number("SELECT count(*) FROM _outbox") == 1)
  }

  // If the content was replaced, closing the file in order overwrites its former pages.
  @Test(arguments: [SimulatedDevice.Stop.never, .requested])
  func `An incomplete erasure is detected`(stop: SimulatedDevice.Stop) throws {
    let files = try DeviceFiles(seed: 4_714)
    let device = try device(files)
    try device.erase(for: device.account, stop: stop, .halfErased)
    let error = #expect(throws: Violation.self) { try ErasureChecks(device: device).run() }
    #expect(error?.invariant == .erasure)
  }
}
