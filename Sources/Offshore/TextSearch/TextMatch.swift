/// A search by a text index as a part of a query: the condition that rows match, and their ranks.
@usableFromInline
struct TextMatch: Sendable {
  let names: TextIndexNames
  private(set) var words: SearchWords
  /// The indexed columns, with the name of the table.
  let columns: [String]
  private let weights: [Double]
  private let keyNames: [String]
  private let isNumbered: Bool
  private let problem: SQL.Problem?

  init<Row>(_ index: TextIndex<Row>, _ words: SearchWords) {
    let table = Row.table
    names = index.names
    self.words = words
    weights = index.weights
    keyNames = table.plan.keyIndexes.map(table.fullName)
    columns = index.columns.map { table.name.quotedIdentifier + "." + $0.quotedIdentifier }
    let key = table.plan.keyIndexes.map { table.columns[$0] }
    isNumbered =
      key.count == 1 && key[0].sqlType.uppercased() == "INTEGER" && !table.isWithoutRowID
    problem = index.problem.map { SQL.Problem(code: .declaration, message: $0) }
  }

  /// Returns a search in the same index for other words.
  func replacingWords(by words: SearchWords) -> Self {
    var copy = self
    copy.words = words
    return copy
  }

  private var index: String { names.index.quotedIdentifier }
  private var keys: String { names.keys.quotedIdentifier }
  private var storedKeys: [String] { keyNames.indices.map { "\(keys)._text_key\($0)" } }

  /// ` WHERE "_text_recipes_index" MATCH ?`
  private var filter: SQL { " WHERE \(SQL(raw: index)) MATCH \(words.expression)" }

  /// Whether a row matches: `"recipes"."id" IN (SELECT rowid FROM "_text_recipes_index" WHERE …)`.
  var condition: SQLExpression<Bool> {
    if let problem { return SQLExpression<Bool>(SQL(problem), isNullable: false) }
    var sql = SQL(raw: keyNames.count == 1 ? keyNames[0] : "(\(keyNames.joined(separator: ", ")))")
    sql.append(
      isNumbered
        ? " IN (SELECT rowid FROM \(SQL(raw: index))\(filter))"
        : """
         IN (SELECT \(SQL(raw: storedKeys.joined(separator: ", "))) FROM \(SQL(raw: index))
        CROSS JOIN \(SQL(raw: keys)) ON \(SQL(raw: keys))._text_id = \(SQL(raw: index)).rowid\(filter))
        """)
    return SQLExpression<Bool>(sql, isNullable: false)
  }

  /// Returns the text after `FROM`: the table joined with the matching rows and their ranks.
  ///
  /// - Parameter count: The number of first rows that are enough, if it is known before the join.
  func rankedRows(of table: String, limit count: Int?) -> SQL {
    if let problem { return SQL(problem) }
    let values = weights.map { "\($0)" }.joined(separator: ", ")
    let best: SQL = count.map { " ORDER BY _text_rank, _text_hit LIMIT \($0)" } ?? ""
    var sql: SQL = """
      (SELECT rowid AS _text_hit, bm25(\(SQL(raw: index)), \(SQL(raw: values))) AS _text_rank
      FROM \(SQL(raw: index))\(filter)\(best)) CROSS JOIN
      """
    sql.append(raw: " ")
    if !isNumbered {
      sql.append(raw: "\(keys) ON \(keys)._text_id = _text_hit CROSS JOIN ")
    }
    let match =
      isNumbered
      ? ["\(keyNames[0]) = _text_hit"] : zip(keyNames, storedKeys).map { "\($0) = \($1)" }
    sql.append(raw: "\(table.quotedIdentifier) ON \(match.joined(separator: " AND "))")
    return sql
  }

  /// Returns the order of the ranked rows: the best first, and rows of equal rank always in the
  /// same order.
  func rankedTerms(_ others: [OrderTerm]) -> [OrderTerm] {
    [OrderTerm.rank] + others + [OrderTerm(raw: "_text_hit")]
  }

  // MARK: - Hits

  /// A finder that compares the texts of a row with the search; `nil` if the index is faster, or
  /// its declaration is not valid.
  var finder: WordFinder? { problem == nil ? WordFinder(words) : nil }

  /// A query for the number of matching rows.
  var hitCount: SQL { "SELECT count(*) FROM \(SQL(raw: index))\(filter)" }

  /// A query for the approximate number of rows: the highest row number.
  var rowCount: SQL { "SELECT ifnull(max(id), 0) FROM \(SQL(raw: names.sizes.quotedIdentifier))" }
}

extension OrderTerm {
  /// The rank of a row of ``TextMatch/rankedRows(of:limit:)``, the best first.
  static let rank = OrderTerm(raw: "_text_rank")

  fileprivate init(raw sql: String) {
    self.init(
      SQLExpression<Double>(SQL(raw: sql), .primary, isNullable: false, nil), isDescending: false)
  }
}

extension Query {
  /// Filters the rows by a search: all words must occur, the last one as the beginning of a word, unless
  /// `words` says otherwise.
  ///
  /// ```swift
  /// Recipe.matching("sour bre", in: Recipe.text).order { $0.date.descending }.limit(20)
  /// // … WHERE "recipes"."id" IN
  /// // (SELECT rowid FROM "_text_recipes_index" WHERE "_text_recipes_index" MATCH ?) …
  /// ```
  /// Pass the text as the user typed it: it cannot contain operators, and punctuation only
  /// separates words. A text without words excludes no rows. Fetching throws ``DatabaseError`` with
  /// code `invalidSQL` if the file has no such text index.
  ///
  /// With a limit, and an order by a column that is ``Column/indexed(_:)``, the first rows are
  /// found fast, regardless of the number of matching rows. `byRank()` sorts the rows by rank
  /// instead, the best first (`ORDER BY bm25(…)`): a row ranks the higher, the rarer its words are
  /// in the table and the shorter its texts. It ranks each matching row, which takes about 2 ms for
  /// 1,000.
  ///
  /// - Parameters:
  ///   - text: The text that the user typed.
  ///   - index: The text index of the table.
  ///   - match: The words of texts that each searched word matches.
  public func matching(
    _ text: String, in index: TextIndex<Row>, words match: WordMatch = .lastBegins
  ) -> Self {
    let words = SearchWords(text, words: match)
    guard !words.isEmpty || index.problem != nil else { return self }
    var copy = self
    if let former = self.match { copy.condition.require(former.condition) }
    copy.match = TextMatch(index, words)
    return copy
  }

  /// Sorts the matching rows by rank, the best first, before the terms of ``order(_:)``.
  ///
  /// `ORDER BY bm25("_text_recipes_index", 10.0, 1.0)`: a row ranks the higher, the rarer its words
  /// are in the table and the shorter its texts; see ``TextIndex``. Each matching row is ranked,
  /// which takes about 2 ms for 1,000. If the query is joined, the results have the order of rank,
  /// too, and then that of the join. Without ``matching(_:in:words:)``, or if the search text
  /// has no word, it has no effect.
  @_documentation(visibility: internal)
  public func byRank() -> Self {
    var copy = self
    copy.isRanked = true
    return copy
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
