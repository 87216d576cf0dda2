extension SQLTokens {
  /// The statement with uniform spacing, on one line.
  package var text: String { Self.text(of: tokens[...]) }

  /// Returns the text of tokens with uniform spacing.
  package static func text(of tokens: ArraySlice<Token>) -> String {
    var text = ""
    var isUnary = false
    for index in tokens.indices {
      let token = tokens[index]
      let previous = index > tokens.startIndex ? tokens[index - 1] : nil
      if let previous, needsSpace(previous, token, afterUnary: isUnary) { text += " " }
      text += token.text
      isUnary = ["-", "+", "~"].contains(token.text) && (previous.map(expectsOperand) ?? true)
    }
    return text
  }

  private static func needsSpace(
    _ previous: Token, _ token: Token, afterUnary isUnary: Bool
  ) -> Bool {
    if previous.kind == .symbol, ["(", "."].contains(previous.text) { return false }
    if token.kind == .symbol, [",", ")", ".", ";"].contains(token.text) { return false }
    // Two adjacent signs need a space, because two minus signs would begin a comment.
    if isUnary { return token.kind == .symbol && token.text != "(" }
    guard token.text == "(" else { return true }
    return previous.kind == .symbol || previous.kind == .string
      || previous.kind == .word && isKeyword(previous.name)
  }

  /// Returns whether a value follows the token, so that a sign after it belongs to the value.
  private static func expectsOperand(_ token: Token) -> Bool {
    switch token.kind {
    case .symbol: token.text != ")"
    case .word: isKeyword(token.name)
    default: false
    }
  }
}
