public import Foundation

@_documentation(visibility: internal)
extension SQLExpression where Value == Date {
  /// Formats the date as a text in UTC, by a format of SQLite, such as `%Y-%m` for the month
  /// (<https://sqlite.org/lang_datefunc.html>).
  ///
  /// `strftime(?, "date")`; a date that is not stored as text is converted to seconds since 1970.
  public func formatted(_ format: String) -> SQLExpression<String> {
    SQLExpression<String>(
      text(format), .primary, isNullable: isNullable, ColumnCoder(String.Codec.self))
  }
}

@_documentation(visibility: internal)
extension SQLExpression where Value == Date? {
  /// Formats the date as a text in UTC, or returns `nil`; see `formatted(_:)` of a date.
  public func formatted(_ format: String) -> SQLExpression<String?> {
    SQLExpression<String?>(
      text(format), .primary, isNullable: true, ColumnCoder(Nullable<String.Codec>.self))
  }
}

extension SQLExpression {
  fileprivate func text(_ format: String) -> SQL {
    switch coder?.storage {
    case ObjectIdentifier(DateText.self): "strftime(\(format), \(sql))"
    case ObjectIdentifier(DateUnixSeconds.self): "strftime(\(format), \(sql), 'unixepoch')"
    case ObjectIdentifier(DateReference.self):
      // NB: The number of seconds from 1970 to 2001.
      "strftime(\(format), \(operand(.sum)) + 978307200, 'unixepoch')"
    default:
      SQL(
        problem: .declaration,
        "\(sql.text) is stored by a codec of the app. Format it by a function of SQLite in SQL.")
    }
  }
}
