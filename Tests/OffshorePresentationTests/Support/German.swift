import Foundation
import OffshorePresentation

extension Language {
  /// A language that the library does not have, as an app adds it.
  static let german = Language(
    code: "de", name: "Deutsch", locale: Locale(identifier: "de_DE"), plurals: .english,
    translations: [
      "Try again.": "Versuche es noch einmal.",
      "Remove “%1”?": "„%1“ entfernen?",
      "%1 of %2": "Von %2 sind %1 erledigt",
      "# guests": .counted(one: "# Gast", other: "# Gäste"),
      "%1: # guests": .counted(one: "# Gast auf %1", other: "# Gäste auf %1"),
      "Try again in # seconds.": .counted(
        one: "Versuche es in # Sekunde noch einmal.",
        other: "Versuche es in # Sekunden noch einmal."),
      "Start date": "Anfang",
      "%1: this is not in the possible range.": "%1: Das liegt außerhalb des möglichen Bereichs.",
    ])
}

extension LocalizedText {
  /// A text in three languages, in an app that requires them all.
  init(en english: Phrase, ru russian: Phrase, de german: Phrase) {
    self.init(en: english, [.russian: russian, .german: german])
  }

  /// A counted text in three languages.
  static func counted(
    _ count: Int, en english: PluralForms.English, ru russian: PluralForms.Russian,
    de german: PluralForms.English
  ) -> LocalizedText {
    counted(
      count, en: english, [.russian: PluralForms(russian), .german: PluralForms(german)])
  }
}
