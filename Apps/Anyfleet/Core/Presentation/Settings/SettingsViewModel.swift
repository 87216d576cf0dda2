import Observation
package import OffshorePresentation

/// The model of the settings: the language, the version and the data file of the app.
@MainActor @Observable
package final class SettingsViewModel {
  /// The version of the app.
  package let version: String
  /// The path of the app's data file.
  package let dataPath: String

  private let setting: LanguageSetting

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - language: the setting of the language.
  ///   - dataPath: the path of the app's data file.
  ///   - version: the version of the app.
  package init(
    language: LanguageSetting, dataPath: String, version: String = AppVersion.current
  ) {
    setting = language
    self.dataPath = dataPath
    self.version = version
  }

  /// The languages to choose from, in their order.
  package var languages: [Language] { setting.languages }

  /// The current language.
  package var language: Language { setting.language }

  /// The error of storing the latest choice, or `nil`. The previous language is current again then.
  package var saveError: AppError? { setting.saveError.map { AppError(saving: $0) } }

  /// Changes the current language at once, and starts to store the choice.
  package func use(_ language: Language) { setting.use(language) }

  /// Changes to the language with a code, such as `ru`.
  /// - Returns: `false` if the app does not have the language.
  package func use(code: String) -> Bool { setting.use(code: code) }

  /// Waits until the choices are stored or have failed.
  package func settled() async { await setting.settled() }
}

/// The version of the app.
package enum AppVersion {
  /// The version, by [Semantic Versioning](https://semver.org/spec/v2.0.0.html).
  package static let current = "0.1.0"
}
