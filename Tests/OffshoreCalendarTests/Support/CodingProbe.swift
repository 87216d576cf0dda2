import Foundation
import Testing

/// Values as JSON.
enum CodingProbe {
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decoded<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }
}

extension Date {
  /// Noon in UTC of a day in 2026.
  static func noon(_ month: Int, _ day: Int) -> Date {
    let parts = DateComponents(year: 2026, month: month, day: day, hour: 12)
    return Calendar.utc.date(from: parts) ?? .distantPast
  }
}

extension Calendar {
  /// The Gregorian calendar in UTC.
  static let utc = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// The Gregorian calendar in a time zone, such as `Europe/Zagreb`.
  static func gregorian(in zone: String) throws -> Calendar {
    var calendar = utc
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }
}
