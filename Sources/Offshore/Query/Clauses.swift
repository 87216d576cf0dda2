/// The clauses of a `SELECT` statement: conditions, groups, order, and range.
struct Clauses: Hashable, Sendable {
  var condition: SQLExpression<Bool>?
  var keys: SQL?
  var groupCondition: SQLExpression<Bool>?
  var terms: [OrderTerm] = []
  var count: Int?
  var skipped: Int?

  /// ` WHERE … GROUP BY … HAVING … ORDER BY … LIMIT …`, without the clauses that are empty.
  var sql: SQL {
    var sql = SQL(raw: "")
    if let condition { sql.append(" WHERE \(condition.sql)") }
    if let keys { sql.append(" GROUP BY \(keys)") }
    if let groupCondition { sql.append(" HAVING \(groupCondition.sql)") }
    sql.append(terms.sql)
    sql.append(SQL.range(count, skipped))
    return sql
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.sql == rhs.sql }

  func hash(into hasher: inout Hasher) { hasher.combine(sql) }
}

extension SQLExpression<Bool>? {
  /// Adds a condition.
  mutating func require(_ condition: SQLExpression<Bool>) {
    self = map { $0 && condition } ?? condition
  }
}

extension [OrderTerm] {
  /// ` ORDER BY …`, or nothing if there are no terms.
  var sql: SQL {
    var sql = SQL(raw: "")
    for (index, term) in enumerated() {
      sql.append(raw: index == 0 ? " ORDER BY " : ", ")
      sql.append(term.sql)
      sql.append(raw: term.isDescending ? " DESC" : "")
    }
    return sql
  }
}

extension SQL {
  /// Returns ` LIMIT ? OFFSET ?`, or nothing if both are `nil`.
  static func range(_ count: Int?, _ skipped: Int?) -> SQL {
    guard count ?? 0 >= 0, skipped ?? 0 >= 0 else {
      return SQL(problem: .invalidSQL, "A limit or an offset is negative. Pass 0 or more.")
    }
    switch (count, skipped) {
    case (nil, nil): return SQL(raw: "")
    case (let count?, nil): return " LIMIT \(count)"
    case (nil, let skipped?): return " LIMIT -1 OFFSET \(skipped)"
    case (let count?, let skipped?): return " LIMIT \(count) OFFSET \(skipped)"
    }
  }
}
