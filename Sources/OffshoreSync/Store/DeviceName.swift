package import Offshore
package import OffshoreWire
import Synchronization

/// The name under which this device makes edits, read once.
///
/// NB: It is stored in a row that every change touches, so an observation must not read it each time.
package final class DeviceName: Sendable {
  private let known = Mutex<DeviceID?>(nil)

  package init() {}

  package func device(_ replica: Replica, _ reader: Reader) throws -> DeviceID {
    if let device = known.withLock(\.self) { return device }
    let device = try replica.device(reader)
    known.withLock { $0 = device }
    return device
  }
}
