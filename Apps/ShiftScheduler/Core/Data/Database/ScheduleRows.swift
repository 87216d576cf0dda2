import Foundation
public import Offshore
import OffshoreCalendar
import OffshoreFiles
import OffshorePresentation

/// The row of a record, in the order of positions.
struct StoredRow<Element: StoredElement>: Record, Identifiable, Equatable {
  // NB: Stored, because queries of all types find the column by its key path.
  let id: UUID
  let element: Element
  var position: Int
  /// The id of the user who owns the row.
  var userID: UUID

  static var table: Table<Self> { Element.rows }
}

extension StoredRow {
  init(element: Element, position: Int, userID: UUID) {
    self.init(id: element.id, element: element, position: position, userID: userID)
  }
}

/// A record that is stored in a table and in a list in memory.
protocol StoredElement: ScheduleElement {
  static var rows: Table<StoredRow<Self>> { get }
  static var list: any WritableKeyPath<ScheduleContent, ElementList<Self>> & Sendable { get }
}

extension Location: StoredElement {
  static var list: any WritableKeyPath<ScheduleContent, ElementList<Self>> & Sendable {
    \.locations
  }

  static let rows = Table(
    "locations", makeRow,
    Column("id", \.id).primaryKey(), Column("name", \.element.name),
    Column("address", \.element.address).default(""),
    Column("position", \.position).default(0).indexed(), Column("userID", \.userID))

  @Sendable private static func makeRow(
    id: UUID, name: String, address: String, position: Int, userID: UUID
  ) -> StoredRow<Self> {
    StoredRow(
      element: Self(id: id, name: name, address: address), position: position, userID: userID)
  }
}

extension ShiftType: StoredElement {
  static var list: any WritableKeyPath<ScheduleContent, ElementList<Self>> & Sendable {
    \.shiftTypes
  }

  static let rows = Table(
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
  ) -> StoredRow<Self> {
    StoredRow(
      element: Self(
        id: id, symbol: symbol, duration: duration, title: title, description: description,
        locationID: locationID, color: color),
      position: position, userID: userID)
  }
}

extension ShiftDuration: JSONColumnValue {
  public static let samples = (ShiftDuration.allDay, ShiftDuration.standard)
}

extension ScheduledShift: StoredElement {
  static var list: any WritableKeyPath<ScheduleContent, ElementList<Self>> & Sendable { \.shifts }

  static let rows = Table(
    "shifts", makeRow,
    Column("id", \.id).primaryKey(), Column("shiftTypeID", \.element.shiftTypeID),
    Column("date", \.element.date).indexed(), Column("note", \.element.note).default(""),
    Column("overtimeMinutes", \.element.overtimeMinutes).default(0),
    Column("status", \.element.status).default(.planned),
    Column("position", \.position).default(0).indexed(), Column("userID", \.userID))

  @Sendable private static func makeRow(
    id: UUID, shiftTypeID: UUID, date: CalendarDay, note: String, overtimeMinutes: Int,
    status: Status, position: Int, userID: UUID
  ) -> StoredRow<Self> {
    StoredRow(
      element: Self(
        id: id, shiftTypeID: shiftTypeID, date: date, note: note,
        overtimeMinutes: overtimeMinutes, status: status),
      position: position, userID: userID)
  }

  /// The rows of shifts that start in a range of days, in their stored order.
  static func rows(in days: ClosedRange<CalendarDay>) -> Query<StoredRow<Self>> {
    StoredRow.where {
      let date = $0[dynamicMember: \.element.date]
      return date >= days.lowerBound && date <= days.upperBound
    }.order {
      $0.position
      $0.id
    }
  }
}

extension ScheduledShift.Status: ColumnValue {}

/// A change in the log, in the order of positions.
struct ChangeRow: Record, Identifiable, Equatable {
  let id: UUID
  var moment: Date
  var edits: [ScheduleEdit]
  var position: Int
  var userID: UUID

  static let table = Table(
    "changes", ChangeRow.init,
    Column("id", \.id).primaryKey(), Column("moment", \.moment),
    Column("edits", \.edits, as: .json), Column("position", \.position).indexed(),
    Column("userID", \.userID))

  var change: ScheduleChange { ScheduleChange(id: id, moment: moment, edits: edits) }

  /// All changes, the oldest first. Two devices may have given their changes the same positions.
  static var log: Query<ChangeRow> {
    order {
      $0.position
      $0.moment
      $0.id
    }
  }
}

extension ChangeRow {
  init(_ change: ScheduleChange, position: Int, userID: UUID) {
    self.init(
      id: change.id, moment: change.moment, edits: change.edits, position: position,
      userID: userID)
  }
}
