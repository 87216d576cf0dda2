public import Foundation
public import Observation

/// The current language, which the user can change at run time and which is stored.
///
/// A view that reads ``say`` or ``language`` while it is observed is updated after a change.
@MainActor @Observable
public final class LanguageSetting {
  /// The languages of the app, in the order of the choice.
  public let languages: [Language]
  /// The error of storing the latest choice, or `nil`.
  public private(set) var saveError: AppError?

  private var stored: Language
  private let choices: OptimisticChanges<Choice, Language>
  private let calendar: @MainActor () -> Calendar
  /// The latest localizer of each language, so that its formats are created once.
  @ObservationIgnored private var localizers: [Language: Localizer] = [:]

  /// The only key of the changes.
  private enum Choice: Sendable { case language }

  private init(
    _ language: Language, of languages: [Language], storedBy storage: some LanguageStorage,
    calendar: @escaping @MainActor () -> Calendar
  ) {
    self.languages = languages
    stored = language
    self.calendar = calendar
    let reference = SettingReference()
    choices = OptimisticChanges { _, language in
      try await storage.storeLanguage(code: language.code)
    } completion: { _, language, outcome in
      reference.setting?.end(language, outcome)
    }
    reference.setting = self
  }

  /// Creates the setting with the language that the user chose before, or else with the preferred
  /// one.
  ///
  /// - Parameters:
  ///   - storage: stores the choice.
  ///   - languages: the languages of the app, in the order of the choice.
  ///   - preferred: the language until the user chooses one; the first of `languages` by default.
  ///   - calendar: returns the calendar and time zone of days and times.
  /// - Throws: the error of the storage.
  /// - Precondition: `languages` is not empty.
  public static func start(
    storedBy storage: some LanguageStorage, languages: [Language],
    preferring preferred: Language? = nil, calendar: @escaping @MainActor () -> Calendar
  ) async throws -> LanguageSetting {
    let code = try await storage.languageCode()
    let chosen = languages.first { $0.code == code }
    guard let language = chosen ?? languages.first(where: { $0 == preferred }) ?? languages.first
    else { preconditionFailure("An app has at least one language; pass its languages.") }
    return LanguageSetting(language, of: languages, storedBy: storage, calendar: calendar)
  }

  /// The current language.
  public var language: Language { choices.unsettled[.language] ?? stored }

  /// The localizer of the current language.
  public var say: Localizer {
    let (language, calendar) = (language, calendar())
    if let localizer = localizers[language], localizer.hasSameDays(as: calendar) {
      return localizer
    }
    let localizer = Localizer(language, calendar: calendar)
    localizers[language] = localizer
    return localizer
  }

  /// Changes the current language at once, and starts to store the choice.
  ///
  /// If it cannot be stored, the stored language becomes current again, and ``saveError`` has the
  /// reason.
  public func use(_ language: Language) {
    saveError = nil
    choices.change(.language, to: language)
  }

  /// Changes to the app's language with a code, such as `ru`.
  /// - Returns: `false` if the app does not have the language.
  public func use(code: String) -> Bool {
    guard let language = languages.first(where: { $0.code == code }) else { return false }
    use(language)
    return true
  }

  /// Waits until the choices are stored or have failed.
  public func settled() async { await choices.settled() }

  private func end(_ language: Language, _ outcome: OptimisticChanges<Choice, Language>.Outcome) {
    switch outcome {
    case .stored: stored = language
    case .failed(let error): saveError = error.asAppError
    }
  }

  /// A weak reference to the setting, by which the changes report their outcome without retaining
  /// it.
  @MainActor
  private final class SettingReference {
    weak var setting: LanguageSetting?
  }
}

/// A store for the code of the language that the user chose.
public protocol LanguageStorage: Sendable {
  /// Returns the stored code, or `nil` if there is none. The app may not have that language any
  /// more.
  /// - Throws: an error if the code cannot be read.
  func languageCode() async throws -> String?

  /// Stores a code in place of the previous one.
  /// - Throws: an error if the code cannot be written.
  func storeLanguage(code: String) async throws
}

extension Localizer {
  fileprivate func hasSameDays(as calendar: Calendar) -> Bool {
    calendar.identifier == self.calendar.identifier && calendar.timeZone == self.calendar.timeZone
  }
}
