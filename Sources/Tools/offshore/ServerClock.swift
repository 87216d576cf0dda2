import Foundation

/// The clock of a server.
enum ServerClock {
  /// The milliseconds since 1970.
  static let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
}
