public import Foundation

/// A number in common notations, such as `1200`, `1 200,50` and `1,200.50`.
///
/// Thousands are groups of three digits. They are separated by a space, a comma, a point or an
/// apostrophe, which differs from the decimal separator. A single comma or point before three
/// digits, as in `12,345`, is ambiguous: the language decides, and if it uses neither, the text is
/// not valid.
private struct TypedNumber: Equatable {
  /// The digits before the decimals, with the minus sign of a negative number.
  let whole: String
  /// The digits of the decimals, including trailing zeros.
  let decimals: String

  /// The maximum number of digits before the decimals.
  private static let maximumDigits = 18

  /// Parses a number, or returns `nil` if the text is not one.
  init?(_ text: String, in language: Language) {
    let text = Self.unified(text)
    let (plain, grouped) = (Self.plain(text), Self.grouped(text))
    let isAmbiguous = plain != nil && grouped != nil
    let number =
      isAmbiguous ? Self.chosen(by: language, text, plain, grouped) : plain ?? grouped
    guard let number, number.whole.filter(\.isNumber).count <= Self.maximumDigits else {
      return nil
    }
    (whole, decimals) = number
  }

  /// The number. `Decimal` represents all its digits exactly.
  var value: Decimal? {
    Decimal(string: "\(whole).\(decimals)0", locale: Locale(identifier: "en_US_POSIX"))
  }

  // MARK: - Notations

  private typealias Parts = (whole: String, decimals: String)

  /// Trims a text, and unifies spaces, apostrophes and minus signs.
  private static func unified(_ text: String) -> String {
    String(
      text.trimmingCharacters(in: .whitespacesAndNewlines).map { character in
        switch character {
        case "’": "'"
        case "−": "-"
        default: character.isWhitespace ? " " : character
        }
      })
  }

  /// Parses digits without groups.
  private static func plain(_ text: String) -> Parts? {
    text.wholeMatch(of: /(-?[0-9]+)(?:[.,]([0-9]+))?/).map {
      (String($0.1), $0.2.map(String.init) ?? "")
    }
  }

  /// Parses digits in groups of three.
  private static func grouped(_ text: String) -> Parts? {
    let form = /(-?[1-9][0-9]{0,2}([ ',.])[0-9]{3}(?:\2[0-9]{3})*)(?:([.,])([0-9]+))?/
    guard let match = text.wholeMatch(of: form), match.2 != match.3 else { return nil }
    return (match.1.filter { $0.isNumber || $0 == "-" }, match.4.map(String.init) ?? "")
  }

  /// Decides by the language whether a single comma or point before three digits separates decimals
  /// or thousands.
  private static func chosen(
    by language: Language, _ text: String, _ plain: Parts?, _ grouped: Parts?
  ) -> Parts? {
    if text.contains(language.decimalSeparator) { return plain }
    return text.contains(language.groupSeparator) ? grouped : nil
  }
}

extension Decimal {
  /// Parses an amount in common notations, such as `1200`, `1 200,50` and `1,200.50`, also
  /// negative.
  ///
  /// - Parameters:
  ///   - currencyCode: the ISO 4217 code of the currency, which limits the decimals.
  ///   - language: the language that decides the value of `12,345`: 12345 in English, 12.345 in
  ///     Russian.
  /// - Returns: `nil` if the text is not an amount or has more decimals than the currency.
  init?(typed text: String, currencyCode: String, in language: Language) {
    guard let number = TypedNumber(text, in: language),
      number.decimals.count <= Self.decimalCount(of: currencyCode), let value = number.value
    else { return nil }
    self = value
  }

  /// Formats an amount for editing, with all its decimals: `2400.5` and `2400,5`.
  func typed(in language: Language) -> String {
    "\(self)".replacing(".", with: "\(language.decimalSeparator)")
  }

  /// Returns the number of decimals of a currency.
  ///
  /// The source is
  /// [ISO 4217](https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html).
  private static func decimalCount(of currencyCode: String) -> Int {
    decimalCounts.first { $0.codes.contains(currencyCode) }?.count ?? 2
  }

  /// The currencies whose minor unit is not a hundredth.
  private static let decimalCounts: [(count: Int, codes: Set<String>)] = [
    (
      0,
      [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
      ]
    ),
    (3, ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]),
    (4, ["CLF", "UYW"]),
  ]
}

extension Language {
  /// The decimal separator.
  fileprivate var decimalSeparator: Character { locale.decimalSeparator?.first ?? "." }

  /// The separator of thousands. All kinds of spaces are one.
  fileprivate var groupSeparator: Character {
    let separator = locale.groupingSeparator?.first ?? " "
    return separator.isWhitespace ? " " : separator
  }
}

// MARK: - Fields of amounts

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
}

extension LocalizedText {
  fileprivate static let enterAmount = LocalizedText(
    en: "Enter an amount such as 1200 or 1,200.50.",
    ru: "Введите сумму, например 1200 или 1\u{a0}200,50.")
}
