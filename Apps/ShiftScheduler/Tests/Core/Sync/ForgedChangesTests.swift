import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import Testing

@testable import ShiftScheduler

/// Changes that a member's device sends although it may not.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ForgedChangesTests {
  /// The schema of a hostile device, on which a user can write every row.
  private static let hostileSchema = StoreSchema(
    migrations: Migrations(ShiftSchema.migrations),
    sync: try SyncSchema(
      version: 1, SyncTable(Team.self, scope: .kind("team", \.id)),
      SyncTable(
        PublishedShift.self, scope: .kind("team", \.teamID), idSource: [\.shiftID, \.teamID]),
      SyncTable(SwapOffer.self, scope: .kind("team", \.teamID)),
      SyncTable(
        SwapAnswer.self, scope: .kind("team", \.teamID), idSource: [\.offerID, \.authorID]),
      SyncTable(SwapDecision.self, scope: .kind("team", \.teamID), idSource: [\.offerID, \.kind]),
      claimableKinds: ["team"]))

  /// A team whose shift is offered and accepted, with the device of a member who writes as others.
  private struct Attack {
    let shared: SharedTeam
    let mallory: TeamDevice
    let shift: PublishedShift
    let offer: Swap.ID

    var ann: TeamDevice { shared.ann }

    /// Lets mallory make a change, and checks that the server refuses it, and nothing has changed.
    func expectRefusal(
      _ sourceLocation: SourceLocation = #_sourceLocation,
      of change: @escaping @Sendable (Writer) throws -> Void
    ) async throws {
      let before = try await ann.board(of: shared.team)
      let count = try await mallory.refusals().count
      try await mallory.store.write(change)
      try await mallory.service.drain()
      let refusals = try await mallory.refusals()
      #expect(refusals.count > count, sourceLocation: sourceLocation)
      #expect(Set(refusals) == [.forbidden], sourceLocation: sourceLocation)
      try await ann.service.pull()
      let after = try await ann.board(of: shared.team)
      #expect(after == before, sourceLocation: sourceLocation)
      // The forged values leave the hostile device, too.
      try await mallory.board(of: shared.team) {
        ($0.shifts, $0.swaps) == (before.shifts, before.swaps)
      }
    }
  }

  private func attack() async throws -> Attack {
    let shared = try await SharedTeam("ben")
    let mallory = try await TeamDevice(
      of: "mallory", on: shared.server, schema: Self.hostileSchema)
    let shift = try await shared.publish(.june(1), for: shared.ben)
    try await shared.admit(mallory)
    let offer = try await shared.agree(on: shift, from: shared.ben, to: shared.ann)
    try await mallory.board(of: shared.team) { $0.swaps.first?.answers.count == 1 }
    try await shared.ann.board(of: shared.team) { $0.members.count == 3 }
    return Attack(shared: shared, mallory: mallory, shift: shift, offer: offer)
  }

  @Test func `The server refuses each change of a row that is not the member's`() async throws {
    let attack = try await attack()
    let statements: [SQL] = [
      "UPDATE publishedShifts SET workerName = 'mallory'", "DELETE FROM publishedShifts",
      "UPDATE teams SET name = 'Mine'", "UPDATE swapAnswers SET kind = 'declined'",
      "UPDATE swapOffers SET date = 0", "DELETE FROM swapOffers",
    ]
    for statement in statements { try await attack.expectRefusal { try statement.run($0) } }
    await attack.shared.end(attack.mallory)
  }

  @Test func `The server refuses a decision by a member, and answers and offers of others`()
    async throws
  {
    let attack = try await attack()
    let (mallory, ben) = (attack.mallory.id, attack.shared.ben.id)
    let (offer, shift) = (attack.offer, attack.shift)
    let decision = SwapDecision(
      id: DerivedID(offer.uuidString, "approved").text, teamID: shift.teamID, offerID: offer,
      kind: .approved, workerID: mallory)
    try await attack.expectRefusal { try decision.insert($0) }
    let withdrawal = SwapAnswer(
      id: DerivedID(offer.uuidString, ben.uuidString).text, teamID: shift.teamID, offerID: offer,
      authorID: ben, kind: .withdrawn, date: .distantPast)
    try await attack.expectRefusal { try withdrawal.insert($0) }
    let other = SwapOffer(
      id: UUID(), teamID: shift.teamID, publishedID: shift.id, authorID: ben, askedID: mallory,
      date: .distantPast)
    try await attack.expectRefusal { try other.insert($0) }
    await attack.shared.end(attack.mallory)
  }

  @Test func `An offer of a shift of another member counts as withdrawn`() async throws {
    let attack = try await attack()
    let (mallory, shift) = (attack.mallory, attack.shift)
    let offer = SwapOffer(
      id: UUID(), teamID: shift.teamID, publishedID: shift.id, authorID: mallory.id, askedID: nil,
      date: .distantPast)
    try await mallory.store.write { try offer.insert($0) }
    let board = try await attack.ann.board(of: shift.teamID) { $0.swaps.count == 2 }
    #expect(board.swaps.first { $0.id == offer.id }?.state == .withdrawn)
    await attack.shared.end(mallory)
  }
}
