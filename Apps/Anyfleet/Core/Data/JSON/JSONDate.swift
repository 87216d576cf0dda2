import Foundation
import Offshore

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
    // Beyond the year 9999 nobody counts milliseconds.
    UTCText.iso8601(date) ?? date.formatted(.iso8601)
  }
}
