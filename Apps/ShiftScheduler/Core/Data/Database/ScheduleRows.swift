import Foundation
public import Offshore
import OffshoreCalendar
import OffshorePresentation

/// A row of a table of records, in the order of their positions.
protocol ScheduleRow: Record, Identifiable, Equatable where ID == UUID {
  associatedtype Element: ScheduleElement
  var position: Int { get }
  /// The column of the positions.
  static var order: any KeyPath<Self, Int> & Sendable { get }
  var element: Element { get }
  /// - Parameter userID: The id of the user who owns the row.
  init(_ element: Element, position: Int, userID: UUID)
}

/// A stored location.
struct LocationRow: ScheduleRow {
  let id: UUID
  var name: String
  var address: String
  var position: Int
  var userID: UUID

  static var order: any KeyPath<Self, Int> & Sendable { \.position }

  static let table = Table(
    "locations", LocationRow.init,
    Column("id", \.id).primaryKey(), Column("name", \.name),
    Column("address", \.address).default(""),
    Column("position", \.position).default(0).indexed(), Column("userID", \.userID))

  var element: Location { Location(id: id, name: name, address: address) }
}

extension LocationRow {
  init(_ location: Location, position: Int, userID: UUID) {
    self.init(
      id: location.id, name: location.name, address: location.address, position: position,
      userID: userID)
  }
}

/// A stored shift type.
struct ShiftTypeRow: ScheduleRow {
  let id: UUID
  var symbol: String
  var duration: ShiftDuration
  var title: String
  var description: String
  var locationID: UUID?
  var color: CalendarColor
  var position: Int
  var userID: UUID

  static var order: any KeyPath<Self, Int> & Sendable { \.position }

  static let table = Table(
    "shiftTypes", ShiftTypeRow.init,
    Column("id", \.id).primaryKey(), Column("symbol", \.symbol),
    Column("duration", \.duration, as: .json).default(.standard), Column("title", \.title),
    Column("description", \.description).default(""), Column("locationID", \.locationID),
    Column("color", \.color).default(.blue), Column("position", \.position).default(0).indexed(),
    Column("userID", \.userID))

  var element: ShiftType {
    ShiftType(
      id: id, symbol: symbol, duration: duration, title: title, description: description,
      locationID: locationID, color: color)
  }
}

extension ShiftTypeRow {
  init(_ type: ShiftType, position: Int, userID: UUID) {
    self.init(
      id: type.id, symbol: type.symbol, duration: type.duration, title: type.title,
      description: type.description, locationID: type.locationID, color: type.color,
      position: position, userID: userID)
  }
}

extension ShiftDuration: JSONColumnValue {
  public static let samples = (ShiftDuration.allDay, ShiftDuration.standard)
}

/// A stored shift.
struct ShiftRow: ScheduleRow {
  let id: UUID
  var shiftTypeID: UUID
  var date: CalendarDay
  var note: String
  var overtimeMinutes: Int
  var status: ScheduledShift.Status
  var position: Int
  var userID: UUID

  static var order: any KeyPath<Self, Int> & Sendable { \.position }

  static let table = Table(
    "shifts", ShiftRow.init,
    Column("id", \.id).primaryKey(), Column("shiftTypeID", \.shiftTypeID),
    Column("date", \.date).indexed(), Column("note", \.note).default(""),
    Column("overtimeMinutes", \.overtimeMinutes).default(0),
    Column("status", \.status).default(.planned),
    Column("position", \.position).default(0).indexed(), Column("userID", \.userID))

  var element: ScheduledShift {
    ScheduledShift(
      id: id, shiftTypeID: shiftTypeID, date: date, note: note, overtimeMinutes: overtimeMinutes,
      status: status)
  }
}

extension ShiftRow {
  init(_ shift: ScheduledShift, position: Int, userID: UUID) {
    self.init(
      id: shift.id, shiftTypeID: shift.shiftTypeID, date: shift.date, note: shift.note,
      overtimeMinutes: shift.overtimeMinutes, status: shift.status, position: position,
      userID: userID)
  }

  /// The shifts that start in a range of days, in their stored order.
  static func starting(in days: ClosedRange<CalendarDay>) -> Query<ShiftRow> {
    self.where { $0.date >= days.lowerBound && $0.date <= days.upperBound }
      .order {
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
