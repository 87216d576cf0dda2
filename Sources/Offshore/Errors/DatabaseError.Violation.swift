extension DatabaseError {
  /// The constraint that a change violates.
  ///
  /// | case | violation |
  /// | --- | --- |
  /// | `.unique(columns:)` | Another row has the same values in these columns, such as the primary key. They are empty for an index of expressions. |
  /// | `.check(_:)` | A check is not satisfied: its name, or its expression if it has no name. |
  /// | `.notNull(column:)` | A column that refuses NULL would be NULL. |
  /// | `.foreignKey(column:)` | A row would refer to a row that does not exist, or other rows refer to it. The column is the referring one, or `nil` if it is not known. |
  public enum Violation: Hashable, Sendable {
    /// Another row has the same values in columns that are unique together, such as the primary
    /// key. The columns are empty for an index of expressions; see `constraint`.
    @_documentation(visibility: internal)
    case unique(columns: [String])
    /// A check is not satisfied: its name, or its expression if it has no name.
    @_documentation(visibility: internal)
    case check(String)
    /// A column that refuses NULL would be NULL.
    @_documentation(visibility: internal)
    case notNull(column: String)
    /// A row would refer to a row that does not exist, or other rows refer to it. The column is the
    /// referring one, or `nil` if it is not known.
    @_documentation(visibility: internal)
    case foreignKey(column: String?)
  }

  /// The constraint that the change violates, with columns of the error's `table`.
  ///
  /// It is `nil` for errors with codes other than `constraint` and `danglingReference`, and if a
  /// trigger refused the change.
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

  /// The columns in SQLite's message, such as `charters.name, charters.guests`.
  private var uniqueColumns: [String] {
    guard let constraint, let table, !constraint.hasPrefix("index ") else { return [] }
    return constraint.split(separator: ", ").map { String($0.trimmingPrefix("\(table).")) }
  }
}
