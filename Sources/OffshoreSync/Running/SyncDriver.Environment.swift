public import Foundation

extension SyncDriver {
  /// The sources of time, randomness and ids.
  public struct Environment: Sendable {
    /// The device's clock, in milliseconds since 1970.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    /// A source of random numbers.
    public var random: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
    /// A source of new ids.
    public var makeID: @Sendable () -> UUID = { UUID() }
    /// The function that suspends a task for a duration.
    ///
    /// If the task is cancelled, it has to return or throw at once, because ``SyncDriver/stop()``
    /// waits for it.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates the environment with the sources of the system.
    public init() {}
  }
}
