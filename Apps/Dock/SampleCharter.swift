import Anyfleet
import AnyfleetWeb
import Foundation
import Observation
import Offshore
import OffshoreCalendar
import OffshoreHost
import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// Sample content of Anyfleet: a charter that begins today, with a checklist to tick.
@MainActor
struct SampleCharter: Demonstration {
  let app: AppDependencies
  /// The sources of time and ids.
  var environment = AppDependencies.Environment()

  private static let days = 7
  /// The longest time to wait for the rows of the account.
  private static let maximumWait = Duration.seconds(5)

  /// Creates the charter if there is none, with a checklist that fits on a screen.
  ///
  /// It waits for the rows of the account first, so that a phone whose folder was deleted receives
  /// its charter again instead of creating a second one.
  func createContent() async throws {
    if app.session.isSignedIn {
      _ = await resultInTime { [app] in
        for await isHere in Observations({ app.sync.storeStatus.hasArrived }) where isHere {
          return true
        }
        return Bool?.none
      }
    }
    guard try await app.charterRepository.fetchAllCharters().isEmpty else { return }
    let say = app.language.say
    let checklist = Checklist(
      id: environment.makeID(), title: say(.castingOff),
      sections: [section(Self.ashore, say), section(Self.aboard, say)],
      creatorID: app.session.userID)
    try await app.libraryRepository.saveChecklist(checklist)
    let now = environment.now()
    let today = CalendarDay(civilDayOf: now, in: environment.calendar()).noon
    let charter = CharterModel(
      id: environment.makeID(), name: say(.kornatiWeek), boatName: "Bavaria 46 Alma",
      location: say(.biograd),
      startDate: today, endDate: today.addingTimeInterval(TimeInterval(Self.days * 86_400)),
      createdAt: now, checkInChecklistID: checklist.id)
    try await app.charterRepository.createCharter(charter, assigning: [checklist.id])
    try await app.charterRepository.setActiveCharter(charter.id)
  }

  private func section(_ part: Part, _ say: Localizer) -> ChecklistSection {
    ChecklistSection(
      id: environment.makeID(), title: say(part.title),
      items: part.items.map { ChecklistItem(id: environment.makeID(), title: say($0)) })
  }

  // MARK: - Demonstration

  static let reportedRows = ReportedRows(
    timedTable: "checklistExecutionStates",
    textColumn: (table: "checklistItemNotes", column: "note")
  ) {
    try ChecklistExecutionState.tickedItems($0)
  }

  var reported: ReportedRows? { Self.reportedRows }

  func scope() async throws -> ScopeID? { try await charter().map { try ScopeID.charter($0.id) } }

  /// Makes the charter the active one, which is a choice of each user.
  func didJoin() async throws {
    guard let charter = try await charter() else { return }
    try await app.charterRepository.setActiveCharter(charter.id)
  }

  func firstAddress() async throws -> String? { await route()?.address }

  // MARK: - Opening

  /// Returns the screen of the active charter's checklist if it arrives in time, or `nil` for the
  /// first page.
  func route() async -> AppRoute? {
    await resultInTime { [app] in
      do {
        for try await charter in app.charterRepository.activeCharter() {
          guard let charter, let checklist = charter.checkInChecklistID else { continue }
          return .executeChecklist(charterID: charter.id, checklistID: checklist)
        }
      } catch {}
      return nil
    }
  }

  /// Returns the charter that the account shares: the active one, or else the first.
  private func charter() async throws -> CharterModel? {
    let charters = try await app.charterRepository.fetchAllCharters()
    return charters.first(where: \.isActive) ?? charters.first
  }

  /// Returns the result of a search, or `nil` if it exceeds the maximum time.
  private func resultInTime<Value: Sendable>(
    _ body: @escaping @MainActor () async -> Value?
  ) async -> Value? {
    let search = Task { await body() }
    let timer = Task { [environment] in
      try? await environment.sleep(Self.maximumWait)
      search.cancel()
    }
    defer { timer.cancel() }
    return await search.value
  }
}

extension LocalizedText {
  fileprivate static let castingOff = LocalizedText(en: "Casting off", ru: "Отход")
  fileprivate static let kornatiWeek = LocalizedText(en: "Kornati week", ru: "Неделя в Корнати")
  fileprivate static let biograd = LocalizedText(en: "Biograd", ru: "Биоград")
}

/// The parts of the checklist.
extension SampleCharter {
  fileprivate typealias Part = (title: LocalizedText, items: [LocalizedText])

  fileprivate static let ashore: Part = (
    LocalizedText(en: "Ashore", ru: "На берегу"),
    [
      LocalizedText(en: "Forecast read", ru: "Прогноз прочитан"),
      LocalizedText(en: "Water filled, power cable stowed", ru: "Вода залита, кабель убран"),
      LocalizedText(en: "Marina paid", ru: "Марина оплачена"),
    ]
  )
  fileprivate static let aboard: Part = (
    LocalizedText(en: "Aboard", ru: "На борту"),
    [
      LocalizedText(en: "Lifejackets at hand", ru: "Спасжилеты под рукой"),
      LocalizedText(en: "Hatches closed", ru: "Люки закрыты"),
      LocalizedText(en: "Engine warm, exhaust spits water", ru: "Двигатель прогрет, вода идёт"),
      LocalizedText(en: "Crew knows who casts off which line", ru: "Каждый знает, что отдаёт"),
    ]
  )
}
