import Foundation
import Offshore
import OffshoreWire

/// The row of `_state`: who the device is, what time it is, and where columns are in the journal.
struct DeviceState {
  var device: DeviceID
  var clock: HybridClock
  let layout: CaptureLayout

  /// Reads the row.
  /// - Throws: ``SyncError`` with the code `notInstalled` where there is none, `damaged` where it is
  ///   not what was written.
  init(_ reader: Reader) throws {
    guard try DeviceTables.version(reader) == DeviceTables.version else {
      throw SyncError(.notInstalled, "The file has not been prepared for syncing. Prepare it.")
    }
    let row = try SQL("SELECT device, clock, ahead, layout FROM _state WHERE k = 1")
      .one(reader, as: Data.self, Data.self, Int64?.self, String.self)
    do {
      guard let (device, clock, ahead, layout) = row else { throw Damage() }
      self.device = try DeviceID(decoding: Array(device))
      self.clock = HybridClock(
        device: self.device, latest: try Stamp(decoding: Array(clock)),
        offset: ClockOffset(milliseconds: ahead))
      self.layout = try JSONDecoder().decode(CaptureLayout.self, from: Data(layout.utf8))
    } catch {
      throw SyncError(.damaged, "“_state” is not readable. Restore the file from a backup.")
    }
  }

  /// Keeps the clock, so that the next stamp comes after all that were made.
  func saveClock(_ writer: Writer) throws {
    try SQL("UPDATE _state SET clock = \(Data(clock.latest.encoded())) WHERE k = 1").run(writer)
  }

  private struct Damage: Error {}
}
