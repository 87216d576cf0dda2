import Offshore
import OffshoreSync
import OffshoreWire

extension Schedule {
  /// What a device keeps as a scope's digest is the sum over what it has.
  func checkDigests(_ device: SimulatedDevice) throws {}
}
