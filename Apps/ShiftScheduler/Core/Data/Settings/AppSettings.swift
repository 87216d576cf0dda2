package import OffshoreCalendar
package import OffshoreFiles

/// The settings of a device, in `settings.json`.
public struct AppSettings: Equatable, Sendable, Codable {
  /// The code of the chosen language; `nil` for that of the environment.
  package var language: String?
  package var engine = StorageEngine.files
  /// The chosen first day of the week; `nil` for that of the region.
  package var firstWeekday: Weekday?

  package init() {}

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    language = try container.decodeIfPresent(String.self, forKey: .language)
    engine = try container.decodeIfPresent(StorageEngine.self, forKey: .engine) ?? .files
    firstWeekday = try container.decodeIfPresent(Weekday.self, forKey: .firstWeekday)
  }
}

/// The numbers of stored records.
public struct RecordCounts: Equatable, Sendable {
  package var shifts = 0
  /// The number of locations, shift types and shifts.
  package var records = 0

  /// The numbers beyond which a database is offered.
  package static let shiftLimit = 500
  package static let recordLimit = 1_000

  package init() {}

  /// Whether there are so many records that a database is faster.
  package var exceedsFiles: Bool { shifts > Self.shiftLimit || records > Self.recordLimit }
}
