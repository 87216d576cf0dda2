public import Foundation
import Synchronization

// MARK: - Fields of amounts and currencies

extension DraftField {
  /// Returns a field for an amount of money of 0 or more, typed as `1200`, `1 200,50` or
  /// `1,200.50`.
  ///
  /// The language decides the value of an ambiguous text, such as `12,345`. An empty text is stored
  /// as `nil`.
  ///
  /// - Parameters:
  ///   - missing: the sentence for an empty text if the field is required.
  ///   - language: the language in which amounts are typed.
  ///   - currency: returns the ISO 4217 code of the currency, which limits the decimals. It is
  ///     called after the other fields are stored.
  public static func amount(
    _ name: String, _ property: any WritableKeyPath<Entry, Decimal?> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil, isRequired: Bool = false,
    missing: LocalizedText? = nil, in language: Language,
    currency: @escaping @Sendable (Entry) -> String
  ) -> DraftField {
    var field = DraftField(
      name, label: label, hint: hint, kind: .amount, isRequired: isRequired, missing: missing
    ) {
      $0[keyPath: property]?.typed(in: language) ?? ""
    } write: { text, entry throws(ValidationError) in
      let amount = Decimal(typed: text, currencyCode: currency(entry), in: language)
      guard amount != nil || text.isEmpty else { throw .outOfRange(field: name) }
      entry[keyPath: property] = amount
      guard amount.map({ $0 >= 0 }) ?? true else { throw .outOfRange(field: name) }
    }.explaining(.enterAmount)
    field.isStoredLast = true
    return field
  }

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
      name, label: label, hint: hint, kind: .choice(CurrencyNames.choices(in: language)),
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

/// The currency choices, with their names in a language.
private enum CurrencyNames {
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

extension LocalizedText {
  fileprivate static let enterAmount = LocalizedText(
    en: "Enter an amount such as 1200 or 1,200.50.",
    ru: "Введите сумму, например 1200 или 1\u{a0}200,50.")
  fileprivate static let chooseCurrency = LocalizedText(
    en: "Choose a currency.", ru: "Выберите валюту.")
}
