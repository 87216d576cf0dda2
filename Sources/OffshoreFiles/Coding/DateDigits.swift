import Foundation
import Offshore

/// Conversions between dates and ISO 8601 in UTC that keep each bit of a date.
///
/// A date is a number of seconds since 2001, and its text has the shortest fraction that leads to
/// the same number. Formatters of Foundation have milliseconds at the most.
enum DateDigits {
  /// The seconds from 1970 to 2001.
  private static let offset: Int64 = 978_307_200

  /// Returns the text of a date, or `nil` if the date is outside the years 0 to 9999.
  static func text(of date: Date, _ precision: JSONConfiguration.DatePrecision) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    guard let text = UTCText.iso8601(Date(timeIntervalSinceReferenceDate: whole)) else {
      return nil
    }
    guard precision == .full, seconds != whole else { return text }
    let digits = fraction(of: seconds)
    return text.dropLast() + "." + (seconds < 0 ? complement(digits) : digits) + "Z"
  }

  /// Parses a date as `yyyy-MM-ddTHH:mm:ss`, with a fraction of any length and the offset `Z` or
  /// `±HH:mm`. Returns `nil` for another text.
  static func date(_ text: String) -> Date? {
    var rest = text.utf8[...]
    guard let seconds = consumeSeconds(&rest), let digits = consumeFraction(&rest),
      let offset = consumeOffset(&rest), rest.isEmpty
    else { return nil }
    let whole = seconds - offset
    guard digits.contains(where: { $0 != "0" }) else {
      return Date(timeIntervalSinceReferenceDate: Double(whole))
    }
    let number = whole < 0 ? "-\(-(whole + 1)).\(complement(digits))" : "\(whole).\(digits)"
    return Double(number).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  // MARK: - Fractions

  /// Returns the digits after the point in the shortest decimal form of a number.
  private static func fraction(of number: Double) -> String {
    // NB: As in “-7.25”, “799934400.1”, or “1.5e-07” close to zero.
    let parts = number.magnitude.description.split(separator: "e")
    let decimals = parts[0].split(separator: ".")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return String(decimals[1]) }
    let digits = decimals[0] + (decimals.count > 1 && decimals[1] != "0" ? decimals[1] : "")
    return String(repeating: "0", count: -exponent - 1) + digits
  }

  /// Returns the digits of the difference between 1 and a fraction, which is not zero.
  private static func complement(_ digits: String) -> String {
    var result: [Character] = []
    var isInZeros = true
    for digit in digits.reversed() {
      let value = digit.wholeNumberValue ?? 0
      if isInZeros, value == 0 {
        result.append("0")
      } else {
        result.append(Character("\(isInZeros ? 10 - value : 9 - value)"))
        isInZeros = false
      }
    }
    return String(result.reversed())
  }

  // MARK: - Parts of a text

  /// Consumes `yyyy-MM-ddTHH:mm:ss`.
  /// - Returns: The seconds since 2001.
  private static func consumeSeconds(_ text: inout Substring.UTF8View) -> Int64? {
    guard text.count >= 20 else { return nil }
    var digits = Array(text.prefix(19))
    digits.append(UInt8(ascii: "Z"))
    text = text.dropFirst(19)
    let milliseconds = digits.withUnsafeBufferPointer { UTCText.milliseconds(iso8601: $0) }
    return milliseconds.map { $0 / 1000 - offset }
  }

  /// Consumes a point and the digits after it, if there are any.
  private static func consumeFraction(_ text: inout Substring.UTF8View) -> String? {
    guard text.first == UInt8(ascii: ".") else { return "" }
    let digits = text.dropFirst().prefix { (0x30...0x39).contains($0) }
    text = text.dropFirst(1 + digits.count)
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }

  /// Consumes `Z` or `±HH:mm`.
  /// - Returns: The seconds before UTC.
  private static func consumeOffset(_ text: inout Substring.UTF8View) -> Int64? {
    guard let sign = text.popFirst() else { return nil }
    if sign == UInt8(ascii: "Z") { return 0 }
    let digits = text.compactMap { (0x30...0x39).contains($0) ? Int64($0) - 0x30 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text.count == 5,
      text.dropFirst(2).first == UInt8(ascii: ":"), digits.count == 4, digits[2] < 6
    else { return nil }
    text = text.dropFirst(5)
    let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
    return (sign == UInt8(ascii: "-") ? -60 : 60) * minutes
  }
}
