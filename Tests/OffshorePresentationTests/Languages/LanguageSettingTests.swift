import Foundation
import Observation
import OffshorePresentation
import Synchronization
import TestSupport
import Testing

/// Storage that keeps a language in memory, or refuses it.
private final class MemoryStorage: LanguageStorage {
  struct Full: Error {}
  private let state: Mutex<(kept: String?, isFull: Bool)>

  init(_ code: String? = nil, isFull: Bool = false) { state = Mutex((code, isFull)) }

  var kept: String? { state.withLock(\.kept) }

  func languageCode() async throws -> String? { kept }

  func storeLanguage(code: String) async throws {
    try state.withLock {
      if $0.isFull { throw Full() }
      $0.kept = code
    }
  }
}

/// A device whose time zone a test changes.
@MainActor
private final class Device {
  var calendar = Calendar(identifier: .gregorian)
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct LanguageSettingTests {
  private let calendar = Calendar(identifier: .gregorian)

  private func setting(
    _ storage: MemoryStorage, languages: [Language] = Language.shipped,
    preferring preferred: Language? = nil
  ) async throws -> LanguageSetting {
    try await .start(storedBy: storage, languages: languages, preferring: preferred) {
      [calendar] in calendar
    }
  }

  @Test func `The chosen language is used, and before a choice the preferred one`() async throws {
    #expect(try await setting(MemoryStorage()).language == .english)
    #expect(try await setting(MemoryStorage(), preferring: .russian).language == .russian)
    let chosen = MemoryStorage("en")
    #expect(try await setting(chosen, preferring: .russian).language == .english)
  }

  @Test func `An app adds a language, which is chosen and stored by its code`() async throws {
    let languages = [Language.german, .english]
    let storage = MemoryStorage()
    let setting = try await setting(storage, languages: languages)
    #expect(setting.languages == languages)
    #expect(setting.language == .german)
    #expect(setting.use(code: "en"))
    #expect(setting.language == .english)
    #expect(setting.use(code: "de"))
    #expect(setting.say(LocalizedText(en: "Try again.", ru: "")) == "Versuche es noch einmal.")
    await setting.settled()
    #expect(storage.kept == "de")
    #expect(try await self.setting(storage, languages: languages).language == .german)
  }

  @Test func `A language that the app does not have is neither used nor started with`()
    async throws
  {
    let setting = try await setting(MemoryStorage("de"), preferring: .german)
    #expect(setting.language == .english)
    #expect(!setting.use(code: "de"))
    #expect(!setting.use(code: ""))
    #expect(setting.language == .english)
    let former = try await self.setting(MemoryStorage("de"), preferring: .russian)
    #expect(former.language == .russian)
  }

  @Test func `A choice is used at once and stored`() async throws {
    let storage = MemoryStorage()
    let setting = try await setting(storage)
    setting.use(.russian)
    #expect(setting.language == .russian)
    #expect(setting.say.language == .russian)
    await setting.settled()
    #expect(storage.kept == "ru")
    #expect(setting.language == .russian)
    #expect(setting.saveError == nil)
  }

  @Test func `A choice that cannot be stored is reverted, and the error is reported`() async throws
  {
    let setting = try await setting(MemoryStorage("en", isFull: true))
    setting.use(.russian)
    await setting.settled()
    #expect(setting.language == .english)
    #expect(setting.saveError == .unknown(underlying: MemoryStorage.Full()))
    setting.use(.russian)
    #expect(setting.saveError == nil)
    await setting.settled()
  }

  @Test func `After fast choices the last one is used`() async throws {
    let storage = MemoryStorage()
    let setting = try await setting(storage)
    for language in [Language.russian, .english, .russian] { setting.use(language) }
    await setting.settled()
    #expect(setting.language == .russian)
    #expect(storage.kept == "ru")
  }

  @Test func `Observers of the texts see the language change`() async throws {
    let setting = try await setting(MemoryStorage())
    let texts = Observations { setting.say(LocalizedText(en: "Yes", ru: "Да")) }
    var iterator = texts.makeAsyncIterator()
    #expect(await iterator.next() == "Yes")
    setting.use(.russian)
    #expect(await iterator.next() == "Да")
  }

  @Test func `Days use the calendar's time zone when it changes`() async throws {
    let device = Device()
    device.calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let setting = try await LanguageSetting.start(
      storedBy: MemoryStorage(), languages: Language.shipped
    ) { device.calendar }
    let evening = Date(timeIntervalSince1970: 1_812_809_100)
    #expect(setting.say.day(evening) == "12 Jun 2027")
    device.calendar.timeZone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    #expect(setting.say.day(evening) == "13 Jun 2027")
  }

  @Test func `The setting is released when it is not used any more`() async throws {
    weak var released: LanguageSetting?
    do {
      let setting = try await setting(MemoryStorage())
      setting.use(.russian)
      await setting.settled()
      released = setting
    }
    #expect(released == nil)
  }
}
