extension DatabaseError {
  /// The rule of a table that a change would break.
  public enum Violation: Hashable, Sendable {
    /// Another row has the same values in columns that are unique together; the primary key is one of these
    /// rules. No columns are named for an index of expressions; see ``DatabaseError/constraint``.
    case unique(columns: [String])
    /// A condition does not hold: the name of the constraint, or its expression if it has no name.
    case check(String)
    /// A column would be NULL and accepts none.
    case notNull(column: String)
    /// A row would refer to one that does not exist, or is referred to by others; the column refers, and is
    /// `nil` if it is not known.
    case foreignKey(column: String?)
  }

  /// The rule that the change would have broken, with the columns of ``table``; `nil` for other errors, and for
  /// the refusal of a trigger.
  public var violation: Violation? {
    if code == .danglingReference { return .foreignKey(column: column) }
    guard code == .constraint, let refusal = Refusal(rawValue: resultCode) else { return nil }
    switch refusal {
    case .check: return constraint.map { .check($0) }
    case .foreignKey: return .foreignKey(column: column)
    case .notNull: return column.map { .notNull(column: $0) }
    case .primaryKey, .unique, .rowID: return .unique(columns: uniqueColumns)
    case .trigger: return nil
    }
  }

  /// The columns in SQLite's words, such as `charters.name, charters.guests`.
  private var uniqueColumns: [String] {
    guard let constraint, let table, !constraint.hasPrefix("index ") else { return [] }
    return constraint.split(separator: ", ").map { String($0.trimmingPrefix("\(table).")) }
  }
}
