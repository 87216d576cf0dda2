import Anyfleet
import AnyfleetTestSupport
import Foundation
import OffshoreCalendar
import OffshoreLogging
import OffshoreWire
import Testing

@testable import offshore_apps

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SampleCharterTests {
  private let now = Date(timeIntervalSince1970: 1_780_000_000)

  private func sample(
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) async throws -> SampleCharter {
    let now = now
    var environment = AppDependencies.Environment()
    environment.now = { now }
    environment.calendar = {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      return calendar
    }
    environment.logger = AppLogger(.repository, to: .none)
    environment.syncLogger = AppLogger(.sync, to: .none)
    environment.sleep = sleep
    let app = try await AppDependencies.makeForTesting { $0 = environment }
    return SampleCharter(app: app, environment: environment)
  }

  @Test func `A charter begins today, is active, and opens with its checklist`() async throws {
    // Time does not pass: a search ends as soon as it has its result.
    let never = AsyncStream<Void>.makeStream()
    let sample = try await sample { _ in for await _ in never.stream {} }
    try await sample.createContent()
    try await sample.createContent()
    let charters = try await sample.app.charterRepository.fetchAllCharters()
    let charter = try #require(charters.first)
    #expect(charters.count == 1 && charter.isActive && charter.createdAt == now)
    #expect(charter.phase(on: CalendarDay(containing: now)) == .inProgress)
    let checklist = try #require(charter.checkInChecklistID)
    #expect(
      await sample.route() == .executeChecklist(charterID: charter.id, checklistID: checklist))
    never.continuation.finish()
  }

  @Test func `A phone that joins makes the charter the active one`() async throws {
    let shared = try await SharedCharter()
    let sample = SampleCharter(app: shared.mate)
    #expect(try await sample.scope()?.value == shared.charter.id.uuidString)
    #expect(try await shared.mate.charterRepository.fetchAllCharters().first?.isActive == false)
    try await sample.didJoin()
    #expect(try await shared.mate.charterRepository.fetchAllCharters().first?.isActive == true)
    await shared.end()
  }

  @Test func `Without a charter, the first page is opened after a moment`() async throws {
    let sample = try await sample { _ in }
    #expect(await sample.route() == nil)
    #expect(try await sample.scope() == nil)
  }
}
