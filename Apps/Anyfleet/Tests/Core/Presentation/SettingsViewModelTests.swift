import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SettingsViewModelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `A language is used at once, everywhere, and at the next start`() async throws {
    let path = folder.file("anyfleet.sqlite")
    let app = try await AppDependencies.live(path: path)
    let (settings, other) = (app.makeSettings(), app.makeSettings())
    #expect(settings.language == .english)
    #expect(settings.languages == [.english, .russian])
    settings.use(.russian)
    #expect(settings.language == .russian)
    #expect(other.language == .russian)
    #expect(app.language.say(.init(en: "Home", ru: "Главная")) == "Главная")
    await settings.settled()
    #expect(settings.saveError == nil)
    await app.database.database.close()
    #expect(try await AppDependencies.live(path: path).makeSettings().language == .russian)
  }

  @Test func `A language is chosen by its code, and an unknown code changes nothing`() async throws
  {
    let settings = try await AppDependencies.makeForTesting().makeSettings()
    #expect(settings.use(code: "ru"))
    #expect(settings.language == .russian)
    for code in ["", "RU", "de", "ru-RU"] { #expect(!settings.use(code: code), "\(code)") }
    #expect(settings.language == .russian)
  }

  @Test func `A language that cannot be stored is reverted with a message`()
    async throws
  {
    let storage = FailingStorage()
    let setting = try await LanguageSetting.start(
      storedBy: storage, languages: AppDependencies.languages
    ) { .utc }
    let settings = SettingsViewModel(language: setting, dataPath: "/data")
    settings.use(.russian)
    #expect(settings.language == .russian)
    await settings.settled()
    #expect(settings.language == .english)
    #expect(settings.saveError == .database(.writeFailed))
    #expect(settings.saveError?.isRetryable == true)
    settings.use(.russian)
    #expect(settings.saveError == nil)
    await settings.settled()
    #expect(settings.language == .russian)
    #expect(await storage.kept == "ru")
  }

  @Test func `The settings show the place of the data and the version`() async throws {
    let path = folder.file("anyfleet.sqlite")
    let app = try await AppDependencies.live(path: path)
    let settings = app.makeSettings()
    #expect(settings.dataPath == path)
    #expect(FileManager.default.fileExists(atPath: settings.dataPath))
    #expect(settings.version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
  }

  @Test func `The view model is released while its setting still exists`() async throws {
    let app = try await AppDependencies.makeForTesting()
    weak var released: SettingsViewModel?
    do {
      let settings = app.makeSettings()
      settings.use(.russian)
      await settings.settled()
      released = settings
    }
    #expect(released == nil)
  }

  /// Storage of a language that fails the first time.
  private actor FailingStorage: LanguageStorage {
    private(set) var kept: String?
    private var hasFailed = false

    func languageCode() -> String? { kept }

    func storeLanguage(code: String) throws {
      guard hasFailed else {
        hasFailed = true
        throw RepositoryError.databaseUnavailable
      }
      kept = code
    }
  }
}
