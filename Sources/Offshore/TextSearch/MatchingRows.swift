extension Query {
  /// Filters the rows by a search: all words must occur, the last one as the beginning of a word.
  ///
  /// ```swift
  /// Recipe.matching("sour bre", in: Recipe.text).order { $0.date.descending }.limit(20)
  /// // … WHERE "recipes"."id" IN
  /// // (SELECT rowid FROM "_text_recipes_index" WHERE "_text_recipes_index" MATCH ?) …
  /// ```
  /// Pass the text as the user typed it: it cannot contain operators, and punctuation only
  /// separates words. A text without words excludes no rows. The first rows in the order of an
  /// index are found fast, regardless of the number of matching rows. `byRank()` sorts the rows by
  /// rank instead, the best first (`ORDER BY bm25(…)`): a row ranks the higher, the rarer its words
  /// are in the table and the shorter its texts. It ranks each matching row, which takes about 2 ms
  /// for 1,000. Fetching throws ``DatabaseError`` with code `invalidSQL` if the file has no such text
  /// index.
  ///
  /// - Parameters:
  ///   - text: The text that the user typed.
  ///   - index: The text index of the table.
  ///   - wholeWords: Whether the last word must match a whole word.
  public func matching(
    _ text: String, in index: TextIndex<Row>, wholeWords: Bool = false
  ) -> Self {
    let words = SearchWords(text, wholeWords: wholeWords)
    guard !words.isEmpty || index.problem != nil else { return self }
    var copy = self
    if let match { copy.condition.require(match.condition) }
    copy.match = TextMatch(index, words)
    return copy
  }

  /// Sorts the matching rows by rank, the best first, before the terms of ``order(_:)``.
  ///
  /// `ORDER BY bm25("_text_recipes_index", 10.0, 1.0)`: a row ranks the higher, the rarer its words are in the table
  /// and the shorter its texts; see ``TextIndex``. Each matching row is ranked, which takes about 2 ms
  /// for 1,000. A join keeps the order. Without ``matching(_:in:wholeWords:)``, or for a text without words, the
  /// order stays as it is.
  @_documentation(visibility: internal)
  public func byRank() -> Self {
    var copy = self
    copy.isRanked = true
    return copy
  }
}

@_documentation(visibility: internal)
extension Record {
  /// Returns a query for the rows that have all words of a text; see
  /// ``Query/matching(_:in:wholeWords:)``.
  public static func matching(
    _ text: String, in index: TextIndex<Self>, wholeWords: Bool = false
  ) -> Query<Self> {
    all.matching(text, in: index, wholeWords: wholeWords)
  }
}

extension Query {
  /// The search, if the rows are sorted by its rank.
  var ranking: TextMatch? { isRanked ? match : nil }

  /// The tables after `FROM`.
  var tables: SQL {
    guard let ranking else { return "\(identifier: Row.table.name)" }
    let isAlone = key == nil && condition == nil && boundary.isEmpty && terms.isEmpty
    let needed = count.flatMap { $0.addingReportingOverflow(skipped ?? 0) }
    let best = isAlone && needed?.overflow == false ? needed?.partialValue : nil
    return ranking.rankedRows(of: Row.table.name, limit: best)
  }

  /// The statement as a table of a join: with the ranks, if the rows are sorted by them.
  var joinedSQL: SQL {
    guard ranking != nil else { return sql }
    return "SELECT \(columns: Row.self), \(OrderTerm.rank.sql) FROM \(tables)\(clauses)"
  }

  /// The order of a join, which terms of other tables may follow.
  var joinedTerms: [OrderTerm] { ranking == nil ? terms : [OrderTerm.rank] + terms }
}
