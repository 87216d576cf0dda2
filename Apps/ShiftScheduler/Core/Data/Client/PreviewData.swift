import Foundation
import OffshoreCalendar

/// Sample records for previews and tests.
public enum PreviewData {
  public static let locations = [
    Location(id: id(1), name: "Harbor Clinic", address: "Quay 7"),
    Location(id: id(2), name: "City Hospital", address: "Main Street 12"),
  ]

  public static let shiftTypes = [
    ShiftType(
      id: id(11), symbol: "🌅", duration: scheduled(6, 14), title: "Early",
      locationID: id(1), color: .orange),
    ShiftType(
      id: id(12), symbol: "🌙", duration: scheduled(22, 6), title: "Night",
      locationID: id(2), color: .purple),
    ShiftType(id: id(13), symbol: "V", duration: .allDay, title: "Vacation", color: .green),
  ]

  /// Shifts of June 2027.
  public static let shifts =
    CalendarMonth(year: 2027, month: 6).map { month in
      [
        ScheduledShift(id: id(21), shiftTypeID: id(11), date: month.firstDay, status: .done),
        ScheduledShift(id: id(22), shiftTypeID: id(12), date: month.firstDay + 2),
        ScheduledShift(id: id(23), shiftTypeID: id(13), date: month.firstDay + 6),
      ]
    } ?? []

  private static func scheduled(_ start: Int, _ end: Int) -> ShiftDuration {
    .scheduled(from: TimeOfDay(hour: start, minute: 0), to: TimeOfDay(hour: end, minute: 0))
  }

  private static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }
}
