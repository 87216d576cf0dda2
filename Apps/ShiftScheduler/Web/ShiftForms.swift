import Foundation
import OffshoreCalendar
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// A shift as it is entered.
struct ShiftForm: Identifiable, Sendable {
  var shift: ScheduledShift
  /// The chosen type; `nil` if none is chosen yet.
  var typeID: UUID?
  var keepsOverlaps = false

  var id: UUID { shift.id }
}

/// A series of shifts as it is entered: a repeated pattern, or copies of a shift.
struct SeriesForm: Identifiable, Sendable {
  let id: UUID
  var typeID: UUID?
  var first: CalendarDay
  var last: CalendarDay
  var on = 4
  var off = 2
  var keepsOverlaps = false

  fileprivate var days: ClosedRange<CalendarDay> { first...max(first, last) }

  fileprivate var problem: LocalizedText? {
    let limit = ShiftPattern.dayLimit
    let tooMany = LocalizedText(
      en: "There may be at most \(limit) days.", ru: "Дней может быть не больше \(limit).")
    return last < first ? .lastBeforeFirst : days.count > limit ? tooMany : nil
  }
}

extension ShiftApp {
  /// Returns the page on which a shift is added, or changed, and with its date moved.
  /// - Parameters:
  ///   - id: The id of a stored shift, or `nil`.
  ///   - type: The id of the type of a new one, if that is chosen already.
  func shiftForm(of id: UUID? = nil, on day: CalendarDay, _ type: String? = nil) -> any RoutedPage {
    let store = store(day)
    let typeID = type.flatMap { UUID(uuidString: $0) }
    return editor(
      store, in: .calendar, back: link(to: day), shiftFields(store), of: id, new: .newShift,
      edit: .shift, link: id.map { (.copyShift, .copy(day, $0)) }
    ) {
      ShiftForm(
        shift: ScheduledShift(id: $0, shiftTypeID: typeID ?? $0, date: day), typeID: typeID)
    } fetch: { id in
      store.schedule.shift(id).map { ShiftForm(shift: $0, typeID: $0.shiftTypeID) }
    } save: { before, form in
      var shift = form.shift
      shift.shiftTypeID = form.typeID ?? shift.shiftTypeID
      try shift.check()
      let edits: [ScheduleEdit] =
        before?.shift == shift ? [] : [.shift(before: before?.shift, after: shift)]
      try await self.make(.propose(edits), form.keepsOverlaps, store)
    } next: {
      .calendar(.day, $0.shift.date)
    }
  }

  /// Returns the page on which a shift is copied to each day of a range.
  func copyForm(of id: UUID, on day: CalendarDay) -> any RoutedPage {
    let store = store(day)
    return editor(store, in: .calendar, back: link(to: day), daysFields, new: .copyShift) {
      SeriesForm(id: $0, first: day + 1, last: day + 1)
    } save: { _, form in
      guard store.schedule.shift(id) != nil else { throw AppError.database(.notFound) }
      try await self.make(.copyShift(id, to: Array(form.days)), form.keepsOverlaps, store)
    } next: {
      .calendar(.day, $0.first)
    }
  }

  /// Returns the page on which a pattern is repeated, such as 4 on and 2 off.
  func patternForm(from day: CalendarDay) -> any RoutedPage {
    let store = store(day)
    let fields: [DraftField<SeriesForm>] = [
      .choice("type", \.typeID, label: .shiftType, isRequired: true, of: types(of: store)),
      .number("on", \.on, label: LocalizedText(en: "Days on", ru: "Рабочих дней"), in: 1...366)
        .grouped("pattern", label: LocalizedText(en: "Pattern", ru: "График")),
      .number("off", \.off, label: LocalizedText(en: "Days off", ru: "Выходных"), in: 0...366)
        .grouped("pattern"),
    ]
    return editor(
      store, in: .calendar, back: link(to: day), fields + daysFields, new: .repeatPattern
    ) {
      SeriesForm(id: $0, first: day, last: CalendarMonth(containing: day).lastDay)
    } save: { _, form in
      let pattern = ShiftPattern(form.typeID ?? form.id, on: form.on, off: form.off)
      try await self.make(.repeatPattern(pattern, on: form.days), form.keepsOverlaps, store)
    } next: {
      .calendar(.day, $0.first)
    }
  }

  private func link(to day: CalendarDay) -> PageLink {
    PageLink(say.day(day), to: ShiftRoute.calendar(.day, day).address)
  }

  // MARK: - Fields

  private func shiftFields(_ store: ShiftStore) -> [DraftField<ShiftForm>] {
    [
      .choice("type", \.typeID, label: .shiftType, isRequired: true, of: types(of: store)),
      .day("date", \.shift.date, label: LocalizedText(en: "Day", ru: "День")),
      .choice("status", \.shift.status, label: .status) { $0.title },
      .number(
        "overtimeMinutes", \.shift.overtimeMinutes,
        label: LocalizedText(en: "Overtime, minutes", ru: "Переработка, минут"),
        in: EntryProblem.overtimeRange),
      .text(
        "note", \.shift.note, label: LocalizedText(en: "Note", ru: "Заметка"), rows: 3,
        limit: EntryProblem.textLimit),
      .check("keep", \.keepsOverlaps, label: .keepOverlaps),
    ]
  }

  private var daysFields: [DraftField<SeriesForm>] {
    [
      .day("first", \.first, label: .firstDay)
        .grouped("days", label: LocalizedText(en: "Days", ru: "Дни")),
      .day("last", \.last, label: .lastDay).grouped("days").checking { $0.problem },
      .check("keep", \.keepsOverlaps, label: .keepOverlaps),
    ]
  }

  private func types(of store: ShiftStore) -> @MainActor @Sendable () -> [DraftChoice] {
    { store.shiftTypes.shiftTypes.map { DraftChoice($0.id.uuidString, $0.name) } }
  }

  /// Makes a change of shifts, and reports overlaps beside the field that keeps them.
  private func make(
    _ action: ScheduleFeature.Action, _ keepsOverlaps: Bool, _ store: ShiftStore
  ) async throws {
    await store.load(.schedule(.dismissError), .schedule(.discardProposal), .schedule(action))
    guard let overlaps = store.schedule.proposal?.overlaps else { return }
    await store.load(.schedule(keepsOverlaps ? .keepOverlaps : .discardProposal))
    guard !keepsOverlaps else { return }
    let (calendar, types) = (calendar, store.shiftTypes.shiftTypes)
    throw DraftError.invalid([
      "keep": LocalizedText {
        Localizer($0, calendar: calendar).overlaps(overlaps, of: types).joined(separator: " ")
      }
    ])
  }
}
