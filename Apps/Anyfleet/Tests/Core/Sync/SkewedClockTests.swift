import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

/// Two phones of one skipper, the second of which has a wrong clock.
///
/// The stamps of its changes are right, as they are after the first answer of the server, and the
/// dates in its rows are wrong.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SkewedClockTests {
  @MainActor
  private struct Phone {
    let app: AppDependencies
    let local: LocalRepository
    let library: LibraryStore

    init(in fleet: SyncedFleet, aheadBy seconds: TimeInterval) async throws {
      let now: @Sendable () -> Date = { Date(timeIntervalSinceNow: seconds) }
      app = try await fleet.makeApp(of: "skipper")
      local = LocalRepository(database: app.database, now: now)
      library = LibraryStore(repository: local, now: now)
    }
  }

  private let fleet: SyncedFleet
  private let right: Phone
  private let guideID = UUID()

  init() async throws {
    fleet = try SyncedFleet()
    right = try await Phone(in: fleet, aheadBy: 0)
  }

  private func end(_ wrong: Phone) async { await fleet.end(right.app, wrong.app) }

  /// Opens the form of the guide.
  private func form(on phone: Phone, isNew: Bool = false) async -> Draft<PracticeGuide> {
    let form = phone.library.draft(
      of: PracticeGuide.self, guideID, isNew: isNew, by: phone.app.session.userID)
    await form.load()
    return form
  }

  private func save(_ body: String, on phone: Phone, isNew: Bool = false) async throws {
    let form = await form(on: phone, isNew: isNew)
    (form["title"], form["body"]) = ("Anchoring", body)
    #expect(await form.save() != nil)
  }

  /// Waits until the guide has a text on a phone.
  private func guide(on phone: Phone, _ body: String) async throws -> PracticeGuide {
    for try await guide in phone.local.entities.entry(PracticeGuide.self, guideID) {
      if let guide, guide.body == body { return guide }
    }
    throw CancellationError()
  }

  @Test(arguments: [-120, 120, 10 * 365 * 86_400] as [TimeInterval])
  func `A form does not overwrite a text that arrived from a phone with a wrong clock`(
    ahead: TimeInterval
  ) async throws {
    try await save("Slowly.", on: right, isNew: true)
    let wrong = try await Phone(in: fleet, aheadBy: ahead)
    _ = try await guide(on: wrong, "Slowly.")
    try await wrong.app.sync.setAirplane(true)
    try await save("Against the wind.", on: right)
    try await right.app.waitUntilSent()
    let form = await form(on: right)
    try await save("Astern.", on: wrong)
    try await wrong.app.sync.setAirplane(false)
    let merged = try await guide(on: right, "Astern.")
    form["body"] = "Against the current."
    #expect(await form.save() == nil)
    #expect(form.saveError == .sync(.conflict) && form.conflicts == ["body"])
    #expect(try await guide(on: right, "Astern.") == merged)
    await end(wrong)
  }

  @Test func `The date of a change by a clock far ahead ends with the next change`() async throws {
    let wrong = try await Phone(in: fleet, aheadBy: 10 * 365 * 86_400)
    let soon = Date(timeIntervalSinceNow: 86_400)
    try await save("Slowly.", on: wrong, isNew: true)
    #expect(try await guide(on: right, "Slowly.").updatedAt > soon)
    try await save("Against the wind.", on: right)
    for phone in [right, wrong] {
      #expect(try await guide(on: phone, "Against the wind.").updatedAt < soon)
    }
    await end(wrong)
  }

  @Test func `The date of a tick by a clock far ahead ends with the next tick`() async throws {
    let wrong = try await Phone(in: fleet, aheadBy: 10 * 365 * 86_400)
    let soon = Date(timeIntervalSinceNow: 86_400)
    let (charter, checklist) = try await right.app.makeCharter()
    _ = try await wrong.app.waitForCharter(charter.id)
    for (count, phone) in [wrong, right].enumerated() {
      try await phone.local.saveItemState(
        checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[count].id,
        isChecked: true)
      for other in [right, wrong] {
        let state = try await other.app.waitForState(checklist.id, charter.id) {
          $0.checkedCount == count + 1
        }
        let isLate = try #require(state).lastUpdated > soon
        #expect(isLate == (count == 0))
      }
    }
    await end(wrong)
  }
}
