import Synchronization

/// A source of random numbers: unpredictable ones, or a repeatable sequence from a seed.
///
/// ```swift
/// var random = DependencyValues.current.random
/// let winner = guests.randomElement(using: &random)
/// ```
///
/// All copies of one source share its sequence.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private let seeded: SeededNumbers?

  /// Creates a source of unpredictable numbers from the system.
  public init() { seeded = nil }

  /// Creates a source with the same sequence for the same seed, for tests. It is not fit for
  /// secrets.
  public init(seed: UInt64) { seeded = SeededNumbers(seed) }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    guard let seeded else {
      var system = SystemRandomNumberGenerator()
      return system.next()
    }
    return seeded.next()
  }
}

/// SplitMix64: [Steele, Lea and Flood](https://doi.org/10.1145/2714064.2660195).
private final class SeededNumbers: Sendable {
  private let state: Mutex<UInt64>

  init(_ seed: UInt64) { state = Mutex(seed) }

  func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
