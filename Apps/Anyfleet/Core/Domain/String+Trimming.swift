import Foundation

extension String {
  /// The text without space around it.
  var trimmed: String { isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines) }

  /// The text without space around it, or `nil` if nothing is left.
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
