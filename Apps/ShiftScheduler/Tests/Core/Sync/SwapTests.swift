import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import Testing

@testable import ShiftScheduler

/// Swaps of three members, over a real server.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SwapTests {
  @Test func `An approved offer changes who works the shift, everywhere`() async throws {
    let shared = try await SharedTeam("ben", "cleo")
    let (ben, cleo, team) = (shared.ben, shared.members[1], shared.team)
    let shift = try await shared.publish(.june(1), for: ben)
    let offer = try await shared.agree(on: shift, from: ben, to: cleo)
    #expect(try await ben.board(of: team).shifts.map(\.workerName) == ["ben"])
    try await shared.ann.perform(.approve(offer, taker: cleo.id))
    try await shared.wait(for: offer, .approved(for: cleo.id))
    for device in [shared.ann, ben, cleo] {
      #expect(try await device.board(of: team).shifts.map(\.workerName) == ["cleo"])
    }
    // The new worker offers it in turn.
    let back = try await shared.agree(on: shift, from: cleo, to: ben)
    try await shared.ann.perform(.approve(back, taker: ben.id))
    try await shared.wait(for: back, .approved(for: ben.id))
    #expect(try await cleo.board(of: team).shifts == [shift])
    await shared.end()
  }

  @Test func `An author withdraws an offer, and the asked member or a scheduler declines it`()
    async throws
  {
    let shared = try await SharedTeam("ben", "cleo")
    let (ben, cleo) = (shared.ben, shared.members[1])
    let shift = try await shared.publish(.june(1), for: ben)
    let offers = [UUID(), UUID(), UUID()]
    try await ben.perform(.offer(offers[0], shift.id, to: cleo.id))
    try await ben.perform(.offer(offers[1], shift.id))
    try await ben.perform(.offer(offers[2], shift.id))
    for offer in offers { try await shared.wait(for: offer, .offered) }
    await #expect(throws: AuthError.forbidden) {
      try await shared.ann.perform(.answer(offers[0], .accepted))
    }
    await #expect(throws: AuthError.forbidden) {
      try await cleo.perform(.answer(offers[0], .withdrawn))
    }
    await #expect(throws: AuthError.forbidden) {
      try await ben.perform(.answer(offers[1], .accepted))
    }
    try await cleo.perform(.answer(offers[0], .declined))
    try await shared.wait(for: offers[0], .declined)
    try await ben.perform(.answer(offers[1], .withdrawn))
    try await shared.wait(for: offers[1], .withdrawn)
    try await shared.ann.perform(.decline(offers[2]))
    try await shared.wait(for: offers[2], .declined)
    for offer in offers {
      await #expect(throws: SyncError.conflict) {
        try await cleo.perform(.answer(offer, .accepted))
      }
      await #expect(throws: SyncError.conflict) {
        try await shared.ann.perform(.approve(offer, taker: cleo.id))
      }
    }
    #expect(try await cleo.board(of: shared.team).shifts == [shift])
    await shared.end()
  }

  @Test func `Only the worker offers a shift, to another member`() async throws {
    let shared = try await SharedTeam("ben")
    let ben = shared.ben
    let shift = try await shared.publish(.june(1))
    await #expect(throws: AuthError.forbidden) { try await ben.perform(.offer(UUID(), shift.id)) }
    await #expect(throws: AuthError.forbidden) {
      try await shared.ann.perform(.offer(UUID(), shift.id, to: shared.ann.id))
    }
    await #expect(throws: ContentError.notFound) {
      try await shared.ann.perform(.offer(UUID(), shift.id, to: UUID()))
    }
    await #expect(throws: ContentError.notFound) {
      try await shared.ann.perform(.offer(UUID(), "missing"))
    }
    await #expect(throws: ContentError.notFound) {
      try await ben.perform(.answer(UUID(), .accepted))
    }
    await shared.end()
  }

  @Test func `A withdrawal and an approval at once end alike everywhere`() async throws {
    let shared = try await SharedTeam("ben", "cleo")
    let (ben, cleo) = (shared.ben, shared.members[1])
    let shift = try await shared.publish(.june(1), for: ben)
    let offer = try await shared.agree(on: shift, from: ben, to: cleo)
    try await ben.service.setAirplane(true)
    try await ben.perform(.answer(offer, .withdrawn))
    try await ben.board(of: shared.team) { $0.swaps.first?.state == .withdrawn }
    try await shared.ann.perform(.approve(offer, taker: cleo.id))
    try await ben.service.setAirplane(false)
    try await shared.wait(for: offer, .approved(for: cleo.id))
    for device in [shared.ann, ben, cleo] {
      let board = try await device.board(of: shared.team) { $0.swaps.first?.answers.count == 2 }
      #expect(board.shifts.map(\.workerID) == [cleo.id])
      #expect(board.swaps.first?.state == .approved(for: cleo.id))
    }
    #expect(try await ben.refusals() == [])
    await shared.end()
  }

  @Test func `Overlaps are checked when an offer is accepted, and again when it is approved`()
    async throws
  {
    let shared = try await SharedTeam("ben", "cleo")
    let (ann, ben, cleo) = (shared.ann, shared.ben, shared.members[1])
    let shift = try await shared.publish(.june(1), for: ben)
    let offer = try await shared.agree(on: shift, from: ben, to: cleo)
    // Cleo has another shift at the same time meanwhile. A shift of ben's does not matter.
    let other = try await shared.publish(.june(1, id: 50), for: cleo)
    try await shared.publish(.june(2), for: cleo)
    await #expect(throws: TeamOverlap(shifts: [other])) {
      try await ann.perform(.approve(offer, taker: cleo.id))
    }
    #expect(try await ann.board(of: shared.team).swaps.first?.state == .accepted(by: [cleo.id]))
    await #expect(throws: TeamOverlap(shifts: [other])) {
      try await cleo.perform(.answer(offer, .accepted))
    }
    try await cleo.perform(.answer(offer, .accepted), keepsOverlaps: true)
    try await ann.perform(.approve(offer, taker: cleo.id), keepsOverlaps: true)
    try await shared.wait(for: offer, .approved(for: cleo.id))
    #expect(
      try await ben.board(of: shared.team).shifts.map(\.workerID) == [cleo.id, cleo.id, cleo.id])
    await shared.end()
  }

  @Test func `A member who has left takes nothing over`() async throws {
    let shared = try await SharedTeam("ben", "cleo")
    let (ann, ben, cleo) = (shared.ann, shared.ben, shared.members[1])
    let shift = try await shared.publish(.june(1), for: ben)
    let offer = try await shared.agree(on: shift, from: ben, to: cleo)
    try await cleo.store.leave(.team(shared.team), retainingCopy: false)
    try await ann.board(of: shared.team) { $0.members.count == 2 }
    await #expect(throws: ContentError.notFound) {
      try await ann.perform(.approve(offer, taker: cleo.id))
    }
    #expect(try await ann.board(of: shared.team).shifts == [shift])
    await shared.end()
  }
}
