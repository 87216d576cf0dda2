import Foundation

/// Texts in the form that a search compares, without case and diacritics: `Šibenik` becomes
/// `sibenik`, and `Ёлка` becomes `елка`.
///
/// NB: Apps store folded texts. If the result changes, a migration must fold them again.
public enum SearchText {
  /// Letters with a diacritic that Unicode does not decompose.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "æ": "ae", "ß": "ss",
    "þ": "th",
  ]

  /// Returns a text in lower case and without diacritics.
  static func folded(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars {
      if let plain = plainLetters[scalar] {
        folded.append(contentsOf: plain.unicodeScalars)
      } else if scalar.properties.generalCategory != .nonspacingMark {
        folded.append(scalar)
      }
    }
    return String(folded)
  }

  /// Returns the folded words of a search. A text matches if it contains all of them.
  public static func words(of text: String) -> [String] {
    folded(text).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Joins fields into one folded text in which no word spans two fields.
  public static func joined(_ fields: [String?]) -> String {
    fields.compactMap(\.self).map(folded).joined(separator: "\n")
  }
}
