import Offshore
import OffshoreWire

/// The identity of the device and its progress, stored in `_state`.
struct ReplicaState: Equatable {
  private(set) var device: DeviceID
  /// The clock of the device's edits.
  var clock: HybridClock
  /// The epoch of the server's data at the last pull, or 0.
  var epoch: UInt64
  /// The number of the last received change of a grant, or 0.
  var grants: Int64

  /// Reads the state.
  /// - Throws: ``ReplicaError``: `notInstalled` if the file has not been prepared, or was prepared
  ///   by another version of the layout; `damaged` if the state cannot be parsed. `DatabaseError`.
  init(_ reader: Reader) throws {
    let (version, state) = try StateRow.required { try Self.stored.first(reader) }
    guard version == DeviceTables.version else { throw StateRow.notPrepared }
    self = state
  }

  // NB: Composed once, because it runs several times for each request.
  private static let stored = StateRow.all.select(make) { state in
    state.version
    state.device
    state.latest
    state.ahead
    state.epoch
    state.grants
  }

  private init(device: DeviceID, clock: HybridClock, epoch: UInt64, grants: Int64) {
    (self.device, self.clock, self.epoch, self.grants) = (device, clock, epoch, grants)
  }

  private static func make(
    version: Int, device: DeviceID, latest: Stamp, ahead: Int64?, epoch: UInt64, grants: Int64
  ) -> (version: Int, state: ReplicaState) {
    let clock = HybridClock(
      device: device, latest: latest, offset: ClockOffset(milliseconds: ahead))
    return (version, ReplicaState(device: device, clock: clock, epoch: epoch, grants: grants))
  }

  /// Sets another device id. Later stamps still come after all earlier ones.
  mutating func rename(_ device: DeviceID) {
    self.device = device
    clock = HybridClock(device: device, latest: clock.latest, offset: clock.offset)
  }

  // NB: SQL, because it runs several times for each request.
  func save(_ writer: Writer) throws {
    try SQL(
      """
      UPDATE _state SET device = \(device, as: CodecKind<MessageCodec>()),
        clock = \(clock.latest, as: CodecKind<MessageCodec>()),
        ahead = \(clock.offset.milliseconds), epoch = \(epoch, as: .bits), grants = \(grants)
      """
    ).run(writer)
  }
}
