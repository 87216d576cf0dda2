import Foundation
import Offshore
import OffshoreWire

/// What `_state` says of the device: who it is, what time it is, and what it has heard of.
struct DeviceState {
  var device: DeviceID
  var clock: HybridClock
  /// The epoch of the server's data that was pulled last, or 0.
  var epoch: UInt64
  /// The number of the last change of a grant that was heard of, or 0.
  var grants: Int64

  /// Reads the row.
  /// - Throws: ``SyncError`` with the code `notInstalled` where there is none, `damaged` where it is
  ///   not what was written.
  init(_ reader: Reader) throws {
    let row: (Int, Data, Data, Int64?, Int64, Int64)?
    do {
      row = try SQL("SELECT version, device, clock, ahead, epoch, grants FROM _state WHERE k = 1")
        .one(
          reader, as: Int.self, Data.self, Data.self, Int64?.self, Int64.self, Int64.self)
    } catch let error as DatabaseError where error.code == .invalidSQL {
      throw Self.notInstalled
    }
    guard let (version, device, clock, ahead, epoch, grants) = row,
      version == DeviceTables.version
    else { throw Self.notInstalled }
    do {
      self.device = try DeviceID(decoding: Array(device))
      self.clock = HybridClock(
        device: self.device, latest: try Stamp(decoding: Array(clock)),
        offset: ClockOffset(milliseconds: ahead))
      self.epoch = UInt64(bitPattern: epoch)
      self.grants = grants
    } catch {
      throw Self.damaged
    }
  }

  /// Takes another name, under which stamps go on from where they are.
  mutating func rename(_ device: DeviceID) {
    self.device = device
    clock = HybridClock(device: device, latest: clock.latest, offset: clock.offset)
  }

  func save(_ writer: Writer) throws {
    try SQL(
      """
      UPDATE _state SET device = \(Data(device.encoded())),
        clock = \(Data(clock.latest.encoded())), ahead = \(clock.offset.milliseconds),
        epoch = \(Int64(bitPattern: epoch)), grants = \(grants) WHERE k = 1
      """
    ).run(writer)
  }

  fileprivate static let notInstalled = SyncError(
    .notInstalled, "The file has not been prepared for syncing. Prepare it.")
  fileprivate static let damaged = SyncError(
    .damaged, "“_state” is not readable. Restore the file from a backup.")
}

extension CaptureLayout {
  /// Reads where columns are in the journal.
  /// - Throws: ``SyncError`` with the code `notInstalled` where it is nowhere, `damaged` where it is
  ///   not what was written.
  init(_ reader: Reader) throws {
    let text: String?
    do {
      text = try SQL("SELECT layout FROM _state WHERE k = 1").one(reader, as: String.self)
    } catch let error as DatabaseError where error.code == .invalidSQL {
      throw DeviceState.notInstalled
    }
    do {
      self = try JSONDecoder().decode(CaptureLayout.self, from: Data((text ?? "").utf8))
    } catch {
      throw DeviceState.damaged
    }
  }
}
