/// A file format for exported and imported rows.
@_documentation(visibility: internal)
public enum TableFormat: Sendable {
  /// A JSON object on a separate line for each row, with the names of the columns as keys.
  ///
  /// Integers have all their digits, reals have a point or an exponent, and BLOBs are in base64.
  /// Infinity is `{"real":"Infinity"}`. In a column of another type, a BLOB is `{"base64":"…"}`, a
  /// text `{"text":"…"}`. See <https://jsonlines.org>.
  case jsonLines
  /// Comma-separated values with a header, as specified by RFC 4180.
  ///
  /// NULL is an empty value; an empty text is in quotes, `""`. BLOBs are in base64. See
  /// <https://www.rfc-editor.org/rfc/rfc4180>.
  case csv
}

/// The treatment of imported rows whose primary key already exists in the table.
@_documentation(visibility: internal)
public enum ExistingRows: Sendable {
  /// The import fails with code `constraint`.
  case refuse
  /// The imported row replaces the values of the existing one, to which other rows may refer.
  case replace
}

/// The limits for a file of rows.
enum TransferLimit {
  /// The maximum number of bytes that a row may have in the file.
  static let rowLength = 64 << 20
}

extension DatabaseError {
  /// Returns the error of a row that is longer than the limit.
  static func rowTooLong(_ place: String, _ remedy: String) -> DatabaseError {
    DatabaseError(
      .invalidValue, "\(place) is longer than \(TransferLimit.rowLength >> 20) MiB. \(remedy)")
  }
}
