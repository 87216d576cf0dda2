import Offshore

extension SQLTokens {
  /// The statement on several lines: one per column of a table, one per statement of a trigger.
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
}

// MARK: - Constraints

extension SQLTokens {
  /// Whether each `REFERENCES` of a `CREATE TABLE` is deferred to the end of the transaction.
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

  /// Returns the text between the parenthesis at the start of tokens and its counterpart.
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
