public import Observation
public import OffshorePresentation

/// The model of the settings: the language, the version and the data file of the app.
@MainActor @Observable
public final class SettingsViewModel {
  /// The version of the app.
  public let version: String
  /// The path of the app's data file.
  public let dataPath: String

  private let setting: LanguageSetting

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - language: the setting of the language.
  ///   - dataPath: the path of the app's data file.
  ///   - version: the version of the app.
  public init(
    language: LanguageSetting, dataPath: String, version: String = AppVersion.current
  ) {
    setting = language
    self.dataPath = dataPath
    self.version = version
  }

  /// The languages to choose from, in their order.
  public var languages: [Language] { setting.languages }

  /// The current language.
  public var language: Language { setting.language }

  /// The error of storing the latest choice, or `nil`. The previous language is current again then.
  public var saveError: AppError? { setting.saveError.map { AppError(saving: $0) } }

  /// Changes the current language at once, and starts to store the choice.
  public func use(_ language: Language) { setting.use(language) }

  /// Changes to the language with a code, such as `ru`.
  /// - Returns: `false` if the app does not have the language.
  public func use(code: String) -> Bool { setting.use(code: code) }

  /// Waits until the choices are stored or have failed.
  public func settled() async { await setting.settled() }
}

/// The version of the app.
public enum AppVersion {
  /// The version, by [Semantic Versioning](https://semver.org/spec/v2.0.0.html).
  public static let current = "0.1.0"
}
