public import CSQLite
public import Foundation

/// A codec that stores a Boolean as the integer 0 or 1; any other stored value is an error.
@_documentation(visibility: internal)
public enum BoolCodec: ColumnCodec {
  public static var sqlType: String { "INTEGER" }
  public static var samples: (Bool, Bool) { (false, true) }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Bool {
    if row.storageClass(index) == SQLITE_INTEGER {
      switch sqlite3_column_int64(row.statement, index) {
      case 0: return false
      case 1: return true
      default: break
      }
    }
    row.fail(index, expected: "0 or 1")
    return false
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Bool, _ row: inout RowWriter, _ index: Int32) {
    row.bind(value ? 1 : 0 as Int64, index)
  }
}

@_documentation(visibility: internal)
extension Bool: ColumnValue { public typealias Codec = BoolCodec }

/// A codec that stores a string as TEXT in UTF-8; stored bytes that are not valid UTF-8 are an
/// error.
@_documentation(visibility: internal)
public enum StringCodec: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (String, String) { ("a", "b") }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> String {
    guard row.storageClass(index) == SQLITE_TEXT,
      let value = row.string(index)
    else {
      row.fail(index, expected: "a text in UTF-8")
      return ""
    }
    return value
  }

  @inlinable @inline(__always)
  public static func bind(_ value: String, _ row: inout RowWriter, _ index: Int32) {
    guard row.statement != nil else { return row.collected.append(.text(value)) }
    var value = value
    value.withUTF8 { row.bind(utf8: $0, index) }
  }
}

@_documentation(visibility: internal)
extension String: ColumnValue { public typealias Codec = StringCodec }

/// A codec that stores bytes as a BLOB; a stored text is an error.
@_documentation(visibility: internal)
public enum DataCodec: ColumnCodec {
  public static var sqlType: String { "BLOB" }
  public static var samples: (Data, Data) { (Data([0]), Data([1])) }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Data {
    guard row.storageClass(index) == SQLITE_BLOB else {
      row.fail(index, expected: "a BLOB")
      return Data()
    }
    return Data(row.bytes(index))
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Data, _ row: inout RowWriter, _ index: Int32) {
    value.withUnsafeBytes { row.bind(blob: $0, index) }
  }
}

@_documentation(visibility: internal)
extension Data: ColumnValue { public typealias Codec = DataCodec }

/// A codec that stores a URL as its absolute text; a stored text that is not a URL is an error.
@_documentation(visibility: internal)
public enum URLCodec: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (URL, URL) {
    (
      URL(filePath: "/a", directoryHint: .notDirectory),
      URL(filePath: "/b", directoryHint: .notDirectory)
    )
  }

  public static func read(_ row: inout RowReader, _ index: Int32) -> URL {
    guard row.storageClass(index) == SQLITE_TEXT,
      let text = row.string(index),
      let value = URL(string: text, encodingInvalidCharacters: false)
    else {
      row.fail(index, expected: "a URL as text")
      return samples.0
    }
    return value
  }

  public static func bind(_ value: URL, _ row: inout RowWriter, _ index: Int32) {
    StringCodec.bind(value.absoluteString, &row, index)
  }
}

@_documentation(visibility: internal)
extension URL: ColumnValue { public typealias Codec = URLCodec }

/// A codec that stores a decimal number as its shortest text, for example `"19.9"`, exactly.
///
/// Texts do not sort as numbers do, so SQL can only test such a column for equality: ordering and
/// sums do not compile. NaN is refused when it is bound.
@_documentation(visibility: internal)
public enum DecimalText: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (Decimal, Decimal) { (Decimal(0), Decimal(1)) }

  public static func read(_ row: inout RowReader, _ index: Int32) -> Decimal {
    guard row.storageClass(index) == SQLITE_TEXT,
      let text = row.string(index),
      text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil,
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      value.description == shortest(text)
    else {
      row.fail(index, expected: "a decimal number as text")
      return 0
    }
    return value
  }

  /// Returns the text without redundant zeros, as `Decimal` writes it. If a parsed value has
  /// another text, it was rounded.
  private static func shortest(_ text: String) -> String {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".")
    let fraction = parts.count < 2 ? "" : String(parts[1].reversed().drop { $0 == "0" }.reversed())
    let whole = String(parts[0].drop { $0 == "0" })
    let digits = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
    return isNegative && digits != "0" ? "-" + digits : digits
  }

  public static func bind(_ value: Decimal, _ row: inout RowWriter, _ index: Int32) {
    guard !value.isNaN else { return row.fail(index, expected: "a number") }
    StringCodec.bind(value.description, &row, index)
  }
}

@_documentation(visibility: internal)
extension Decimal: ColumnValue { public typealias Codec = DecimalText }
