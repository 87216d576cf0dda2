import OffshoreWire

/// When an edit was made: 48 bits of milliseconds, 16 of a counter, then the device.
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

  /// The first stamp of a device after this one.
  func following(by device: DeviceID) -> ModelStamp { ModelStamp(time: time + 1, device: device) }

  /// The stamp, or the last of a millisecond where it lies after that.
  func notAfter(_ milliseconds: Int64) -> ModelStamp {
    let last = UInt64(milliseconds + 1) << 16 - 1
    return ModelStamp(time: min(time, last), device: device)
  }
}
