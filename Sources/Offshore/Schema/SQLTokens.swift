import CSQLite

/// The tokens of a statement by SQLite's rules, without whitespace and comments.
///
/// See <https://sqlite.org/lang.html>. It is used to compare and print statements that SQLite has
/// already accepted, so it checks nothing.
package struct SQLTokens: Equatable {
  /// One token with its range in the statement.
  package struct Token: Equatable {
    package enum Kind { case word, quoted, string, number, symbol }

    let kind: Kind
    /// The token in its plainest form: a name has quotes only if it needs them.
    package let text: String
    /// The name without quotes, for a word or a quoted name.
    package let name: String
    let range: Range<String.Index>

    package static func == (left: Token, right: Token) -> Bool { left.text == right.text }

    /// Returns whether the token is a keyword, ignoring its case.
    package func `is`(_ keyword: String) -> Bool { kind == .word && name.uppercased() == keyword }
  }

  package private(set) var tokens: [Token] = []

  /// Splits a text into tokens.
  package init(_ sql: String) {
    var scanner = Scanner(rest: Substring(sql))
    while let token = scanner.next() { tokens.append(token) }
  }

  /// Returns whether a text has no statement: only whitespace, comments, and semicolons.
  static func isBlank(_ sql: String) -> Bool {
    var scanner = Scanner(rest: Substring(sql))
    while let token = scanner.next() {
      if token.text != ";" { return false }
    }
    return true
  }

  /// Returns whether SQLite reserves a word, so that a name with this spelling needs quotes.
  static func isKeyword(_ word: String) -> Bool {
    word.withCString { sqlite3_keyword_check($0, Int32(word.utf8.count)) != 0 }
  }

  /// The definitions between the outermost parentheses of a `CREATE TABLE` statement: one for each
  /// column and constraint.
  package var definitions: [ArraySlice<Token>] {
    guard let open = tokens.firstIndex(where: { $0.text == "(" }) else { return [] }
    var groups: [ArraySlice<Token>] = []
    var depth = 0
    var start = open + 1
    for index in tokens.indices[open...] {
      switch tokens[index].text {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 1:
        groups.append(tokens[start..<index])
        start = index + 1
      default: break
      }
      if depth == 0 { return groups + [tokens[start..<index]] }
    }
    return groups
  }
}

// MARK: - Scanning

private struct Scanner {
  var rest: Substring

  mutating func next() -> SQLTokens.Token? {
    skipSpaceAndComments()
    guard let first = rest.first else { return nil }
    switch first {
    case "'": return quoted(.string, "'")
    case "\"", "`": return quoted(.quoted, first)
    case "[": return quoted(.quoted, "]")
    default: break
    }
    if let next = rest.dropFirst().first, next == "'", "xX".contains(first) { return blob() }
    if first.isWordStart { return scan(.word) { $0.isWordPart } }
    if first.isDigit || first == "." && rest.dropFirst().first?.isDigit == true { return number() }
    for symbol in ["->>", "<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "->"]
    where rest.hasPrefix(symbol) {
      return token(.symbol, to: rest.index(rest.startIndex, offsetBy: symbol.count))
    }
    return token(.symbol, to: rest.index(after: rest.startIndex))
  }

  private mutating func skipSpaceAndComments() {
    while true {
      rest = rest.drop { $0.isWhitespace }
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        var index = rest.index(rest.startIndex, offsetBy: 2)
        while index < rest.endIndex, !rest[index...].hasPrefix("*/") {
          index = rest.index(after: index)
        }
        rest = rest[index...].dropFirst(2)
      } else {
        return
      }
    }
  }

  /// Reads a token in quotes. A doubled quote stands for one, except in brackets.
  private mutating func quoted(
    _ kind: SQLTokens.Token.Kind, _ quote: Character
  ) -> SQLTokens.Token {
    var index = rest.index(after: rest.startIndex)
    var name = ""
    while index < rest.endIndex {
      let character = rest[index]
      index = rest.index(after: index)
      if character == quote {
        guard quote != "]", index < rest.endIndex, rest[index] == quote else { break }
        index = rest.index(after: index)
      }
      name.append(character)
    }
    return token(kind, to: index, name: name)
  }

  private mutating func blob() -> SQLTokens.Token {
    let end = rest.dropFirst(2).firstIndex(of: "'").map { rest.index(after: $0) }
    return token(.string, to: end ?? rest.endIndex)
  }

  private mutating func number() -> SQLTokens.Token {
    var previous: Character = " "
    return scan(.number) { character in
      let isSign = "+-".contains(character) && "eE".contains(previous)
      defer { previous = character }
      return character.isWordPart || character == "." || isSign
    }
  }

  private mutating func scan(
    _ kind: SQLTokens.Token.Kind, while isPart: (Character) -> Bool
  ) -> SQLTokens.Token {
    token(kind, to: rest.firstIndex { !isPart($0) } ?? rest.endIndex)
  }

  private mutating func token(
    _ kind: SQLTokens.Token.Kind, to end: String.Index, name: String? = nil
  ) -> SQLTokens.Token {
    let text = String(rest[..<end])
    let range = rest.startIndex..<end
    rest = rest[end...]
    let name = name ?? text
    return SQLTokens.Token(
      kind: kind, text: kind == .quoted ? name.plainIdentifier : text, name: name, range: range)
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isWordStart: Bool { isLetter || self == "_" || !isASCII }
  fileprivate var isWordPart: Bool { isWordStart || isDigit || self == "$" }
}

extension String {
  /// The name, in double quotes if SQL requires them.
  package var plainIdentifier: String {
    let isPlain =
      first.map { $0.isASCII && $0.isWordStart } == true
      && allSatisfy { $0.isASCII && $0.isWordPart && $0 != "$" }
    return isPlain && !SQLTokens.isKeyword(self) ? self : quotedIdentifier
  }
}

extension [String] {
  /// The names, separated by commas.
  package var nameList: String { map(\.plainIdentifier).joined(separator: ", ") }
}

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
