import Foundation

extension String {
  /// The text without surrounding whitespace.
  var trimmed: String { isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines) }

  /// The text without surrounding whitespace, or `nil` if it is blank.
  var trimmedOrNil: String? {
    let text = trimmed
    return text.isEmpty ? nil : text
  }

  /// Whether the text certainly has no surrounding whitespace. It is a fast check that succeeds for
  /// most texts.
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
