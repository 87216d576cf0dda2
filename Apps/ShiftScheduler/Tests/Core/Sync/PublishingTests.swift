import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import ShiftScheduler

/// Published shifts and drafts, over a real server.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct PublishingTests {
  @Test func `Members receive the values of a published shift, and nothing of a draft`()
    async throws
  {
    let shared = try await SharedTeam("ben")
    let (ann, ben, team) = (shared.ann, shared.ben, shared.team)
    var published = ScheduledShift.june(1)
    published.note = "Bring the wombat"
    var draft = ScheduledShift.june(2, .night)
    draft.note = "Ask for the axolotl"
    try await ann.saveShift(draft, .night)
    let shift = try await shared.publish(published)
    #expect(
      try await ben.board(of: team).shifts == [
        PublishedShift(
          id: DerivedID(published.id.uuidString, team.uuidString).text, teamID: team,
          shiftID: published.id, publisherID: ann.id, date: .june,
          duration: ShiftType.early.duration, symbol: "🌅", title: "Early", color: .blue,
          place: "Harbor, Quay 7", workerID: ann.id, workerName: "ann")
      ])
    #expect(try await ann.list().published == [published.id: [team]])
    #expect(try await ben.list().published == [:])
    let bytes = try ben.bytes()
    #expect(bytes.range(of: Data(shift.place.utf8)) != nil)
    for secret in ["wombat", "axolotl", draft.id.uuidString, "With the pager"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    await shared.end()
  }

  @Test func `A range is published without cancelled shifts, and withdrawn again`() async throws {
    let shared = try await SharedTeam("ben")
    let (ann, ben, team) = (shared.ann, shared.ben, shared.team)
    try await ann.saveShift(.june(1))
    for shift in [2, 3, 9].map({ ScheduledShift.june($0) }) {
      try await ann.repository.saveShift(shift)
    }
    try await ann.repository.saveShift(.june(4, status: .cancelled))
    try await ann.perform(.publish(.days(.june...(.june + 5)), team, worker: ben.id))
    let board = try await ben.board(of: team) { $0.shifts.count == 3 }
    #expect(board.shifts.map(\.date) == [.june, .june + 1, .june + 2])
    #expect(board.shifts.map(\.workerName) == ["ben", "ben", "ben"])
    try await ann.perform(.unpublish(.shifts([ScheduledShift.june(1).id]), team))
    try await ben.board(of: team) { $0.shifts.map(\.date) == [.june + 1, .june + 2] }
    try await ann.perform(.unpublish(.days((.june + 2)...(.june + 30)), team))
    try await ben.board(of: team) { $0.shifts.map(\.date) == [.june + 1] }
    try await ann.perform(.publish(.shifts([ScheduledShift.june(1).id]), team))
    try await ben.board(of: team) { $0.shifts.map(\.date) == [.june, .june + 1] }
    #expect(try await ann.repository.loadShifts().count == 5)
    await shared.end()
  }

  @Test func `A changed shift is outdated until it is published again, and keeps its worker`()
    async throws
  {
    let shared = try await SharedTeam("ben")
    let (ann, ben, team) = (shared.ann, shared.ben, shared.team)
    let shift = try await shared.publish(.june(1), for: ben)
    #expect(try await ann.board(of: team).outdated == [])
    var early = ShiftType.early
    early.title = "Dawn"
    try await ann.repository.saveShiftType(early)
    #expect(try await ann.board(of: team).outdated == [shift.id])
    #expect(try await ben.board(of: team).outdated == [])
    try await ann.perform(.publish(.shifts([shift.shiftID]), team))
    let board = try await ben.board(of: team) { $0.shifts.first?.title == "Dawn" }
    #expect(board.shifts.map(\.workerID) == [ben.id])
    #expect(try await ann.board(of: team).outdated == [])
    try await ann.repository.deleteShift(id: shift.shiftID)
    #expect(try await ann.board(of: team).outdated == [shift.id])
    await shared.end()
  }

  @Test func `A shift that overlaps another one of its worker is published on purpose only`()
    async throws
  {
    let shared = try await SharedTeam("ben")
    let (ann, ben, team) = (shared.ann, shared.ben, shared.team)
    let first = try await shared.publish(.june(1), for: ben)
    try await ann.repository.saveShift(.june(1, id: 50))
    let command = TeamCommand.publish(.days(.june...(.june)), team, worker: ben.id)
    await #expect(throws: TeamOverlap(shifts: [first])) { try await ann.perform(command) }
    #expect(try await ann.board(of: team).shifts == [first])
    try await ann.perform(command, keepsOverlaps: true)
    try await ben.board(of: team) { $0.shifts.count == 2 }
    await shared.end()
  }

  @Test func `What cannot be published is an error, and nothing is published`() async throws {
    let shared = try await SharedTeam("ben")
    let (ann, ben, team) = (shared.ann, shared.ben, shared.team)
    try await ann.saveShift(.june(1))
    try await ann.repository.saveShift(.june(2, .vacation))
    let days = ShiftSelection.days(.june...(.june + 9))
    await #expect(throws: ValidationError.missingRequiredFields) {
      try await ann.perform(.publish(days, team))
    }
    await #expect(throws: ContentError.notFound) {
      try await ann.perform(.publish(.shifts([ScheduledShift.june(1).id]), team, worker: UUID()))
    }
    await #expect(throws: ContentError.notFound) { try await ann.perform(.publish(days, UUID())) }
    await #expect(throws: EntryProblem.missing(field: "name")) {
      try await ann.perform(.save(Team(id: team, name: " ")))
    }
    // A member who is no owner.
    try await ben.saveShift(.june(1))
    for command in [.publish(days, team), TeamCommand.save(Team(id: team, name: "Mine"))] {
      let error = await #expect(throws: ReplicaError.self) { try await ben.perform(command) }
      #expect(error?.asAppError == .auth(.forbidden))
    }
    #expect(try await ann.board(of: team).shifts == [])
    #expect(try await ben.board(of: team).shifts == [])
    await shared.end()
  }

  @Test func `An owner changes who works a shift, with a look at overlaps`() async throws {
    let shared = try await SharedTeam("ben", "cleo")
    let (ann, ben, cleo, team) = (shared.ann, shared.ben, shared.members[1], shared.team)
    let shift = try await shared.publish(.june(1), for: ben)
    let other = try await shared.publish(.june(1, id: 50), for: cleo)
    let offer = UUID()
    try await ben.perform(.offer(offer, shift.id))
    try await shared.wait(for: offer, .offered)
    let command = TeamCommand.assign(shift.id, worker: cleo.id)
    await #expect(throws: TeamOverlap(shifts: [other])) { try await ann.perform(command) }
    #expect(try await ann.board(of: team).swaps.first?.state == .offered)
    try await ann.perform(command, keepsOverlaps: true)
    // The offer of the former worker ends with the change.
    try await shared.wait(for: offer, .withdrawn)
    for device in [ann, ben, cleo] {
      #expect(try await device.board(of: team).shifts.map(\.workerName) == ["cleo", "cleo"])
    }
    for (id, worker) in [(shift.id, UUID()), ("missing", ben.id)] {
      await #expect(throws: ContentError.notFound) {
        try await ann.perform(.assign(id, worker: worker))
      }
    }
    let error = await #expect(throws: ReplicaError.self) {
      try await ben.perform(.assign(shift.id, worker: ben.id))
    }
    #expect(error?.asAppError == .auth(.forbidden))
    await shared.end()
  }

  @Test func `A deleted team leaves all devices, with the swaps of others`() async throws {
    let shared = try await SharedTeam("ben", "cleo")
    let (ann, ben, cleo, team) = (shared.ann, shared.ben, shared.members[1], shared.team)
    let shift = try await shared.publish(.june(1), for: ben)
    _ = try await shared.agree(on: shift, from: ben, to: cleo)
    let error = await #expect(throws: ReplicaError.self) { try await ben.perform(.delete(team)) }
    #expect(error?.asAppError == .auth(.forbidden))
    try await ann.perform(.delete(team))
    for device in [ann, ben, cleo] {
      try await device.list { $0.teams.isEmpty && $0.published.isEmpty }
      try await device.wait(for: SwapOffer.all) { $0.isEmpty }
      try await device.wait(for: SwapAnswer.all) { $0.isEmpty }
      try await device.service.drain()
      #expect(try await device.refusals() == [])
    }
    #expect(try await ann.repository.loadShifts().map(\.id) == [shift.shiftID])
    await #expect(throws: ContentError.notFound) { try await ann.perform(.delete(team)) }
    await shared.end()
  }

  @Test func `A withdrawn shift leaves with the swaps of others`() async throws {
    let shared = try await SharedTeam("ben", "cleo")
    let (ann, ben, cleo, team) = (shared.ann, shared.ben, shared.members[1], shared.team)
    let shift = try await shared.publish(.june(1), for: ben)
    _ = try await shared.agree(on: shift, from: ben, to: cleo)
    try await ann.perform(.unpublish(.days(.june...(.june)), team))
    for device in [ben, cleo] {
      try await device.board(of: team) { $0.shifts.isEmpty && $0.swaps.isEmpty }
    }
    try await ann.service.drain()
    #expect(try await ann.refusals() == [])
    await shared.end()
  }

  @Test func `A file without an account has no teams`() async throws {
    let client = TeamsClient { try .makeEmpty() }
    await #expect(throws: AuthError.notSignedIn) {
      try await client.perform(.save(Team(id: UUID(), name: "Crew")), false)
    }
  }

  @Test func `The rows of a team leave the devices of a removed member`() async throws {
    let shared = try await SharedTeam("ben")
    let (ann, ben, team) = (shared.ann, shared.ben, shared.team)
    let shift = try await shared.publish(.june(1), for: ben)
    try await ben.perform(.offer(UUID(), shift.id))
    try await ann.board(of: team) { $0.swaps.count == 1 }
    let members = MembersModel(try .team(team), ann.service)
    await members.load()
    #expect(await members.remove(ben.id))
    try await ben.list { $0.teams.isEmpty }
    for table in ["teams", "publishedShifts", "swapOffers"] {
      let count = try await ben.store.read {
        try SQL("SELECT count(*) FROM \(identifier: table)").first($0, as: Int.self)
      }
      #expect(count == 0, "\(table)")
    }
    #expect(try await ann.board(of: team).shifts == [shift])
    try await ann.board(of: team) { $0.members == [ann.id: "ann"] }
    await shared.end()
  }
}
