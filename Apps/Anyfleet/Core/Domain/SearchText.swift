import Foundation

/// Texts in a form in which one finds them however they are written: `Šibenik` is `sibenik`, and
/// `Ёлка` is `елка`.
///
/// NB: What is stored in this form stays as it is. Whoever changes the form adds a migration that
/// writes all of it anew.
public enum SearchText {
  /// Letters that are one with a mark for readers, and that Unicode does not take apart.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "æ": "ae", "ß": "ss",
    "þ": "th",
  ]

  /// A text without its marks, in lower case.
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

  /// The folded words of what somebody searches for: a text with all of them is found.
  public static func words(of text: String) -> [String] {
    folded(text).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Some fields in one text, in which no word is found that spans two of them.
  public static func joined(_ fields: [String?]) -> String {
    fields.compactMap(\.self).map(folded).joined(separator: "\n")
  }
}

extension CharterModel {
  /// What a search looks through: name, boat, location and region.
  public var searchText: String { SearchText.joined([name, boatName, location, region]) }
}

extension String {
  /// The text without space around it.
  var trimmed: String { isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines) }

  /// The text without space around it, or `nil` where nothing is left.
  var trimmedOrNil: String? {
    let text = trimmed
    return text.isEmpty ? nil : text
  }

  /// Whether there is certainly no space around the text, which is quick to see for most texts.
  private var isTrimmed: Bool {
    guard let first = unicodeScalars.first, let last = unicodeScalars.last else { return true }
    return first.isNoSpace && last.isNoSpace
  }
}

extension Unicode.Scalar {
  fileprivate var isNoSpace: Bool {
    isASCII ? (0x21...0x7E).contains(value) : properties.isAlphabetic
  }
}
