import CSQLite

extension DatabaseError {
  /// The constraint that a change violates.
  ///
  /// | case | violation |
  /// | --- | --- |
  /// | `.unique(columns:)` | Another row has the same values in these columns, such as the primary key. They are empty for an index of expressions. |
  /// | `.check(_:)` | A check is not satisfied: its name, or its expression if it has no name. |
  /// | `.notNull(column:)` | A column that refuses NULL would be NULL. |
  /// | `.foreignKey(column:)` | The change would leave a row that refers to a row that does not exist. The column is the referring one, or `nil` if it is not known. |
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
    /// The change would leave a row that refers to a row that does not exist. The column is the
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

// MARK: - Errors of SQLite

extension DatabaseError {
  /// Returns the error for a result code, with the connection's message if it has one.
  static func sqlite(
    _ resultCode: Int32, _ connection: OpaquePointer? = nil, sql: String? = nil
  ) -> DatabaseError {
    let extended = connection.map(sqlite3_extended_errcode) ?? resultCode
    // The connection's last error may belong to another call. It counts only if the codes agree.
    let agrees = extended & 0xFF == resultCode & 0xFF
    let detail =
      if let connection, agrees { String(cString: sqlite3_errmsg(connection)) } else {
        String(cString: sqlite3_errstr(resultCode))
      }
    let (code, message) = explain(agrees ? extended : resultCode, detail)
    var error = DatabaseError(code, message)
    error.resultCode = agrees ? extended : resultCode
    error.sql = sql
    if code == .constraint { error.nameConstraint(detail) }
    return error
  }

  /// Returns the code for a result code, and a message with the remedy.
  private static func explain(_ resultCode: Int32, _ detail: String) -> (Code, String) {
    switch resultCode & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      (.busy, "Another connection is using the file. Try again, or raise the busy timeout.")
    case SQLITE_CANTOPEN:
      (.cannotOpen, "The file cannot be opened. Check that its folder exists and is accessible.")
    case SQLITE_NOTADB:
      (.notADatabase, "The file is not an SQLite database. It was left untouched; choose another.")
    case SQLITE_CORRUPT:
      (.corrupted, "The file is damaged (\(detail)). Restore a backup.")
    case SQLITE_READONLY, SQLITE_PERM:
      (.readOnly, "Writing is not allowed here. Check the permissions of the file and its folder.")
    case SQLITE_FULL:
      (.diskFull, "The disk is full. Free some space and try again; nothing stored was lost.")
    case SQLITE_IOERR:
      (.inputOutput, "The system could not read or write the file (\(detail)). Check the disk.")
    case SQLITE_INTERRUPT: (.interrupted, "The operation was interrupted.")
    case SQLITE_CONSTRAINT: (.constraint, "A constraint refused the change: \(detail).")
    case SQLITE_TOOBIG: (.invalidValue, "The value is larger than SQLite allows.")
    case SQLITE_AUTH: (.transaction, "The statement is not allowed here: \(detail).")
    case SQLITE_ERROR where detail.contains(TextIndexNames.prefix):
      (.invalidSQL, TextIndexNames.explain(detail))
    case SQLITE_ERROR: (.invalidSQL, "SQLite refused the statement: \(detail).")
    default: (.other, "SQLite reported: \(detail).")
    }
  }

  /// SQLite's extended result codes of constraints, which Swift does not import
  /// (<https://sqlite.org/rescode.html#extrc>).
  enum Refusal: Int32 {
    case check = 275
    case foreignKey = 787
    case notNull = 1299
    case primaryKey = 1555
    case trigger = 1811
    case unique = 2067
    case rowID = 2579

    /// Whether SQLite's message names a column with its table, and not an expression.
    var namesColumn: Bool { ![.check, .foreignKey, .trigger].contains(self) }
  }

  /// Extracts the table, column, and constraint from "UNIQUE constraint failed: charters.id".
  private mutating func nameConstraint(_ detail: String) {
    let refusal = Refusal(rawValue: resultCode)
    // The message of a trigger is written by the app.
    guard refusal != .trigger, let colon = detail.firstIndex(of: ":") else { return }
    let name = detail[detail.index(after: colon)...].trimmingPrefix(" ")
    constraint = String(name)
    guard refusal?.namesColumn == true, !name.hasPrefix("index ") else { return }
    let parts = name.prefix { $0 != "," }.split(separator: ".")
    if parts.count == 2 {
      table = String(parts[0])
      column = String(parts[1])
    }
  }

  /// Whether a row is missing: the requested one, or one that a changed row refers to.
  package var isMissingRow: Bool {
    [.notFound, .danglingReference].contains(code) || Refusal(rawValue: resultCode) == .foreignKey
  }

  /// Whether a value of the change was refused, so that the same change would be refused again.
  ///
  /// NB: The error of a trigger does not show whether a value is the reason, so it does not count.
  package var refusesValue: Bool {
    switch code {
    case .constraint: !isMissingRow && Refusal(rawValue: resultCode) != .trigger
    case .invalidValue: !isUnreadableRow && !isUnreadableResult
    default: false
    }
  }
}
