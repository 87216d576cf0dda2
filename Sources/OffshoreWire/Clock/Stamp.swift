/// The time of an edit by a hybrid logical clock, which is the version of each field that it wrote.
///
/// Stamps of different edits are never equal, and an edit has a later stamp than every edit that it
/// has seen. Stamps are compared by milliseconds, then counter, then device. See [Kulkarni et
/// al.](https://cse.buffalo.edu/tech-reports/2014-04.pdf).
public struct Stamp: Hashable, Sendable {
  /// The milliseconds in the upper 48 bits, the counter in the lower 16.
  let time: UInt64
  /// The device that made the edit.
  public let device: DeviceID

  init(time: UInt64, device: DeviceID) {
    self.time = time
    self.device = device
  }

  /// Creates a stamp.
  /// - Parameters:
  ///   - milliseconds: the milliseconds since 1970-01-01 00:00 UTC, from 0 to 2⁴⁸ − 1; others are
  ///     clamped.
  ///   - counter: the number that distinguishes edits of the same millisecond.
  ///   - device: the device that made the edit.
  public init(milliseconds: Int64, counter: UInt16 = 0, device: DeviceID) {
    self.init(time: Self.time(of: milliseconds) | UInt64(counter), device: device)
  }

  /// The milliseconds that a stamp can have, which are 48 bits, up to the year 10889.
  package static let range: ClosedRange<Int64> = 0...0xFFFF_FFFF_FFFF

  /// Milliseconds since 1970-01-01 00:00 UTC.
  public var milliseconds: Int64 { Int64(time >> 16) }

  /// The number that distinguishes edits of the same millisecond.
  public var counter: UInt16 { UInt16(truncatingIfNeeded: time) }

  /// Returns the stamp with its time limited, as a server stores it.
  ///
  /// A server passes its own time and a tolerance in milliseconds. So a device whose clock is ahead
  /// does not win over all others until that time has come.
  package func clamped(to limit: Int64) -> Stamp {
    Stamp(time: min(time, Self.time(of: limit) | 0xFFFF), device: device)
  }

  /// Returns the first stamp of a device after this one.
  func next(by device: DeviceID) -> Stamp {
    // NB: The counter carries into the milliseconds. The greatest time has no successor and stays.
    Stamp(time: time == .max ? time : time + 1, device: device)
  }

  /// Returns the milliseconds, clamped to ``range``, in the upper 48 bits, with 0 below.
  static func time(of milliseconds: Int64) -> UInt64 {
    UInt64(min(max(milliseconds, range.lowerBound), range.upperBound)) << 16
  }
}

extension Stamp: Comparable {
  /// Returns whether a stamp is earlier than another.
  public static func < (left: Stamp, right: Stamp) -> Bool {
    left.time == right.time ? left.device < right.device : left.time < right.time
  }
}

extension Stamp: CustomStringConvertible {
  /// Milliseconds, counter, and device.
  public var description: String { "\(milliseconds).\(counter)@\(device)" }
}

/// The encoding has 24 bytes: the time, then the device. The bytes compare as the stamps do.
extension Stamp: WireCodable {
  package static var leastByteCount: Int { 24 }

  package func encode(into writer: inout WireWriter) {
    writer.fixed(time.byteSwapped)
    device.encode(into: &writer)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(time: try reader.fixed().byteSwapped, device: try DeviceID(from: &reader))
  }
}
