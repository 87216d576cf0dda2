package import Foundation

/// Conversions between milliseconds since 1970 and UTC text: `yyyy-MM-dd HH:mm:ss.SSS`, and the
/// forms of ISO 8601 in JSON.
///
/// The calendar is the proleptic Gregorian one of ISO 8601, as in SQLite's date functions
/// (<https://sqlite.org/lang_datefunc.html>). The day arithmetic starts years in March, so that the
/// leap day is the last day of its year.
package enum UTCText {
  /// The milliseconds since 1970 in the years 0000 to 9999.
  static let range: ClosedRange<Double> = -62_167_219_200_000...253_402_300_799_999

  private static let secondsPerDay: Int64 = 86_400
  private static let millisecondsPerDay: Int64 = 86_400_000
  private static let daysPerEra: Int64 = 146_097
  /// The days from 0000-03-01 to 1970-01-01.
  private static let epochOffset: Int64 = 719_468

  /// Parses a date as milliseconds since 1970; returns `nil` if the text is not a date.
  static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 23, text[10] == 32, text[19] == 46, let seconds = seconds(text),
      let fraction = number(text, 20, 3)
    else { return nil }
    return seconds * 1000 + fraction
  }

  /// Parses one of two forms of ISO 8601 as milliseconds since 1970.
  /// - Parameter text: A date as `yyyy-MM-ddTHH:mm:ssZ` or `yyyy-MM-ddTHH:mm:ss.SSSZ`.
  /// - Returns: The milliseconds, or `nil` for any other text, including further forms of ISO 8601.
  package static func milliseconds(iso8601 text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 20 || text.count == 24, text[10] == 84, text[text.count - 1] == 90,
      let seconds = seconds(text)
    else { return nil }
    guard text.count == 24 else { return seconds * 1000 }
    guard text[19] == 46, let fraction = number(text, 20, 3) else { return nil }
    return seconds * 1000 + fraction
  }

  /// Parses the first 19 characters as seconds since 1970, ignoring the 11th character.
  private static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text[4] == 45, text[7] == 45, text[13] == 58, text[16] == 58,
      let year = number(text, 0, 4), let month = number(text, 5, 2), let day = number(text, 8, 2),
      let hour = number(text, 11, 2), let minute = number(text, 14, 2),
      let second = number(text, 17, 2),
      (1...12).contains(month), day >= 1, day <= daysInMonth(month, of: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    return days(year, month, day) * secondsPerDay + (hour * 60 + minute) * 60 + second
  }

  /// Calls a closure with the 23 characters for milliseconds in ``range``.
  static func withText(
    ofMilliseconds milliseconds: Int64, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let (day, time) = milliseconds.flooredDivision(by: millisecondsPerDay)
    let date = civil(day)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 23) { text in
      for (position, character) in [(4, 45), (7, 45), (10, 32), (13, 58), (16, 58), (19, 46)] {
        text[position] = UInt8(character)
      }
      write(date.year, to: text, at: 0, digits: 4)
      write(date.month, to: text, at: 5, digits: 2)
      write(date.day, to: text, at: 8, digits: 2)
      write(time / 3_600_000, to: text, at: 11, digits: 2)
      write(time / 60_000 % 60, to: text, at: 14, digits: 2)
      write(time / 1000 % 60, to: text, at: 17, digits: 2)
      write(time % 1000, to: text, at: 20, digits: 3)
      body(UnsafeBufferPointer(text))
    }
  }

  /// Returns the text of a date, rounded to the millisecond, or `nil` if it is outside ``range``.
  static func text(of date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard range.contains(milliseconds) else { return nil }
    var text = ""
    withText(ofMilliseconds: Int64(milliseconds)) { text = String(decoding: $0, as: UTF8.self) }
    return text
  }

  /// Returns the text of a date in ISO 8601, rounded to the millisecond, or `nil` if it is outside
  /// ``range``.
  ///
  /// The text is `yyyy-MM-ddTHH:mm:ssZ`, or `yyyy-MM-ddTHH:mm:ss.SSSZ` if the date has
  /// milliseconds.
  package static func iso8601(_ date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard range.contains(milliseconds) else { return nil }
    var result = ""
    withText(ofMilliseconds: Int64(milliseconds)) { text in
      let count = text[20...].allSatisfy { $0 == 48 } ? 19 : 23
      result = String(unsafeUninitializedCapacity: count + 1) { result in
        _ = result.initialize(fromContentsOf: text[..<count])
        result[10] = 84
        result.initializeElement(at: count, to: 90)
        return count + 1
      }
    }
    return result
  }

  // MARK: - Digits

  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int)
    -> Int64?
  {
    var result: Int64 = 0
    for position in start..<(start + count) {
      let digit = text[position] &- 48
      guard digit < 10 else { return nil }
      result = result * 10 + Int64(digit)
    }
    return result
  }

  private static func write(
    _ number: Int64, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int, digits: Int
  ) {
    var rest = number
    for position in (start..<(start + digits)).reversed() {
      text[position] = 48 + UInt8(rest % 10)
      rest /= 10
    }
  }

  // MARK: - Days

  private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days since 1970-01-01.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = marchYear.flooredDivision(by: 400)
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysPerEra + dayOfEra - epochOffset
  }

  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + epochOffset).flooredDivision(by: daysPerEra)
    let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  /// Returns the quotient rounded towards negative infinity, and the remainder, which is never
  /// negative.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
