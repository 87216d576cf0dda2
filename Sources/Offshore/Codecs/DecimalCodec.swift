import CSQLite
public import Foundation

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
    guard !value.isNaN else { return row.fail(index, reason: "a number") }
    StringCodec.bind(value.description, &row, index)
  }
}

@_documentation(visibility: internal)
extension Decimal: ColumnValue { public typealias Codec = DecimalText }
