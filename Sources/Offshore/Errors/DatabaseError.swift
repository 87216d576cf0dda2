/// A failure of the local database, with its remedy.
///
/// ```swift
/// do {
///   try await database.write { try charter.insert($0) }
/// } catch let error as DatabaseError where error.code == .constraint {
///   if case .unique(let columns) = error.violation { warn("Another charter has this \(columns).")
///   } }
/// ```
/// There are three texts, all for developers: a user needs a sentence of the app, which it can
/// choose by the code. ``message`` states the failure and its remedy. `description` consists of the
/// code, the names of the table and column, and the message. Neither has a stored value, so both
/// are safe to log. `debugDescription` adds all other properties, including the bound values, which
/// may be personal data.
///
/// Further properties state the place of the failure, as far as it is known: `table` and `column`
/// by name; `rowKey`, the stored primary key of the row, which may be personal data; `constraint`,
/// SQLite's name of the refusing constraint, for example `charters.id`; and `sql`, the statement,
/// with parameters in place of values. If another error is the reason for this one, it is the
/// `cause`: for example, the error of the step due to which a migration failed, or that of
/// `JSONDecoder`.
public struct DatabaseError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy, in a sentence or two for developers, without stored values.
  ///
  /// The `description` of the error puts the code and the names of the table and column before it.
  public internal(set) var message: String
  /// SQLite's extended result code (<https://sqlite.org/rescode.html>), or 0 if there is none.
  package internal(set) var resultCode: Int32 = 0
  /// The table in which the failure occurred.
  @_documentation(visibility: internal)
  public internal(set) var table: String?
  /// The column in which the failure occurred.
  @_documentation(visibility: internal)
  public internal(set) var column: String?
  /// The key of the row in which the failure occurred. It is a stored value, and may be personal
  /// data.
  @_documentation(visibility: internal)
  public internal(set) var rowKey: [SQLValue] = []
  /// The constraint that refused the change, by SQLite's name for it, for example `charters.id`.
  @_documentation(visibility: internal)
  public internal(set) var constraint: String?
  /// The path of the faulty part of a composite value, such as `address.city` in JSON. It may
  /// contain keys of the value, so only ``debugDescription`` has it.
  var detail: String?
  /// The statement that failed, with parameters in place of values.
  @_documentation(visibility: internal)
  public internal(set) var sql: String?
  /// The values that were bound to the statement.
  var arguments: [SQLValue] = []

  /// The error that is the reason for this one, if there is one, such as that of a migration's
  /// step.
  @_documentation(visibility: internal)
  public internal(set) var cause: (any Error)?

  /// Whether a stored row has a value that does not fit its column.
  package internal(set) var isUnreadableRow = false
  /// Whether a value of a result does not have the requested type.
  var isUnreadableResult = false

  /// Creates an error with a message that includes the remedy, for code that extends the library.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

@_documentation(visibility: internal)
extension DatabaseError: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    var place = [table, column].compactMap(\.self).joined(separator: ".")
    if !place.isEmpty { place = " (\(place))" }
    return "\(code)\(place): \(message)"
  }

  public var debugDescription: String {
    var lines = [description]
    if resultCode != 0 { lines.append("SQLite result code \(resultCode)") }
    if let constraint { lines.append("constraint: \(constraint)") }
    if let detail { lines.append("place in the value: \(detail)") }
    if !rowKey.isEmpty { lines.append("row: \(rowKey)") }
    if let sql { lines.append("SQL: \(sql)") }
    if !arguments.isEmpty { lines.append("arguments: \(arguments)") }
    if let cause { lines.append("cause: \(String(reflecting: cause))") }
    return lines.joined(separator: "\n")
  }
}

@_documentation(visibility: internal)
extension DatabaseError: Equatable {
  /// Returns whether two errors report the same failure of the same row. SQL statements and causes
  /// are ignored.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.code == rhs.code && lhs.message == rhs.message && lhs.resultCode == rhs.resultCode
      && lhs.table == rhs.table && lhs.column == rhs.column && lhs.rowKey == rhs.rowKey
      && lhs.constraint == rhs.constraint
  }
}
