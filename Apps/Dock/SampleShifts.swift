import Foundation
import OffshoreCalendar
import OffshoreFiles
import OffshoreHost
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ShiftScheduler
import ShiftSchedulerWeb

/// Sample content of ShiftScheduler: two locations, three shift types, and the shifts of the current month.
@MainActor
struct SampleShifts: Demonstration {
  let app: ShiftApp

  /// Creates the content if there is none, after the rows of the account have arrived.
  func createContent() async throws {
    if app.engine != .database { _ = try await app.move(to: .database) }
    try? await app.frame.sync.pull()
    guard try await app.records.loadShiftTypes().isEmpty else { return }
    let say = app.frame.say
    let harbor = Location(name: say(.harbor), address: say(.quay))
    let clinic = Location(name: say(.clinic))
    let early = ShiftType(
      symbol: "🌅", duration: .scheduled(from: time(6), to: time(14)), title: say(.early),
      locationID: harbor.id, color: .orange)
    let night = ShiftType(
      symbol: "🌙", duration: .scheduled(from: time(22), to: time(6)), title: say(.night),
      locationID: clinic.id, color: .purple)
    let vacation = ShiftType(
      symbol: "🏖", duration: .allDay, title: say(.vacation), color: .green)
    try await app.records.apply(
      [harbor, clinic].map { .location(before: nil, after: $0) }
        + [early, night, vacation].map { .shiftType(before: nil, after: $0) }
        + shifts(early, night).map { .shift(before: nil, after: $0) })
  }

  /// The shifts of one user are not shared.
  func scope() async throws -> ScopeID? { nil }

  /// Returns two early shifts, two nights, and two free days, again and again.
  private func shifts(_ early: ShiftType, _ night: ShiftType) -> [ScheduledShift] {
    let month = CalendarMonth(
      containing: CalendarDay(civilDayOf: app.frame.store.now(), in: app.frame.say.calendar))
    let pattern = ShiftPattern(steps: [
      .init(early.id, days: 2), .init(night.id, days: 2), .init(nil, days: 2),
    ])
    return pattern.shifts(on: month.days, makeID: app.frame.store.makeID)
  }

  private func time(_ hour: Int) -> TimeOfDay { TimeOfDay(hour: hour, minute: 0) }
}

extension LocalizedText {
  fileprivate static let harbor = LocalizedText(en: "Harbor Clinic", ru: "Клиника в порту")
  fileprivate static let quay = LocalizedText(en: "Quay 7", ru: "Причал 7")
  fileprivate static let clinic = LocalizedText(en: "City Hospital", ru: "Городская больница")
  fileprivate static let early = LocalizedText(en: "Early", ru: "Утро")
  fileprivate static let night = LocalizedText(en: "Night", ru: "Ночь")
  fileprivate static let vacation = LocalizedText(en: "Vacation", ru: "Отпуск")
}
