import OffshoreWire

/// The time of an edit: 48 bits of milliseconds and a 16-bit counter, then the device.
struct ModelStamp: Hashable, Comparable {
  var time: UInt64
  var device: DeviceID

  init(time: UInt64, device: DeviceID) {
    self.time = time
    self.device = device
  }

  init(_ stamp: Stamp) {
    self.init(time: UInt64(stamp.milliseconds) << 16 + UInt64(stamp.counter), device: stamp.device)
  }

  static func < (left: ModelStamp, right: ModelStamp) -> Bool {
    if left.time != right.time { return left.time < right.time }
    return left.device < right.device
  }

  /// Returns the first stamp of a device after this one.
  func following(by device: DeviceID) -> ModelStamp { ModelStamp(time: time + 1, device: device) }

  /// Returns the stamp, or the last stamp of a millisecond if that is earlier.
  func notAfter(_ milliseconds: Int64) -> ModelStamp {
    let last = UInt64(milliseconds + 1) << 16 - 1
    return ModelStamp(time: min(time, last), device: device)
  }
}
