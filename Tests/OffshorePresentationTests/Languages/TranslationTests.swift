import Foundation
import OffshorePresentation
import TestSupport
import Testing

extension LocalizedText {
  fileprivate static let field = LocalizedText(en: "Start date", ru: "Дата начала")

  fileprivate static func remove(_ name: String) -> LocalizedText {
    LocalizedText(en: "Remove “\(name)”?", ru: "Удалить «\(name)»?")
  }

  fileprivate static func progress(_ count: Int, of total: Int) -> LocalizedText {
    LocalizedText(en: "\(count) of \(total)", ru: "\(count) из \(total)")
  }

  fileprivate static func guests(_ count: Int, on boat: String) -> LocalizedText {
    .counted(
      count, en: .init(one: "\(boat): # guest", other: "\(boat): # guests"),
      ru: .init(one: "\(boat): # гость", few: "\(boat): # гостя", many: "\(boat): # гостей"))
  }
}

/// Translations of the library's texts into a language that an app adds.
struct TranslationTests {
  /// German with a test's own translations.
  private func german(_ translations: [String: Translation]) -> Language {
    Language(
      code: "de", name: "Deutsch", locale: Locale(identifier: "de_DE"), plurals: .english,
      translations: translations)
  }

  @Test func `A text is translated by its English form`() {
    #expect(
      AppError.unknown(underlying: CancellationError()).recoverySuggestion?.in(.german)
        == "Versuche es noch einmal.")
  }

  @Test func `A text without a translation is English`() {
    #expect(AppError.network(.offline).localizedMessage.in(.german) == "There is no connection.")
    #expect(
      AppError.network(.server(statusCode: 502)).localizedMessage.in(.german)
        == "The server answered with error 502.")
    #expect(
      AppError.network(.rateLimited(retryAfter: 3_600)).recoverySuggestion?.in(.german)
        == "Try again in 60 minutes.")
  }

  @Test func `Values are inserted at their places, in any order`() {
    #expect(LocalizedText.remove("Alma").in(.german) == "„Alma“ entfernen?")
    #expect(LocalizedText.progress(3, of: 12).in(.german) == "Von 12 sind 3 erledigt")
  }

  @Test func `A value is not parsed as part of the translation`() {
    #expect(LocalizedText.remove("%1 # %2").in(.german) == "„%1 # %2“ entfernen?")
    #expect(LocalizedText.guests(2, on: "# %1").in(.german) == "2 Gäste auf # %1")
  }

  @Test func `A counted text has the plural form of its number`() {
    let texts = [1, 2, 21].map { LocalizedText.guests($0, on: "Alma").in(.german) }
    #expect(texts == ["1 Gast auf Alma", "2 Gäste auf Alma", "21 Gäste auf Alma"])
    let seconds = [1, 30].map {
      AppError.network(.rateLimited(retryAfter: $0)).recoverySuggestion?.in(.german)
    }
    #expect(
      seconds == [
        "Versuche es in 1 Sekunde noch einmal.", "Versuche es in 30 Sekunden noch einmal.",
      ])
  }

  @Test func `A text within a text is translated separately`() {
    let error = AppError.validation(.outOfRange(field: "startDate"))
    #expect(
      error.localizedMessage.in(.german) == "Anfang: Das liegt außerhalb des möglichen Bereichs.")
    #expect(error.localizedMessage.in(.english) == "Start date: this is not in the possible range.")
    let short = AppError.validation(.tooShort(field: "startDate", minimum: 2)).localizedMessage
    #expect(short.in(.german) == "Start date needs at least 2 characters.")
  }

  @Test func `A text may have many values, also far from its start`() {
    let many = LocalizedText(en: "\(1) \(2) \(3)-\(4)", ru: "\(1)")
    #expect(many.in(.english) == "1 2 3-4")
    #expect(many.in(german(["%1 %2 %3-%4": "%4 %3 %2 %1"])) == "4 3 2 1")
    let long = String(repeating: "x", count: 70_000)
    let far = LocalizedText(en: "\(long) and \("y")", ru: "")
    #expect(far.in(german(["%1 and %2": "%2 und %1"])) == "y und \(long)")
  }

  @Test func `A literal in two pieces has one key`() {
    let text = LocalizedText(en: "\("a") is " + "not \("b"), \("c")", ru: "")
    #expect(text.in(german(["%1 is not %2, %3": "%1 ist nicht %3, %2"])) == "a ist nicht c, b")
  }

  @Test func `Signs that are not placeholders stay`() {
    let text = LocalizedText(en: "\(5) left", ru: "")
    #expect(text.in(german(["%1 left": "%2 % %0 %% # %1%"])) == "%2 % %0 %% # 5%")
    #expect(text.in(german(["%1 left": ""])) == "")
    let plain = LocalizedText(en: "100%", ru: "")
    #expect(plain.in(german(["100%": "%1 100% #"])) == "%1 100% #")
  }

  @Test func `A missing plural form is replaced by that for other numbers`() {
    let text = LocalizedText.counted(
      1, en: .init(one: "# left", other: "# are left"), ru: .init(one: "", few: "", many: ""))
    #expect(text.in(german(["# are left": "noch #"])) == "noch 1")
    #expect(text.in(german(["# are left": .counted(few: "x", other: "noch #")])) == "noch 1")
    #expect(text.in(german(["# left": "noch #"])) == "1 left")
  }

  @Test func `A name is not looked up`() {
    let language = german(["Ada": "Eva", "%1": "x", "": "y"])
    #expect(LocalizedText(verbatim: "Ada").in(language) == "Ada")
    #expect(LocalizedText(en: "\("Ada")", ru: "\("Ада")").in(language) == "Ada")
  }

  @Test func `A declared text takes precedence over a translation`() {
    let text = LocalizedText(en: "Try again.", ru: "", de: "Nochmal.")
    #expect(text.in(.german) == "Nochmal.")
    #expect(text.in(german(["Try again.": "Versuche es noch einmal."])) == "Nochmal.")
  }

  @Test func `A speaker formats dates and numbers in the language`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let say = Localizer(.german, calendar: calendar)
    #expect(say.day(Date(timeIntervalSince1970: 1_812_809_100)) == "12. Juni 2027")
    #expect(say.number(1_234_567) == "1.234.567")
    #expect(say.currency(1200, "EUR") == "1.200,00\u{a0}€")
    #expect(say.list(["Anna", "Iwan", "Wei"]) == "Anna, Iwan und Wei")
    #expect(say(.remove("Alma")) == "„Alma“ entfernen?")
  }

  // MARK: - Missing translations

  @Test func `Texts without a translation are recorded by their keys`() {
    let missing = MissingTexts()
    let language = Language.german.recording(missing)
    #expect(language == .german)
    #expect(missing.keys == [])
    _ = [
      LocalizedText.remove("Alma"), .guests(2, on: "Alma"), .field, LocalizedText(verbatim: "Ada"),
      LocalizedText(en: "\("Ada")", ru: ""), LocalizedText(en: "Boat", ru: "", de: "Boot"),
    ].map { $0.in(language) }
    #expect(missing.keys == [])
    for seconds in [60, 120, 180] {
      _ = AppError.network(.rateLimited(retryAfter: seconds)).recoverySuggestion?.in(language)
    }
    _ = AppError.validation(.tooShort(field: "note", minimum: 2)).localizedMessage.in(language)
    #expect(missing.keys == ["%1 needs at least # characters.", "Try again in # minutes."])
  }

  @Test func `Nothing is missing in the languages that ship`() {
    let missing = MissingTexts()
    for language in Language.shipped {
      #expect(AppError.network(.offline).localizedMessage.in(language.recording(missing)) != "")
    }
    #expect(missing.keys == [])
  }
}
