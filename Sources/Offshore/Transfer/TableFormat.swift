/// A format of files that rows are exported to and imported from.
public enum TableFormat: Sendable {
  /// A JSON object for each row, on a line of its own, with the names of the columns as keys.
  ///
  /// Integers have all their digits, reals a point or an exponent, and BLOBs are in base64. Infinity is
  /// `{"real":"Infinity"}`; in a column of another type, a BLOB is `{"base64":"…"}`, a text `{"text":"…"}`.
  /// See <https://jsonlines.org>.
  case jsonLines
  /// Comma-separated values with a header, as RFC 4180 describes them.
  ///
  /// NULL is an empty value, and an empty text is one in quotes, `""`. BLOBs are in base64.
  /// See <https://www.rfc-editor.org/rfc/rfc4180>.
  case csv
}

/// The treatment of imported rows whose primary key is in the table already.
public enum ExistingRows: Sendable {
  /// The import fails with code `constraint`.
  case refuse
  /// The imported row replaces the values of the existing one, to which other rows may refer.
  case replace
}

/// The limits of a file of rows.
enum TransferLimit {
  /// The most bytes of a row, as it is written in the file.
  static let rowLength = 64 << 20
}

extension DatabaseError {
  /// The error of a row that is longer than the limit.
  static func rowTooLong(_ place: String, _ remedy: String) -> DatabaseError {
    DatabaseError(
      .invalidValue, "\(place) is longer than \(TransferLimit.rowLength >> 20) MiB. \(remedy)")
  }
}
