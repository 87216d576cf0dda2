import Foundation
import Testing

@testable import OffshorePresentation

struct LanguageTests {
  private static let languages: [Language] = [.english, .russian, .german]

  private static func language(_ code: String) -> Language {
    Language(code: code, name: code, locale: Locale(identifier: code), plurals: .none)
  }

  @Test func `A language has its code, its name in itself and its locale`() {
    #expect(Language.shipped.map(\.code) == ["en", "ru"])
    #expect(Language.shipped.map(\.name) == ["English", "Русский"])
    #expect(Language.shipped.map(\.locale.identifier) == ["en_GB", "ru_RU"])
    #expect("\(Language.german)" == "de")
  }

  @Test func `Languages are equal if their codes are`() {
    #expect(Self.language("ru") == .russian)
    #expect(Self.language("ru-UA") != .russian)
    #expect(Set([.english, Self.language("en"), .german, .german]).count == 2)
  }

  @Test(arguments: [
    (["ru"], Language.russian), (["ru-RU"], .russian), (["RU-ru"], .russian),
    (["ru-Cyrl-RU"], .russian), (["ru_RU.UTF-8"], .russian), (["en_US@euro"], .english),
    (["de-DE", "ru", "en"], .german), (["fr", "en-US", "ru"], .english),
    (["", "*", "-", "ru"], .russian), (["de_AT.UTF-8"], .german),
  ]) func `The first tag that names a language of the app is used`(
    _ tags: [String], _ language: Language
  ) {
    #expect(Language(preferring: tags, among: Self.languages) == language)
  }

  @Test(arguments: [
    [], [""], ["*"], ["fr"], ["rus"], ["rue-RU"], ["C.UTF-8"], ["e"], ["en~"], ["р"],
  ]) func `Tags of other languages match none`(_ tags: [String]) {
    #expect(Language(preferring: tags, among: Self.languages) == nil)
  }

  @Test func `A language that the app does not have is not chosen`() {
    #expect(Language(preferring: ["de", "en"], among: Language.shipped) == .english)
    #expect(Language(preferring: ["de"], among: Language.shipped) == nil)
    #expect(Language(preferring: ["en"], among: []) == nil)
  }

  @Test(arguments: [
    ("pt-BR", "pt-BR"), ("pt-br", "pt-BR"), ("pt", "pt"), ("pt-PT", "pt"), ("pt-AO", "pt"),
    ("zh-Hant-TW", "zh-Hant"), ("zh-Hant", "zh-Hant"), ("zh-SG", "zh-Hans"), ("zh", "zh-Hans"),
  ]) func `The closest of several regions and scripts is chosen`(_ tag: String, _ code: String) {
    let languages = ["pt-BR", "pt", "zh-Hans", "zh-Hant"].map(Self.language)
    #expect(Language(preferring: [tag], among: languages)?.code == code)
  }

  @Test func `The first environment variable that is set names the language`() {
    func language(_ environment: [String: String]) -> Language? {
      Language(environment: environment, among: Self.languages)
    }
    #expect(language(["LANG": "ru_RU.UTF-8"]) == .russian)
    #expect(language(["LANG": "de_DE.UTF-8"]) == .german)
    #expect(language(["LANG": "ru_RU", "LC_MESSAGES": "en_GB"]) == .english)
    #expect(language(["LC_MESSAGES": "en_GB", "LC_ALL": "ru"]) == .russian)
    #expect(language(["LC_ALL": "", "LANG": "ru"]) == .russian)
    #expect(language(["LC_ALL": "C.UTF-8", "LANG": "ru"]) == nil)
    #expect(language([:]) == nil)
  }
}
