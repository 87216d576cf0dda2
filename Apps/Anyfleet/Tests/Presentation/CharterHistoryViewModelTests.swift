import Foundation
import OffshorePresentation
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet

/// What was decided of a charter, of a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CharterHistoryViewModelTests {
  @Test func `Two who rename a charter see whose name stays, and the other can be used`()
    async throws
  {
    let shared = try await SharedCharter()
    let names = try await shared.decideName()
    let histories = [shared.skipper, shared.mate].map { $0.makeCharterHistory(shared.charter.id) }
    for history in histories {
      await history.load()
      await until { history.decisions.data?.count == 1 }
      #expect(history.charter?.name == names.stayed && history.canEdit && !history.isGone)
    }
    let decision = try #require(histories[0].decisions.data?.first)
    let isOwn = names.stayed == "Lastovo"
    #expect(decision.stayed.value == .name(names.stayed) && decision.stayed.isFromHere == isOwn)
    #expect(decision.lost.value == .name(names.lost) && decision.lost.isFromHere != isOwn)
    #expect(histories[1].decisions.data?.first?.id == decision.id, "one id on both phones")
    let detail = shared.mate.makeCharterDetail(shared.charter.id)
    await detail.load()
    await until { detail.decisionCount == 1 }
    #expect(await histories[0].useLost(decision.id))
    let renamed = try await shared.mate.waitForCharter(shared.charter.id) { $0.name == names.lost }
    #expect(renamed != nil)
    await until { histories[0].decisions.data?.first?.isUsable == false }
    #expect(await !histories[0].useLost(decision.id))
    #expect(histories[0].actionError == .sync(.conflict))
    await shared.end()
  }

  @Test func `Who may only look uses nothing instead`() async throws {
    let shared = try await SharedCharter()
    _ = try await shared.decideName()
    let crew = try shared.skipper.makeCrew(shared.charter.id)
    await crew.load()
    #expect(await crew.setRole(.viewer, of: shared.mate.session.userID))
    try await shared.mate.waitForRole(.viewer, in: shared.charter.id)
    let history = shared.mate.makeCharterHistory(shared.charter.id)
    await history.load()
    let decision = try #require(history.decisions.data?.first)
    #expect(!history.canEdit)
    #expect(await !history.useLost(decision.id))
    #expect(history.actionError == .auth(.forbidden))
    await #expect(throws: RepositoryError.forbidden) {
      try await shared.mate.local.useLost(decision.id, charterID: shared.charter.id)
    }
    await shared.end()
  }

  @Test func `A history is released when nothing uses it, and tells where there is none`()
    async throws
  {
    let app = try await AppDependencies.makeForTesting()
    let (charter, _) = try await app.makeCharter()
    weak var released: CharterHistoryViewModel?
    do {
      let history = app.makeCharterHistory(charter.id)
      released = history
      await history.load()
      #expect(history.decisions.isEmpty && !history.isGone)
      let other = app.makeCharterHistory(UUID())
      await other.load()
      #expect(other.isGone && other.charter == nil)
    }
    #expect(released == nil)
  }
}
