public import Foundation
public import Observation

/// The language in use, which the user can change at run time, and which is stored.
///
/// A view that reads ``say`` or ``language`` while it is observed is shown again after a change.
@MainActor @Observable
public final class LanguageSetting {
  /// The languages of the app, in the order in which to offer them.
  public let languages: [Language]
  /// The error because of which the last choice was not stored.
  public private(set) var saveError: AppError?

  private var kept: Language
  private let choices: OptimisticChanges<Choice, Language>
  private let calendar: @MainActor () -> Calendar
  /// The last speaker of each language, so that its formats are made once.
  @ObservationIgnored private var speakers: [Language: Speaker] = [:]

  /// The one thing that is chosen here.
  private enum Choice: Sendable { case language }

  private init(
    _ language: Language, of languages: [Language], keptBy storage: some LanguageStorage,
    calendar: @escaping @MainActor () -> Calendar
  ) {
    self.languages = languages
    kept = language
    self.calendar = calendar
    let ends = Ends()
    choices = OptimisticChanges { _, language in
      try await storage.keepLanguage(code: language.code)
    } ended: { _, language, outcome in
      ends.setting?.end(language, outcome)
    }
    ends.setting = self
  }

  /// Starts with the language that the user chose before, or else with the preferred one.
  ///
  /// - Parameters:
  ///   - storage: stores a choice.
  ///   - languages: the languages of the app, in the order in which to offer them.
  ///   - preferred: the language until the user chooses one; the first of the app by default.
  ///   - calendar: the calendar whose time zone is that of days and times.
  /// - Throws: the error of the storage.
  /// - Precondition: there is a language.
  public static func start(
    keptBy storage: some LanguageStorage, languages: [Language],
    preferring preferred: Language? = nil, calendar: @escaping @MainActor () -> Calendar
  ) async throws -> LanguageSetting {
    let code = try await storage.languageCode()
    let chosen = languages.first { $0.code == code }
    guard let language = chosen ?? languages.first(where: { $0 == preferred }) ?? languages.first
    else { preconditionFailure("An app has at least one language; pass its languages.") }
    return LanguageSetting(language, of: languages, keptBy: storage, calendar: calendar)
  }

  /// The language in use.
  public var language: Language { choices.unsettled[.language] ?? kept }

  /// The speaker of the language in use.
  public var say: Speaker {
    let (language, calendar) = (language, calendar())
    if let speaker = speakers[language], speaker.tellsDays(as: calendar) { return speaker }
    let speaker = Speaker(language, calendar: calendar)
    speakers[language] = speaker
    return speaker
  }

  /// Uses another language of the app at once, and begins to store the choice.
  ///
  /// If it cannot be stored, the stored language is used again, and ``saveError`` has the reason.
  public func use(_ language: Language) {
    saveError = nil
    choices.change(.language, to: language)
  }

  /// Uses the language of the app that has a code, such as `ru`.
  /// - Returns: whether there is one.
  public func use(code: String) -> Bool {
    guard let language = languages.first(where: { $0.code == code }) else { return false }
    use(language)
    return true
  }

  /// Waits until the choices are stored or have failed.
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

/// Stores the code of the language that the user chose.
public protocol LanguageStorage: Sendable {
  /// The stored code, if there is one. The app need not have the language any more.
  /// - Throws: an error if it cannot be read.
  func languageCode() async throws -> String?

  /// Stores a code instead of the one before.
  /// - Throws: an error if it cannot be written.
  func keepLanguage(code: String) async throws
}

extension Speaker {
  fileprivate func tellsDays(as calendar: Calendar) -> Bool {
    calendar.identifier == self.calendar.identifier && calendar.timeZone == self.calendar.timeZone
  }
}
