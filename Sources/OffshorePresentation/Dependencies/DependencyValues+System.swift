public import Foundation

// Dependencies of every app whose values differ in each run. In a test none of them has a value
// until it is set.

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
