public import Foundation
import Synchronization

/// The dependencies of code: the clock, ids, repositories, and those that an app adds by its own
/// keys.
///
/// ```swift
/// let now = DependencyValues.current.date()
///
/// withDependencies {
///   $0.date = { Date(timeIntervalSince1970: 0) }
/// } operation: {
///   DependencyValues.current.date()  // 1970
/// }
/// ```
///
/// The values belong to a task. Values set by ``withDependencies(_:operation:)`` apply inside it
/// and in the tasks created there, but not in detached tasks. Two tests that run at the same time
/// do not see each other's values. An object that outlives the call captures them by
/// ``Dependency``.
public struct DependencyValues: Sendable {
  /// The kind of process, which determines the values that are not set.
  public enum Context: Sendable {
    /// The running app.
    case live
    /// A preview of screens.
    case preview
    /// A test.
    case test
  }

  /// The values of the current task.
  @TaskLocal public static var current = DependencyValues()

  private var values: [ObjectIdentifier: any Sendable] = [:]
  private var chosenContext: Context?
  private var chosenReport: (@Sendable (_ name: String) -> Void)?

  /// Creates values for the running app, none of them set.
  public init() {}

  /// The kind of process; ``Context/live`` by default.
  public var context: Context {
    get { chosenContext ?? .live }
    set { chosenContext = newValue }
  }

  /// Called with the name of a dependency that a test uses without having set it.
  ///
  /// A client made of closures calls it in place of a closure that was not set, with both names,
  /// such as `persistence.saveLocations`.
  ///
  /// If it returns, the test continues with the preview value. By default it traps, because a test
  /// that uses a live value unnoticed writes to the real disk and calls the real server.
  public var reportUnset: @Sendable (_ name: String) -> Void {
    get { chosenReport ?? Self.trap }
    set { chosenReport = newValue }
  }

  /// The value for a key: the one that was set, or the key's own value for the context.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // NB: A cast of a missing value to an optional type succeeds, so absence is checked first.
      guard let value = values[ObjectIdentifier(key)], let value = value as? Key.Value else {
        return unset(key)
      }
      return value
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  private func unset<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
    switch context {
    case .live: return key.liveValue
    case .preview: return key.previewValue
    case .test:
      if let value = key.testValue { return value }
      reportUnset(key.name)
      return key.previewValue
    }
  }

  /// Reports the use of a closure that a client was created without, and returns a value in its place.
  ///
  /// ```swift
  /// struct Mailer {
  ///   var send: @Sendable (String) async throws -> Bool = { _ in
  ///     DependencyValues.unset("mailer.send", false)
  ///   }
  /// }
  /// ```
  public static func unset<Value>(_ name: String, _ value: Value) -> Value {
    current.reportUnset(name)
    return value
  }

  private static func trap(_ name: String) {
    preconditionFailure(
      "The dependency “\(name)” was used in a test that does not set it. "
        + "Set it by `withDependencies { $0.\(name) = … }`.")
  }

  /// Returns these values, overridden by those that are set in others.
  func overridden(by others: DependencyValues) -> DependencyValues {
    var result = self
    result.values.merge(others.values) { $1 }
    result.chosenContext = others.chosenContext ?? chosenContext
    result.chosenReport = others.chosenReport ?? chosenReport
    return result
  }
}

/// Runs an operation with changed dependencies, and returns its result.
///
/// - Parameters:
///   - change: changes the current values.
///   - operation: runs with the changed values, as do the tasks that it creates.
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs an asynchronous operation with changed dependencies, and returns its result.
///
/// The operation runs on the caller's actor.
///
/// - Parameters:
///   - change: changes the current values.
///   - operation: runs with the changed values, as do the tasks that it creates.
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try await DependencyValues.$current.withValue(
    values, operation: operation, isolation: isolation)
}

// MARK: - Dependencies of every app

// Their values differ in each run. In a test none of them has a value until it is set.

extension DependencyValues {
  /// The clock that measures and waits.
  public var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }

  /// Returns the current date.
  public var date: @Sendable () -> Date {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  /// Returns a new id.
  public var uuid: @Sendable () -> UUID {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  /// The source of random numbers.
  public var random: RandomSource {
    get { self[RandomKey.self] }
    set { self[RandomKey.self] = newValue }
  }

  /// The locale that formats dates and numbers; live, that of the environment's language.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The calendar and time zone in which days begin and end.
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }
}

private enum ClockKey: DependencyKey {
  static var liveValue: any Clock<Duration> { ContinuousClock() }
}

private enum DateKey: DependencyKey {
  static var liveValue: @Sendable () -> Date { { Date() } }
}

private enum UUIDKey: DependencyKey {
  static var liveValue: @Sendable () -> UUID { { UUID() } }
  static var name: String { "uuid" }
}

private enum RandomKey: DependencyKey {
  static var liveValue: RandomSource { RandomSource() }
}

private enum LocaleKey: DependencyKey {
  /// NB: On Linux `Locale.current` is `en_001`, whatever the environment says.
  static let liveValue = language.locale

  private static var language: Language {
    Language(environment: ProcessInfo.processInfo.environment, among: Language.shipped) ?? .english
  }
}

private enum CalendarKey: DependencyKey {
  static var liveValue: Calendar { .autoupdatingCurrent }
}

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
