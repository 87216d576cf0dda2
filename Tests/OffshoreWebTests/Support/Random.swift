/// Numbers that look random and are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Text that is hard on whoever escapes it.
func nastyText(_ generator: inout SeededGenerator) -> String {
  let pieces = [
    "<", ">", "&", "\"", "'", "</p>", "<script>", "-->", "<!--", "&amp;", "&#0;", "]]>", "\0", "\r",
    "\n", "\t", "=", "`", "a", " ", "é", "👩‍👩‍👧", "\u{202E}", "\u{2028}", "javascript:",
  ]
  let count = Int.random(in: 0...12, using: &generator)
  return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
}
