public import Foundation
public import OffshorePresentation

extension CharterBudget {
  /// The amount that somebody typed, such as `1200`, `1 200,50` and `1,200.50`.
  ///
  /// A minus in front is read, for validation to refuse.
  ///
  /// - Parameters:
  ///   - text: what was typed.
  ///   - currencyCode: the currency, which says how many decimals there can be.
  ///   - language: what `12,345` means: 12345 in English, and 12.345 in Russian.
  /// - Returns: the amount, or `nil` where the text is none or has more decimals than the currency.
  public static func amount(
    from text: String, currencyCode: String, in language: Language
  ) -> Decimal? {
    guard let number = TypedNumber(text, in: language),
      number.decimals.count <= decimalCount(of: currencyCode)
    else { return nil }
    return number.value
  }

  /// The amount as it can be typed in a language, with all its decimals, such as `2400.5` and `2400,5`.
  public func typedAmount(in language: Language) -> String {
    "\(amount)".replacing(".", with: "\(language.decimalSeparator)")
  }
}
