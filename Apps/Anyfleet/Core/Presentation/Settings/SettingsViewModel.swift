public import Observation
public import OffshorePresentation

/// What can be set, and what is to be known of the app: its language, its version, its data.
@MainActor @Observable
public final class SettingsViewModel {
  /// The version of the app.
  public let version: String
  /// The file in which the app keeps its data.
  public let dataPath: String

  private let setting: LanguageSetting

  /// Takes what the screen shows and changes.
  ///
  /// - Parameters:
  ///   - language: the language that all screens speak.
  ///   - dataPath: the file in which the app keeps its data.
  ///   - version: the version of the app.
  public init(
    language: LanguageSetting, dataPath: String, version: String = AppVersion.current
  ) {
    setting = language
    self.dataPath = dataPath
    self.version = version
  }

  /// The languages to choose from, in the order in which they are shown.
  public var languages: [Language] { setting.languages }

  /// The language in use.
  public var language: Language { setting.language }

  /// Why the language chosen last is not kept, where it could not be. The former one is used then.
  public var saveError: AppError? { setting.saveError.map { AppError(saving: $0) } }

  /// Uses a language at once, on all screens, and begins to keep it.
  public func use(_ language: Language) { setting.use(language) }

  /// Uses a language by its code, such as `ru`.
  /// - Returns: whether there is such a language.
  public func use(code: String) -> Bool { setting.use(code: code) }

  /// Waits until what was chosen is kept or has failed.
  public func settled() async { await setting.settled() }
}

/// Which version of the app this is.
public enum AppVersion {
  /// The version, by [Semantic Versioning](https://semver.org/spec/v2.0.0.html).
  public static let current = "0.1.0"
}
