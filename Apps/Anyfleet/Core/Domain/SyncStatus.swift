/// How far a change has got on its way to other devices.
public enum SyncStatus: String, CaseIterable, Codable, Sendable {
  /// It is on this device only.
  case pending
  /// Other devices have it, or can get it.
  case synced
  /// The exchange refused it.
  case error
}
