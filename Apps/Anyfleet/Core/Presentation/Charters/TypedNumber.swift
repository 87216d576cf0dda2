import Foundation
import OffshorePresentation

/// A number as somebody typed it, such as `1200`, `1 200,50` and `1,200.50`.
///
/// Thousands are groups of three digits with one separator, a space, a comma, a point or an
/// apostrophe, which is another one than that before the decimals. A single comma or point before
/// three digits, as in `12,345`, can be read as either, a thousand times apart: what it means, the
/// language says, and where it says neither, it is no number.
struct TypedNumber: Equatable {
  /// The digits before the decimals, with a minus in front where there is one.
  let whole: String
  /// The digits of the decimals, also zeros at their end.
  let decimals: String

  /// How many digits may stand before the decimals.
  private static let maximumDigits = 18

  /// Reads a number; `nil` where the text is none.
  init?(_ text: String, in language: Language) {
    let text = Self.unified(text)
    let (plain, grouped) = (Self.plain(text), Self.grouped(text))
    let isAmbiguous = plain != nil && grouped != nil
    let number =
      isAmbiguous ? Self.said(by: language, text, plain, grouped) : plain ?? grouped
    guard let number, number.whole.filter(\.isNumber).count <= Self.maximumDigits else {
      return nil
    }
    (whole, decimals) = number
  }

  /// The number; its digits are few enough for all of them to count.
  var value: Decimal? {
    Decimal(string: "\(whole).\(decimals)0", locale: Locale(identifier: "en_US_POSIX"))
  }

  // MARK: - Ways to read it

  private typealias Parts = (whole: String, decimals: String)

  /// The text without space around it, with one kind each of space, apostrophe and minus within.
  private static func unified(_ text: String) -> String {
    String(
      text.trimmed.map { character in
        switch character {
        case "’": "'"
        case "−": "-"
        default: character.isWhitespace ? " " : character
        }
      })
  }

  /// Digits without thousands apart.
  private static func plain(_ text: String) -> Parts? {
    text.wholeMatch(of: /(-?[0-9]+)(?:[.,]([0-9]+))?/).map {
      (String($0.1), $0.2.map(String.init) ?? "")
    }
  }

  /// Digits in groups of three.
  private static func grouped(_ text: String) -> Parts? {
    let form = /(-?[1-9][0-9]{0,2}([ ',.])[0-9]{3}(?:\2[0-9]{3})*)(?:([.,])([0-9]+))?/
    guard let match = text.wholeMatch(of: form), match.2 != match.3 else { return nil }
    return (match.1.filter { $0.isNumber || $0 == "-" }, match.4.map(String.init) ?? "")
  }

  /// What a language says that one comma or point before three digits is.
  private static func said(
    by language: Language, _ text: String, _ plain: Parts?, _ grouped: Parts?
  ) -> Parts? {
    if text.contains(language.decimalSeparator) { return plain }
    return text.contains(language.groupSeparator) ? grouped : nil
  }
}

extension Language {
  /// The character before decimals.
  var decimalSeparator: Character { locale.decimalSeparator?.first ?? "." }

  /// The character between thousands; a space stands for any.
  fileprivate var groupSeparator: Character {
    let separator = locale.groupingSeparator?.first ?? " "
    return separator.isWhitespace ? " " : separator
  }
}
