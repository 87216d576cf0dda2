extension SQLTokens {
  /// The statement with uniform spacing, on one line.
  var text: String { Self.text(of: tokens[...]) }

  /// The statement over several lines: one for each column of a table, each statement of a trigger.
  var layout: String {
    guard tokens.first?.is("CREATE") == true, tokens.count > 1 else { return text }
    let kind = tokens.first { ["TABLE", "TRIGGER"].contains($0.name.uppercased()) }
    if kind?.is("TABLE") == true, !tokens[1].is("VIRTUAL"), !definitions.isEmpty {
      return tableLayout
    }
    return kind?.is("TRIGGER") == true ? triggerLayout : text
  }

  private var tableLayout: String {
    let groups = definitions
    guard let first = groups.first, let last = groups.last else { return text }
    let head = Self.text(of: tokens[..<(first.startIndex - 1)])
    let tail = Self.text(of: tokens[last.endIndex...].dropFirst())
    let lines = groups.map { "  " + Self.text(of: $0) }.joined(separator: ",\n")
    return "\(head) (\n\(lines)\n)" + (tail.isEmpty ? "" : " \(tail)")
  }

  private var triggerLayout: String {
    guard let begin = tokens.firstIndex(where: { $0.is("BEGIN") }) else { return text }
    let head = Self.text(of: tokens[...begin])
    let body = tokens[(begin + 1)...].split { $0.text == ";" }.map { Self.text(of: $0) }
    guard let end = body.last else { return text }
    return ([head] + body.dropLast().map { "  \($0);" } + [end]).joined(separator: "\n")
  }

  /// Tokens with uniform spacing.
  static func text(of tokens: ArraySlice<Token>) -> String {
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
    // A sign stays apart from another, for two of them would begin a comment.
    if isUnary { return token.kind == .symbol && token.text != "(" }
    guard token.text == "(" else { return true }
    return previous.kind == .symbol || previous.kind == .string
      || previous.kind == .word && isKeyword(previous.name)
  }

  /// Whether a value follows the token, so that a sign after it is the value's own.
  private static func expectsOperand(_ token: Token) -> Bool {
    switch token.kind {
    case .symbol: token.text != ")"
    case .word: isKeyword(token.name)
    default: false
    }
  }
}
