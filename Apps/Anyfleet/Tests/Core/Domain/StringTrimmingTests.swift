import Foundation
import Testing

@testable import Anyfleet

struct StringTrimmingTests {
  @Test(arguments: [
    "", " ", "\n\t ", "a", " a", "a ", "a b", "\u{A0}Ёлка\u{2028}", "\u{200B}a\u{3000}", "é",
    "e\u{301} ", "🛟 ", "🛟", "(x)", "\u{85}x", "x\u{1680}", "«Ω»", "\r\nx\r\n", "7",
    "\u{7F}x\u{1F}",
  ]) func `Trimming removes the same white space and newlines as Foundation`(
    _ text: String
  ) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(text.trimmed == trimmed)
    #expect(text.trimmedOrNil == (trimmed.isEmpty ? nil : trimmed))
  }
}
