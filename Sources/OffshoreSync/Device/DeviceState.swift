import Foundation
import Offshore
import OffshoreWire

/// The part of `_state` about the device and its progress.
struct DeviceState {
  var device: DeviceID
  var clock: HybridClock
  /// The epoch of the server's data at the last pull, or 0.
  var epoch: UInt64
  /// The number of the last received change of a grant, or 0.
  var grants: Int64

  /// Reads the row of `_state`.
  /// - Throws: ``SyncError``: `notInstalled` if the row is missing or has another version,
  ///   `damaged` if it cannot be parsed.
  init(_ reader: Reader) throws {
    let row: (Int, Data, Data, Int64?, Int64, Int64)?
    do {
      row = try SQL("SELECT version, device, clock, ahead, epoch, grants FROM _state WHERE k = 1")
        .first(
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

  /// Sets another device id. Later stamps still come after all earlier ones.
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
  /// Reads the layout of the journal.
  /// - Throws: ``SyncError``: `notInstalled` if the table `_state` is missing, `damaged` if the
  ///   layout cannot be parsed.
  init(_ reader: Reader) throws {
    let text: String?
    do {
      text = try SQL("SELECT layout FROM _state WHERE k = 1").first(reader, as: String.self)
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
