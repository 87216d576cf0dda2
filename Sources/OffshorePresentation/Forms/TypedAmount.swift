import Foundation

extension Decimal {
  /// Parses an amount as people type it, such as `1200`, `1 200,50` and `1,200.50`, or a negative one.
  ///
  /// - Parameters:
  ///   - currencyCode: the currency by ISO 4217, which limits the decimals.
  ///   - language: the language that decides what `12,345` means: 12345 in English, and 12.345 in Russian.
  /// - Returns: `nil` if the text is no amount or has more decimals than the currency.
  init?(typed text: String, currencyCode: String, in language: Language) {
    guard let number = TypedNumber(text, in: language),
      number.decimals.count <= Self.decimalCount(of: currencyCode), let value = number.value
    else { return nil }
    self = value
  }

  /// Writes an amount as it can be typed, with all its decimals: `2400.5` and `2400,5`.
  func typed(in language: Language) -> String {
    "\(self)".replacing(".", with: "\(language.decimalSeparator)")
  }

  /// Returns how many decimals an amount of a currency can have, by
  /// [ISO 4217](https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html).
  private static func decimalCount(of currencyCode: String) -> Int {
    decimalCounts.first { $0.codes.contains(currencyCode) }?.count ?? 2
  }

  /// The currencies whose smallest part is not a hundredth.
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

/// A number as people type it, such as `1200`, `1 200,50` and `1,200.50`.
///
/// Thousands are groups of three digits with one separator, a space, a comma, a point or an apostrophe, which
/// differs from the one before the decimals. A single comma or point before three digits, as in `12,345`,
/// can be read as either. The language decides what it means; if it means neither, the text is no number.
private struct TypedNumber: Equatable {
  /// The digits before the decimals, with a minus in front of a negative number.
  let whole: String
  /// The digits of the decimals, with zeros at their end.
  let decimals: String

  /// The most digits before the decimals.
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

  /// The number. It has few enough digits for all of them to count.
  var value: Decimal? {
    Decimal(string: "\(whole).\(decimals)0", locale: Locale(identifier: "en_US_POSIX"))
  }

  // MARK: - Ways to read it

  private typealias Parts = (whole: String, decimals: String)

  /// Trims a text, and replaces each kind of space, apostrophe and minus by one.
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

  /// Chooses what one comma or point before three digits means in a language.
  private static func chosen(
    by language: Language, _ text: String, _ plain: Parts?, _ grouped: Parts?
  ) -> Parts? {
    if text.contains(language.decimalSeparator) { return plain }
    return text.contains(language.groupSeparator) ? grouped : nil
  }
}

extension Language {
  /// The character before decimals.
  fileprivate var decimalSeparator: Character { locale.decimalSeparator?.first ?? "." }

  /// The character between thousands; a space stands for any.
  fileprivate var groupSeparator: Character {
    let separator = locale.groupingSeparator?.first ?? " "
    return separator.isWhitespace ? " " : separator
  }
}
