public import Foundation

// What every app depends on, and what makes a test different each time. In a test none has a value
// until it is set.

extension DependencyValues {
  /// Measures and waits.
  public var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }

  /// Tells the current date.
  public var date: @Sendable () -> Date {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  /// Makes ids.
  public var uuid: @Sendable () -> UUID {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  /// Makes random numbers.
  public var random: RandomSource {
    get { self[RandomKey.self] }
    set { self[RandomKey.self] = newValue }
  }

  /// How dates and numbers are written; live, by the language of the environment.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The calendar and time zone by which days are told.
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
