import Foundation
import Offshore
import OffshoreWire

/// The row of `_state`: who the device is, what time it is, and where columns are in the journal.
struct DeviceState {
  var device: DeviceID
  var clock: HybridClock
  /// The epoch of the server's data that was pulled last, or 0.
  var epoch: UInt64
  /// The number of the last change of a grant that was heard of, or 0.
  var grants: Int64
  let layout: CaptureLayout

  /// Reads the row.
  /// - Throws: ``SyncError`` with the code `notInstalled` where there is none, `damaged` where it is
  ///   not what was written.
  init(_ reader: Reader) throws {
    guard try DeviceTables.version(reader) == DeviceTables.version else {
      throw SyncError(.notInstalled, "The file has not been prepared for syncing. Prepare it.")
    }
    let row = try SQL("SELECT device, clock, ahead, epoch, grants, layout FROM _state WHERE k = 1")
      .one(reader, as: Data.self, Data.self, Int64?.self, Int64.self, Int64.self, String.self)
    do {
      guard let (device, clock, ahead, epoch, grants, layout) = row else { throw Damage() }
      self.device = try DeviceID(decoding: Array(device))
      self.clock = HybridClock(
        device: self.device, latest: try Stamp(decoding: Array(clock)),
        offset: ClockOffset(milliseconds: ahead))
      self.epoch = UInt64(bitPattern: epoch)
      self.grants = grants
      self.layout = try JSONDecoder().decode(CaptureLayout.self, from: Data(layout.utf8))
    } catch {
      throw SyncError(.damaged, "“_state” is not readable. Restore the file from a backup.")
    }
  }

  /// Takes another name, under which stamps go on from where they are.
  mutating func rename(_ device: DeviceID) {
    self.device = device
    clock = HybridClock(device: device, latest: clock.latest, offset: clock.offset)
  }

  /// Keeps all but the layout.
  func save(_ writer: Writer) throws {
    try SQL(
      """
      UPDATE _state SET device = \(Data(device.encoded())),
        clock = \(Data(clock.latest.encoded())), ahead = \(clock.offset.milliseconds),
        epoch = \(Int64(bitPattern: epoch)), grants = \(grants) WHERE k = 1
      """
    ).run(writer)
  }

  private struct Damage: Error {}
}
