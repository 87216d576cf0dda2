import Offshore

extension AppDependencies {
  /// What can be set, and what is to be known of the app.
  public func makeSettings() -> SettingsViewModel {
    SettingsViewModel(language: language, dataPath: database.database.path)
  }
}
