public import Foundation
public import OffshoreCalendar

/// A kind of shift, such as an early shift at a hospital.
public struct ShiftType: Identifiable, Hashable, Sendable {
  public let id: UUID
  /// An emoji or a letter.
  public var symbol: String
  public var duration: ShiftDuration
  public var title: String
  public var description: String
  /// The id of its location, which may not exist any more; `nil` if it has none.
  public var locationID: Location.ID?
  public var color: CalendarColor

  /// Creates a kind of shift.
  public init(
    id: UUID = UUID(), symbol: String, duration: ShiftDuration, title: String,
    description: String = "", locationID: Location.ID? = nil, color: CalendarColor = .blue
  ) {
    self.id = id
    self.symbol = symbol
    self.duration = duration
    self.title = title
    self.description = description
    self.locationID = locationID
    self.color = color
  }

  /// Returns its location among others; `nil` if it has none, or if that does not exist.
  public func location(from locations: [Location]) -> Location? {
    locationID.flatMap { id in locations.first { $0.id == id } }
  }
}

extension ShiftType: Codable {
  /// Decodes a kind of shift. A missing duration is the standard one; a missing description, location or color
  /// is that of the initializer.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(UUID.self, forKey: .id),
      symbol: try container.decode(String.self, forKey: .symbol),
      duration: try container.decodeIfPresent(ShiftDuration.self, forKey: .duration) ?? .standard,
      title: try container.decode(String.self, forKey: .title),
      description: try container.decodeIfPresent(String.self, forKey: .description) ?? "",
      locationID: try container.decodeIfPresent(UUID.self, forKey: .locationID),
      color: try container.decodeIfPresent(CalendarColor.self, forKey: .color) ?? .blue)
  }
}
