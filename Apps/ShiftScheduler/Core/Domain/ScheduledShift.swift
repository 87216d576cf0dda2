public import Foundation
public import OffshoreCalendar

/// A shift on a day.
public struct ScheduledShift: Identifiable, Hashable, Sendable {
  /// The state of a shift.
  public enum Status: String, CaseIterable, Sendable, Codable {
    case planned, done, cancelled
  }

  public let id: UUID
  /// The id of its kind, which may not exist any more.
  public var shiftTypeID: ShiftType.ID
  /// The day on which it starts.
  public var date: CalendarDay
  public var note: String
  /// The minutes worked beyond its end.
  public var overtimeMinutes: Int
  public var status: Status

  /// Creates a shift.
  public init(
    id: UUID = UUID(), shiftTypeID: ShiftType.ID, date: CalendarDay, note: String = "",
    overtimeMinutes: Int = 0, status: Status = .planned
  ) {
    self.id = id
    self.shiftTypeID = shiftTypeID
    self.date = date
    self.note = note
    self.overtimeMinutes = overtimeMinutes
    self.status = status
  }
}

extension ScheduledShift: Codable {
  /// Decodes a shift. A missing note, overtime or status is that of the initializer.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(UUID.self, forKey: .id),
      shiftTypeID: try container.decode(UUID.self, forKey: .shiftTypeID),
      date: try container.decode(CalendarDay.self, forKey: .date),
      note: try container.decodeIfPresent(String.self, forKey: .note) ?? "",
      overtimeMinutes: try container.decodeIfPresent(Int.self, forKey: .overtimeMinutes) ?? 0,
      status: try container.decodeIfPresent(Status.self, forKey: .status) ?? .planned)
  }
}
