import CSQLite
public import Foundation

/// A codec that stores a date as REAL: seconds since 2001-01-01 00:00:00 UTC.
///
/// This is the representation of `Date` itself, so a loaded date equals the stored one, bit for
/// bit.
@_documentation(visibility: internal)
public enum DateReference: ColumnCodec {
  public static var sqlType: String { "REAL" }
  public static var samples: (Date, Date) { DateText.samples }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Date {
    Date(timeIntervalSinceReferenceDate: DoubleCodec.read(&row, index))
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Date, _ row: inout RowWriter, _ index: Int32) {
    row.bind(value.timeIntervalSinceReferenceDate, index)
  }
}

/// A codec that stores a date as REAL: seconds since 1970-01-01 00:00:00 UTC, as `unixepoch()`
/// counts them.
///
/// Adding the offset of 31 years rounds the number: a loaded date differs from the stored one by up
/// to a quarter of a microsecond. If they must be equal, use the default codec.
@_documentation(visibility: internal)
public enum DateUnixSeconds: ColumnCodec {
  public static var sqlType: String { "REAL" }
  public static var samples: (Date, Date) { DateText.samples }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Date {
    Date(timeIntervalSince1970: DoubleCodec.read(&row, index))
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Date, _ row: inout RowWriter, _ index: Int32) {
    row.bind(value.timeIntervalSince1970, index)
  }
}

/// A codec that stores a date as UTC text `yyyy-MM-dd HH:mm:ss.SSS`, which SQLite's date functions
/// accept.
///
/// The text has exactly three fraction digits, so a stored date is rounded to the millisecond.
/// Dates outside the years 0000 to 9999 are refused. The texts sort as their dates do.
@_documentation(visibility: internal)
public enum DateText: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (Date, Date) {
    (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1))
  }

  public static func read(_ row: inout RowReader, _ index: Int32) -> Date {
    guard row.storageClass(index) == SQLITE_TEXT,
      let milliseconds = UTCText.milliseconds(row.bytes(index))
    else {
      row.fail(index, expected: "a date as text, yyyy-MM-dd HH:mm:ss.SSS")
      return samples.0
    }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  public static func bind(_ value: Date, _ row: inout RowWriter, _ index: Int32) {
    let milliseconds = (value.timeIntervalSince1970 * 1000).rounded()
    guard UTCText.range.contains(milliseconds) else {
      return row.fail(index, expected: "a date from year 0000 to 9999")
    }
    UTCText.withText(ofMilliseconds: Int64(milliseconds)) { row.bind(utf8: $0, index) }
  }
}

@_documentation(visibility: internal)
extension Date: ColumnValue { public typealias Codec = DateReference }
@_documentation(visibility: internal)
extension CodecKind where Codec == DateText {
  /// A date as UTC text `yyyy-MM-dd HH:mm:ss.SSS`.
  public static var text: Self { Self() }
}
@_documentation(visibility: internal)
extension CodecKind where Codec == DateUnixSeconds {
  /// A date as seconds since 1970, with a fraction.
  public static var unixSeconds: Self { Self() }
}
