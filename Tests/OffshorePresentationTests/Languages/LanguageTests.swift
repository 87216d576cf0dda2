import Foundation
import OffshorePresentation
import Testing

struct LanguageTests {
  @Test func `A language has its code, its name in itself and its locale`() {
    #expect(Language.allCases.map(\.rawValue) == ["en", "ru"])
    #expect(Language.allCases.map(\.name) == ["English", "Русский"])
    #expect(Language.allCases.map(\.locale.identifier) == ["en_GB", "ru_RU"])
  }

  @Test(
    "The first tag that names a language decides",
    arguments: [
      (["ru"], Language.russian), (["ru-RU"], .russian), (["RU-ru"], .russian),
      (["ru-Cyrl-RU"], .russian), (["ru_RU.UTF-8"], .russian), (["en_US@euro"], .english),
      (["de-DE", "ru", "en"], .russian), (["fr", "en-US", "ru"], .english),
      (["", "*", "-", "ru"], .russian),
    ])
  func tags(_ tags: [String], _ language: Language) {
    #expect(Language(preferring: tags) == language)
  }

  @Test(
    "Tags of other languages name none",
    arguments: [[], [""], ["*"], ["de"], ["rus"], ["rue-RU"], ["C.UTF-8"], ["e"], ["en~"], ["р"]])
  func otherTags(_ tags: [String]) {
    #expect(Language(preferring: tags) == nil)
  }

  @Test(
    "A browser's wish is read by its weights",
    arguments: [
      ("ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7", Language.russian),
      ("en;q=0.5, ru;q=0.9", .russian), ("en, ru", .english), ("ru;q=0, en;q=0.1", .english),
      ("de, ru ; q = 0.3 , en; Q=0.4", .english), ("*;q=0.9,ru;q=0.1", .russian),
      ("ru;q=abc, en", .english), ("ru;q=7, en", .english), (",,;;,ru", .russian),
    ])
  func acceptLanguage(_ header: String, _ language: Language) {
    #expect(Language(acceptLanguage: header) == language)
  }

  @Test func `A wish for other languages is none, however long`() {
    #expect(Language(acceptLanguage: "") == nil)
    #expect(Language(acceptLanguage: "de,fr;q=0.1") == nil)
    #expect(Language(acceptLanguage: "ru;q=0") == nil)
    #expect(Language(acceptLanguage: String(repeating: ",;q=", count: 10_000)) == nil)
  }

  @Test func `The environment names a language by the first variable that is set`() {
    #expect(Language(environment: ["LANG": "ru_RU.UTF-8"]) == .russian)
    #expect(Language(environment: ["LANG": "ru_RU", "LC_MESSAGES": "en_GB"]) == .english)
    #expect(Language(environment: ["LC_MESSAGES": "en_GB", "LC_ALL": "ru"]) == .russian)
    #expect(Language(environment: ["LC_ALL": "", "LANG": "ru"]) == .russian)
    #expect(Language(environment: ["LC_ALL": "C.UTF-8", "LANG": "ru"]) == nil)
    #expect(Language(environment: [:]) == nil)
  }
}
