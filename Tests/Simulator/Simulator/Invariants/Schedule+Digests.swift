import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

extension Schedule {
  /// Checks that a device's digest of each scope is the sum over its rows, and equals the server's
  /// digest if the device has all changes.
  func checkDigests(_ device: SimulatedDevice) throws {
    guard try device.number("SELECT count(*) FROM _outbox") == 0 else { return }
    let sums = try device.connection.write { try device.replica.digests($0) }
    let kept = try device.connection.read {
      try SQL(
        "SELECT scope, epoch, seq, digest FROM _cursor WHERE role IN (1, 2, 3) AND fetch IS NULL"
      ).all($0, as: String.self, Int64.self, Int64.self, Int64.self)
    }
    for (text, epoch, seq, digest) in kept.sorted(by: { $0.0 < $1.0 }) {
      let scope = try ScopeID(text)
      let kept = UInt64(bitPattern: digest)
      guard sums[scope, default: Digest()].value == kept else {
        throw Violation(
          .digest, "The digest of \(device.name) in \(scope) is not that of its rows.")
      }
      let state = server.log.scope(scope)
      guard state.head == seq, state.epoch == UInt64(bitPattern: epoch) else { continue }
      guard state.digest.value == kept else {
        throw Violation(.digest, "\(device.name) has other rows of \(scope) than the server.")
      }
    }
  }

  /// Checks that the pull found no scope whose digest differs from the server's.
  func checkDoubt(_ device: SimulatedDevice, _ report: PullReport) throws {
    if let scope = report.inDoubt.min(by: { $0.text < $1.text }) {
      throw Violation(.digest, "\(device.name) has found another digest of \(scope).")
    }
  }
}
