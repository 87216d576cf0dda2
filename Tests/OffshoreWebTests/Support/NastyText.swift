import TestSupport

/// Returns text that is difficult to escape.
func nastyText(_ generator: inout SeededRandom) -> String {
  let pieces = [
    "<", ">", "&", "\"", "'", "</p>", "<script>", "-->", "<!--", "&amp;", "&#0;", "]]>", "\0", "\r",
    "\n", "\t", "=", "`", "a", " ", "é", "👩‍👩‍👧", "\u{202E}", "\u{2028}", "javascript:",
  ]
  let count = Int.random(in: 0...12, using: &generator)
  return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
}
