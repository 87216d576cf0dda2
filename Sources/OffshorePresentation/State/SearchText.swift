import Foundation

/// Texts in a form that ignores case and marks: `Šibenik` is `sibenik`, and `Ёлка` is `елка`.
///
/// NB: Apps store texts in this form. A change of the form needs a migration that stores them anew.
public enum SearchText {
  /// Letters with a mark that Unicode does not decompose.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "æ": "ae", "ß": "ss",
    "þ": "th",
  ]

  /// Returns a text in lower case and without marks.
  public static func folded(_ text: String) -> String {
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

  /// Returns the folded words of a search: a text with all of them is found.
  public static func words(of text: String) -> [String] {
    folded(text).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Returns fields as one folded text, in which no word spans two of them.
  public static func joined(_ fields: [String?]) -> String {
    fields.compactMap(\.self).map(folded).joined(separator: "\n")
  }
}
