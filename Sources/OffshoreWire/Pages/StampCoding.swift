/// The encoder for the stamps of a page: times as differences, and devices as indices of a list.
struct StampWriter {
  private(set) var devices: [DeviceID] = []
  private var indices: [DeviceID: Int] = [:]
  private var last: Int64 = 0

  /// Adds the device of a stamp to the list. Stamps are added in the order of their encoding.
  mutating func addDevice(of stamp: Stamp) {
    guard stamp.device != devices.last, indices[stamp.device] == nil else { return }
    indices[stamp.device] = devices.count
    devices.append(stamp.device)
  }

  mutating func write(_ stamp: Stamp, to writer: inout WireWriter) {
    writer.count(devices.count == 1 ? 0 : indices[stamp.device] ?? 0)
    writer.signed(stamp.milliseconds - last)
    writer.number(UInt64(stamp.counter))
    last = stamp.milliseconds
  }
}

/// The parser for the stamps that ``StampWriter`` encodes.
struct StampReader {
  private let devices: [DeviceID]
  private var last: Int64 = 0
  /// The number of devices that had a stamp so far. Devices are listed in the order of their first
  /// stamp.
  private var used = 0

  init(_ devices: [DeviceID]) { self.devices = devices }

  mutating func read(_ reader: inout WireReader) throws(WireError) -> Stamp {
    let index = try reader.number()
    guard index <= UInt64(used), index < UInt64(devices.count) else {
      throw reader.malformed("A stamp is of no listed device.")
    }
    used = max(used, Int(index) + 1)
    let (milliseconds, overflows) = last.addingReportingOverflow(try reader.signed())
    guard !overflows, Stamp.range.contains(milliseconds) else {
      throw reader.malformed("A stamp has a time that no stamp can have.")
    }
    guard let counter = UInt16(exactly: try reader.number()) else {
      throw reader.malformed("A stamp has a counter that no stamp can have.")
    }
    last = milliseconds
    return Stamp(milliseconds: milliseconds, counter: counter, device: devices[Int(index)])
  }

  /// Checks that each listed device had a stamp, and that no device is listed twice.
  func finish(_ reader: WireReader) throws(WireError) {
    guard used == devices.count, Set(devices).count == devices.count else {
      throw reader.malformed("A page lists devices that it has no stamps of, or one twice.")
    }
  }
}
