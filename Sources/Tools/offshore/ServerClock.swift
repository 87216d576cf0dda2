import Foundation

/// The clock that everything of a server is dated by.
enum ServerClock {
  /// Milliseconds since 1970.
  static let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
}
