import Offshore
import OffshoreSync
import OffshoreWire
import Synchronization

/// Knows what this device is called, once it was read.
///
/// NB: It stands in a row that every change touches, so what is observed must not read it each time.
final class DeviceName: Sendable {
  private let known = Mutex<DeviceID?>(nil)

  func device(_ replica: Replica, _ reader: Reader) throws -> DeviceID {
    if let device = known.withLock(\.self) { return device }
    let device = try replica.device(reader)
    known.withLock { $0 = device }
    return device
  }
}
