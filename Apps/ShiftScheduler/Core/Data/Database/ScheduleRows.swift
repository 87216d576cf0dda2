import Foundation
public import Offshore
import OffshoreCalendar
public import OffshoreFiles
import OffshorePresentation

extension Location: StoredElement {
  public static let rows: Table<ElementRow<Location>> = Table(
    "locations", makeRow,
    Column("id", \.id).primaryKey(), Column("name", \.element.name),
    Column("address", \.element.address).default(""),
    Column("position", \.position).default(0).indexed(), Column("userID", \.userID))

  @Sendable private static func makeRow(
    id: UUID, name: String, address: String, position: Int, userID: UUID
  ) -> ElementRow<Self> {
    ElementRow(
      Self(id: id, name: name, address: address), position: position, userID: userID)
  }
}

extension ShiftType: StoredElement {
  public static let rows: Table<ElementRow<ShiftType>> = Table(
    "shiftTypes", makeRow,
    Column("id", \.id).primaryKey(), Column("symbol", \.element.symbol),
    Column("duration", \.element.duration, as: .json).default(.standard),
    Column("title", \.element.title), Column("description", \.element.description).default(""),
    Column("locationID", \.element.locationID),
    Column("color", \.element.color).default(.blue),
    Column("position", \.position).default(0).indexed(), Column("userID", \.userID))

  @Sendable private static func makeRow(
    id: UUID, symbol: String, duration: ShiftDuration, title: String, description: String,
    locationID: UUID?, color: CalendarColor, position: Int, userID: UUID
  ) -> ElementRow<Self> {
    ElementRow(
      Self(
        id: id, symbol: symbol, duration: duration, title: title, description: description,
        locationID: locationID, color: color),
      position: position, userID: userID)
  }
}

extension ShiftDuration: JSONColumnValue {
  public static let samples = (ShiftDuration.allDay, ShiftDuration.standard)
}

extension ScheduledShift: StoredElement {
  public static let rows: Table<ElementRow<ScheduledShift>> = Table(
    "shifts", makeRow,
    Column("id", \.id).primaryKey(), Column("shiftTypeID", \.element.shiftTypeID),
    Column("date", \.element.date).indexed(), Column("note", \.element.note).default(""),
    Column("overtimeMinutes", \.element.overtimeMinutes).default(0),
    Column("status", \.element.status).default(.planned),
    Column("position", \.position).default(0).indexed(), Column("userID", \.userID))

  @Sendable private static func makeRow(
    id: UUID, shiftTypeID: UUID, date: CalendarDay, note: String, overtimeMinutes: Int,
    status: Status, position: Int, userID: UUID
  ) -> ElementRow<Self> {
    ElementRow(
      Self(
        id: id, shiftTypeID: shiftTypeID, date: date, note: note,
        overtimeMinutes: overtimeMinutes, status: status),
      position: position, userID: userID)
  }

  /// The rows of shifts that start in a range of days, in their stored order.
  static func rows(in days: ClosedRange<CalendarDay>) -> Query<ElementRow<Self>> {
    ElementRow.where {
      let date = $0[dynamicMember: \.element.date]
      return date >= days.lowerBound && date <= days.upperBound
    }.order {
      $0.position
      $0.id
    }
  }
}

extension ScheduledShift.Status: ColumnValue {}

extension ScheduleChange: StoredChange {
  public static let rows = ChangeRow<ScheduleChange>.makeTable()
}
