import Anyfleet
import AnyfleetTestSupport
import Foundation
import OffshoreSync
import OffshoreWire
import Testing

@testable import OffshoreHost
@testable import offshore_apps

/// The facts about the phones of a crew, which share a charter through a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct FactsReaderTests {
  private func reader(_ app: AppDependencies) -> FactsReader {
    FactsReader(app.database.store, SampleCharter.reportedRows)
  }

  private func facts(of app: AppDependencies) async throws -> PhoneFacts {
    try await app.database.store.read { [reader = reader(app)] in try reader.read($0).facts }
  }

  private func latest(of app: AppDependencies) async throws -> Stamp? {
    try await app.database.store.read { [reader = reader(app)] in try reader.read($0).latest }
  }

  private func write(
    _ note: String, on app: AppDependencies, in shared: SharedCharter
  ) async throws {
    try await app.executionRepository.save(
      .note(shared.item(1), note), checklistID: shared.checklist.id, charterID: shared.charter.id,
      assigning: false)
  }

  @Test func `A tick of another phone has the time of its write, and one's own counts for nothing`()
    async throws
  {
    let shared = try await SharedCharter()
    #expect(try await latest(of: shared.mate) == nil)
    let start = Date().timeIntervalSince1970 * 1_000
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    let end = Date().timeIntervalSince1970 * 1_000
    let written = try #require(try await latest(of: shared.mate)).milliseconds
    #expect((Int64(start)...Int64(end)).contains(written))
    #expect(try await latest(of: shared.skipper) == nil)
    await shared.end()
  }

  @Test func `A ticked item has one name on both phones, until the tick is taken back`()
    async throws
  {
    let shared = try await SharedCharter()
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    let ticked = try await facts(of: shared.skipper).tickedItems
    #expect(ticked.count == 1)
    #expect(try await facts(of: shared.mate).tickedItems == ticked)
    try await shared.tick(0, false, on: shared.mate)
    #expect(try await facts(of: shared.mate).tickedItems.isEmpty)
    await shared.end()
  }

  @Test func `Both phones name a text that both wrote alike, and the conflict that follows`()
    async throws
  {
    let shared = try await SharedCharter()
    let phones = [shared.skipper, shared.mate]
    try await shared.setAirplane(true)
    try await write("Stiff", on: shared.skipper, in: shared)
    try await write("Torn", on: shared.mate, in: shared)
    let texts = try await facts(of: shared.skipper).pendingTexts
    #expect(texts.count == 1)
    #expect(try await facts(of: shared.mate).pendingTexts == texts)
    #expect(try await facts(of: shared.mate).textConflicts.isEmpty)
    try await shared.setAirplane(false)
    for phone in phones { _ = try await shared.entries(1, on: phone) }
    let conflicts = try await facts(of: shared.skipper).textConflicts
    #expect(conflicts.count == 1)
    #expect(try await facts(of: shared.mate).textConflicts == conflicts)
    #expect(try await facts(of: shared.mate).pendingTexts.isEmpty)
    await shared.end()
  }

  @Test func `A condition without a note is no text`() async throws {
    let shared = try await SharedCharter()
    try await shared.setAirplane(true)
    try await shared.mate.executionRepository.save(
      .issue(shared.item(1), .damaged), checklistID: shared.checklist.id,
      charterID: shared.charter.id, assigning: false)
    #expect(try await facts(of: shared.mate).pendingTexts.isEmpty)
    await shared.end()
  }

  @Test func `A member has joined the charter, and its owner has not`() async throws {
    let shared = try await SharedCharter()
    let scope = try #require(try await SampleCharter(app: shared.mate).scope())
    #expect(try await facts(of: shared.mate).joinedScopes == [scope.text])
    #expect(try await facts(of: shared.skipper).joinedScopes.isEmpty)
    await shared.end()
  }
}
