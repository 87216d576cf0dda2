import Foundation
import OffshoreCalendar
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// A shift with its type and location.
struct ShownShift: Identifiable, Equatable {
  let shift: ScheduledShift
  /// The type; `nil` if it does not exist any more.
  let type: ShiftType?
  let location: Location?

  var id: UUID { shift.id }

  init(_ shift: ScheduledShift, _ types: [ShiftType], _ locations: [Location] = []) {
    self.shift = shift
    type = types.first { $0.id == shift.shiftTypeID }
    location = type?.location(from: locations)
  }

  func title(_ say: Localizer) -> String {
    type?.title ?? say(en: "Without a type", ru: "Без вида")
  }

  /// The symbol in the color of the type.
  private func mark(_ label: String?) -> ColorMark {
    ColorMark(type?.color ?? .gray, symbol: type?.symbol ?? "?", label: label)
  }

  /// The mark and the title in the cell of a calendar. On a phone, it is the mark alone.
  func cell(_ say: Localizer) -> HTML {
    let status = shift.status == .planned ? "" : ", \(say(shift.status.title))"
    return p(.class("shift", shift.status.rawValue), .id("shift-\(id)")) {
      mark(title(say) + status)
      span(.class("name"), .ariaHidden()) { title(say) }
    }
  }

  /// A row that links to the shift.
  /// - Parameters:
  ///   - showsDay: Whether the day is shown, too.
  ///   - isPublished: Whether teams have the shift, too.
  func row(_ say: Localizer, showsDay: Bool = false, isPublished: Bool = false) -> HTML {
    let facts = [
      showsDay ? say.day(shift.date) : nil, type.map { say.duration($0.duration) },
      location?.name, shift.note.isEmpty ? nil : shift.note,
    ]
    return LinkRow(
      title(say), to: ShiftRoute.shift(shift.date, id).address,
      text: facts.compactMap(\.self).joined(separator: " · "), id: "row-\(id)",
      leading: mark(nil).html
    ) {
      if isPublished { Badge(say(en: "Published", ru: "Опубликована")) }
      if shift.overtimeMinutes > 0 {
        Badge(say(.overtime(minutes: shift.overtimeMinutes)), tone: .none)
      }
      if shift.status != .planned {
        Badge(say(shift.status.title), tone: shift.status == .done ? .good : .warn)
      }
    }.html
  }

  /// The title with the day and the times, in a sentence.
  func description(_ say: Localizer) -> String {
    [title(say), say.day(shift.date), type.map { say.duration($0.duration) }]
      .compactMap(\.self).joined(separator: ", ")
  }
}

extension AppFeature.State {
  /// The shifts that start on a day, by their times.
  subscript(day: CalendarDay, in calendar: Calendar) -> [ShownShift] {
    let times = ShiftTimes(shiftTypes.shiftTypes, in: calendar)
    return times.sorted(schedule.shifts.filter { $0.date == day }).map {
      ShownShift($0, shiftTypes.shiftTypes, locations.locations)
    }
  }

  /// The overlaps on the days that are shown.
  subscript(overlapsIn calendar: Calendar) -> [ShiftOverlap] {
    schedule.view(in: calendar).overlaps
  }

  /// The latest error.
  var problem: AppError? {
    locations.error ?? shiftTypes.error ?? schedule.error ?? changeLog.error ?? settings.error
      ?? teams.error
  }
}

extension ShiftStore {
  func shown(_ shift: ScheduledShift) -> ShownShift {
    ShownShift(shift, self.shiftTypes.shiftTypes, self.locations.locations)
  }
}

extension Localizer {
  func duration(_ duration: ShiftDuration) -> String {
    switch duration {
    case .allDay: self(.allDay)
    case .scheduled(let start, let end): "\(time(start))–\(time(end))"
    }
  }

  func description(of shift: PublishedShift) -> String {
    "\(shift.title), \(day(shift.date)), \(duration(shift.duration))"
  }

  /// Sentences that name the shifts of the first overlaps, and the number of the others.
  func overlaps(_ overlaps: [ShiftOverlap], of types: [ShiftType]) -> [String] {
    let more = overlaps.count - 3
    return overlaps.prefix(3).map { overlap in
      let (first, second) = (ShownShift(overlap.first, types), ShownShift(overlap.second, types))
      let names = "\(first.description(self)); \(second.description(self))"
      return self(en: "These overlap: \(names).", ru: "Пересекаются: \(names).")
    } + (more > 0 ? [self(en: "\(more) more overlaps.", ru: "Ещё пересечений: \(more).")] : [])
  }

  func totals(_ totals: ShiftTotals) -> String {
    var facts = [self(.shifts(totals.shifts)), hours(totals.hours)]
    if totals.wholeDays > 0 { facts.append(self(.wholeDays(totals.wholeDays))) }
    if totals.overtimeMinutes > 0 { facts.append(self(.overtime(minutes: totals.overtimeMinutes))) }
    return facts.joined(separator: " · ")
  }
}
