import Foundation

/// Dates in JSON: ISO 8601 in UTC, with milliseconds where there are any.
enum JSONDate {
  private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The date that a text spells, to the millisecond.
  ///
  /// - Throws: `JSONScanner.Fault` where it spells none.
  static func date(_ text: String) throws -> Date {
    do {
      let date =
        try text.contains(".")
        ? Date(text, strategy: fractional) : Date(text, strategy: .iso8601)
      return date.roundedToMilliseconds
    } catch {
      throw JSONScanner.Fault("has a date that is not ISO 8601")
    }
  }

  /// `2026-03-01T08:30:00Z`, or `2026-03-01T08:30:00.250Z`.
  static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let seconds = (milliseconds / 1000).rounded(.down)
    let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    let fraction = Int(milliseconds - seconds * 1000)
    guard fraction > 0 else { return whole }
    let digits = String(1000 + fraction).dropFirst()
    return whole.dropLast() + "." + digits + "Z"
  }
}
