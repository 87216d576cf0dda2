import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

/// The first checklists of an account that a phone signs in to.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncedSeedsTests {
  private func seedIDs(of userID: UUID) -> Set<UUID> {
    Set(SeedChecklist.all.map { $0.checklist(of: userID, in: .english, at: .day(1, 1)).id })
  }

  private func wait(
    for app: AppDependencies, _ isMet: (Set<UUID>) -> Bool
  ) async throws -> Set<UUID> {
    for try await found in app.local.entities.entries(Checklist.self) {
      let ids = Set(found.rows.map(\.id))
      if isMet(ids) { return ids }
    }
    return []
  }

  @Test func `An account without a library gets the first checklists after its rows have arrived`()
    async throws
  {
    let fleet = try SyncedFleet()
    let first = try await fleet.makeApp()
    for id in try await first.local.fetchUserChecklists().map(\.id) {
      try await first.local.deleteChecklist(id)
    }
    try await first.session.signUp(name: "skipper", password: "correct horse")
    let second = try await fleet.makeApp(of: "skipper")
    let seeds = seedIDs(of: first.session.userID)
    #expect(try await wait(for: second) { $0 == seeds } == seeds)
    await fleet.end(first, second)
  }

  @Test func `An account with a library keeps it unchanged`() async throws {
    let fleet = try SyncedFleet()
    let first = try await fleet.makeApp()
    let kept = try #require(try await first.local.fetchUserChecklists().first)
    for checklist in try await first.local.fetchUserChecklists().dropFirst() {
      try await first.local.deleteChecklist(checklist.id)
    }
    try await first.session.signUp(name: "skipper", password: "correct horse")
    await first.sync.start()
    try await first.waitUntilSent()
    let second = try await fleet.makeApp(of: "skipper")
    #expect(try await wait(for: second) { !$0.isEmpty } == [kept.id])
    await waitUntil { second.sync.indicator == .synced }
    await second.sync.stop()
    #expect(try await second.local.fetchUserChecklists().map(\.id) == [kept.id])
    await fleet.end(first)
  }

  @Test func `Before its rows have arrived an account gets no checklists, even at a later start`()
    async throws
  {
    let fleet = try SyncedFleet()
    let first = try await fleet.makeApp(of: "skipper")
    try await first.waitUntilSent()
    let folder = try TemporaryFolder()
    let path = folder.file("anyfleet.sqlite")
    var environment = AppDependencies.Environment()
    environment.server = fleet.url
    let second = try await AppDependencies.live(path: path, environment: environment)
    try await second.session.signIn(name: "skipper", password: "correct horse")
    #expect(try await second.local.fetchUserChecklists() == [])
    await second.database.database.close()
    let third = try await AppDependencies.live(path: path, environment: environment)
    #expect(try await third.local.fetchUserChecklists() == [])
    await third.sync.start()
    let seeds = seedIDs(of: first.session.userID)
    #expect(try await wait(for: third) { !$0.isEmpty } == seeds)
    await fleet.end(first, third)
  }
}
