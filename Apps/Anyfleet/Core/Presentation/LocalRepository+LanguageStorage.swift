public import OffshorePresentation

extension LocalRepository: LanguageStorage {
  /// The code of the language that was chosen on this device.
  public func languageCode() async throws -> String? { try await setting(Self.languageSetting) }

  /// Stores the code of the language that was chosen on this device.
  public func keepLanguage(code: String) async throws {
    try await keepSetting(Self.languageSetting, code)
  }
}
