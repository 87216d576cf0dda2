public import OffshorePresentation

extension LocalRepository: LanguageStorage {
  /// The language that was chosen on this device.
  public func language() async throws -> Language? {
    try await setting(Self.languageSetting).flatMap { Language(rawValue: $0) }
  }

  /// Keeps the language that was chosen on this device.
  public func keep(_ language: Language) async throws {
    try await keepSetting(Self.languageSetting, language.rawValue)
  }
}
