import Foundation
import Synchronization

/// The currency choices, with their names in a language.
private enum CurrencyChoices {
  typealias Choices = [(value: String, label: LocalizedText)]

  private static let known = Mutex<[Language: Choices]>([:])

  /// The common currencies, listed after that of the language.
  private static let usual = ["EUR", "USD", "GBP", "CHF", "TRY"]

  /// Returns the choices. They are cached, because looking up the names is slow.
  static func choices(in language: Language) -> Choices {
    known.withLock { known in
      if let choices = known[language] { return choices }
      let own = language.locale.currency.map { [$0.identifier] } ?? []
      let first = own + usual.filter { !own.contains($0) }
      let rest = Locale.commonISOCurrencyCodes.filter { !first.contains($0) }.sorted()
      let choices = (first + rest).map { code in
        let name = language.locale.localizedString(forCurrencyCode: code)
        return (
          value: code, label: LocalizedText(verbatim: name.map { "\(code) – \($0)" } ?? code)
        )
      }
      known[language] = choices
      return choices
    }
  }
}

extension DraftField {
  /// Returns a field for a currency by its ISO 4217 code: the common ones first, then all by their
  /// codes.
  ///
  /// A stored code that is not in the list is preserved and can be selected.
  /// - Parameter language: the language of the names. Its own currency is the first.
  public static func currency(
    _ name: String, _ property: any WritableKeyPath<Entry, String> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil, in language: Language
  ) -> DraftField {
    DraftField(
      name, label: label, hint: hint, kind: .choice(CurrencyChoices.choices(in: language)),
      isRequired: true, missing: .chooseCurrency
    ) {
      $0[keyPath: property]
    } write: { text, entry throws(ValidationError) in
      entry[keyPath: property] = text.uppercased()
      guard entry[keyPath: property].wholeMatch(of: /[A-Z]{3}/) != nil else {
        throw .outOfRange(field: name)
      }
    }.explaining(.chooseCurrency)
  }
}

extension LocalizedText {
  fileprivate static let chooseCurrency = LocalizedText(
    en: "Choose a currency.", ru: "Выберите валюту.")
}
