public import Foundation
public import Observation

/// The language in use, which can be changed at run time and is kept.
///
/// What reads ``say`` or ``language`` while it is observed is shown anew after a change.
@MainActor @Observable
public final class LanguageSetting {
  /// Why the choice is not kept, where it could not be.
  public private(set) var saveError: AppError?

  private var kept: Language
  private let choices: OptimisticChanges<Choice, Language>
  private let calendar: @MainActor () -> Calendar
  /// The last speaker of each language, so that its formats are made once.
  @ObservationIgnored private var speakers: [Language: Speaker] = [:]

  /// The one thing that is chosen here.
  private enum Choice: Sendable { case language }

  private init(
    _ language: Language, keptBy storage: some LanguageStorage,
    calendar: @escaping @MainActor () -> Calendar
  ) {
    kept = language
    self.calendar = calendar
    let ends = Ends()
    choices = OptimisticChanges { _, language in
      try await storage.keep(language)
    } ended: { _, language, outcome in
      ends.setting?.end(language, outcome)
    }
    ends.setting = self
  }

  /// Takes the language that was chosen, or one by what is preferred where none was.
  ///
  /// - Parameters:
  ///   - storage: where a choice is kept.
  ///   - preferred: what to speak until something is chosen.
  ///   - calendar: the calendar by whose time zone days are told.
  /// - Throws: what the storage throws.
  public static func start(
    keptBy storage: some LanguageStorage, preferring preferred: Language = .english,
    calendar: @escaping @MainActor () -> Calendar
  ) async throws -> LanguageSetting {
    let language = try await storage.language() ?? preferred
    return LanguageSetting(language, keptBy: storage, calendar: calendar)
  }

  /// The language in use.
  public var language: Language { choices.unsettled[.language] ?? kept }

  /// Says texts, dates and numbers in the language in use.
  public var say: Speaker {
    let (language, calendar) = (language, calendar())
    if let speaker = speakers[language], speaker.tellsDays(as: calendar) { return speaker }
    let speaker = Speaker(language, calendar: calendar)
    speakers[language] = speaker
    return speaker
  }

  /// Uses another language at once, and begins to keep it.
  ///
  /// Where it cannot be kept, the language that is kept is used again, and ``saveError`` says why.
  public func use(_ language: Language) {
    saveError = nil
    choices.change(.language, to: language)
  }

  /// Waits until what was chosen is kept or has failed.
  public func settled() async { await choices.settled() }

  private func end(_ language: Language, _ outcome: OptimisticChanges<Choice, Language>.Outcome) {
    switch outcome {
    case .stored: kept = language
    case .failed(let error): saveError = error.asAppError
    }
  }

  /// Lets the choices tell the setting how they ended without keeping it alive.
  @MainActor
  private final class Ends {
    weak var setting: LanguageSetting?
  }
}

/// Keeps the language that somebody chose.
public protocol LanguageStorage: Sendable {
  /// The language that is kept, or `nil` where none is, or none that this version knows.
  /// - Throws: where it cannot be read.
  func language() async throws -> Language?

  /// Keeps a language instead of the one before.
  /// - Throws: where it cannot be kept.
  func keep(_ language: Language) async throws
}

extension Speaker {
  fileprivate func tellsDays(as calendar: Calendar) -> Bool {
    calendar.identifier == self.calendar.identifier && calendar.timeZone == self.calendar.timeZone
  }
}
