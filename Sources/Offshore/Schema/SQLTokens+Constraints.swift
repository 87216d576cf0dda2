extension SQLTokens {
  /// For each `REFERENCES` of a `CREATE TABLE`, whether it waits for the end of the transaction.
  var deferredReferences: [Bool] {
    definitions.flatMap { definition in
      definition.split { $0.is("REFERENCES") }.dropFirst().map { clause in
        clause.contains { $0.is("DEFERRED") }
          && !zip(clause, clause.dropFirst()).contains { $0.is("NOT") && $1.is("DEFERRABLE") }
      }
    }
  }

  /// The expressions of the `CHECK` constraints of a `CREATE TABLE`.
  var checks: [String] {
    definitions.flatMap { definition in
      definition.indices.compactMap { index in
        guard definition[index].is("CHECK"), index + 1 < definition.endIndex else { return nil }
        return Self.group(in: definition[(index + 1)...])
      }
    }
  }

  /// The text between the parenthesis that tokens begin with and its counterpart.
  private static func group(in tokens: ArraySlice<Token>) -> String? {
    var depth = 0
    for index in tokens.indices {
      if tokens[index].text == "(" { depth += 1 }
      if tokens[index].text == ")" { depth -= 1 }
      if depth == 0 { return text(of: tokens[tokens.startIndex..<index].dropFirst()) }
    }
    return nil
  }
}
