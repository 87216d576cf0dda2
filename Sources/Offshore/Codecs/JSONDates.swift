import Foundation

/// Dates in JSON: ISO 8601 in UTC, written with milliseconds, read with or without a fraction.
enum JSONDates {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// Parses a date; returns `nil` if the text is not one.
  static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: style)) ?? (try? Date(text, strategy: .iso8601))
  }

  @Sendable static func encode(_ date: Date, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    // Foundation's style truncates the fraction, so a date would lose a millisecond each time.
    guard let text = UTCText.text(of: date) else {
      throw EncodingError.invalidValue(
        date, .init(codingPath: encoder.codingPath, debugDescription: "a year after 9999"))
    }
    try container.encode(text.replacing(" ", with: "T") + "Z")
  }

  @Sendable static func decode(from decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    guard let date = date(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a date in ISO 8601")
    }
    return date
  }
}
