import Foundation
import OffshoreCalendar
import OffshorePresentation
import OffshorePresentationTesting
import OffshoreSync
import TestSupport
import Testing

@testable import ShiftScheduler

/// The teams, and a month of one of them.
@MainActor
struct TeamsFeatureTests {
  private typealias Feature = TeamsFeature

  private let team = Team(id: UUID(number: 1), name: "Crew")
  private let month = CalendarMonth(containing: .june)
  private let shift = PublishedShift(
    id: "s", teamID: UUID(number: 1), shiftID: UUID(number: 2), publisherID: UUID(number: 3),
    date: .june, duration: .standard, symbol: "S", title: "Shift", color: .blue, place: "",
    workerID: UUID(number: 3), workerName: "ann")

  /// Creates a store over values that a test sends.
  private func makeStore(
    _ perform: @escaping @Sendable (TeamCommand, Bool) async throws -> Void = { _, _ in }
  ) -> (
    store: TestStore<Feature.State, Feature.Action>,
    teams: AsyncThrowingStream<TeamList, any Error>.Continuation,
    board: AsyncThrowingStream<TeamBoard, any Error>.Continuation
  ) {
    let (lists, teams) = AsyncThrowingStream.makeStream(of: TeamList.self)
    let (boards, board) = AsyncThrowingStream.makeStream(of: TeamBoard.self)
    let store = TestStore(initialState: Feature.State(month: month)) {
      TeamsFeature()
    } withDependencies: {
      $0.teams = TeamsClient(
        observeTeams: { lists }, observeBoard: { _, _ in boards }, perform: perform)
    }
    return (store, teams, board)
  }

  @Test func `The teams and a month of one are followed, until the team has gone`() async {
    let (store, teams, boards) = makeStore()
    let (list, board) = (TeamList(teams: [team]), TeamBoard(shifts: [shift]))
    await store.send(.onAppear)
    teams.yield(list)
    await store.receive(.teamsUpdated(list)) { $0.list = list }
    await store.send(.show(team.id, month + 1)) {
      $0.teamID = team.id
      $0.month = month + 1
    }
    #expect(store.state.team == team)
    #expect(store.state.isScheduler)
    #expect(!store.state.isRead)
    boards.yield(board)
    await store.receive(.boardUpdated(board)) { $0.board = board }
    #expect(store.state.isRead)
    teams.yield(TeamList())
    await store.receive(.teamsUpdated(TeamList())) { $0.list = TeamList() }
    await store.receive(.show(nil, month + 1)) {
      $0.teamID = nil
      $0.board = nil
    }
    #expect(!store.state.isScheduler)
    teams.finish()
    await store.finish()
  }

  @Test(arguments: [(Role.owner, true), (.editor, false), (.viewer, false), (.left, false)])
  func `Only an owner is a scheduler, and an editor may write`(_ role: Role, _ isScheduler: Bool) {
    var state = Feature.State(month: month)
    state.list = TeamList(teams: [team], roles: [team.id: role])
    state.teamID = team.id
    #expect(state.isScheduler == isScheduler)
    #expect(state.mayWrite == (isScheduler || role == .editor))
  }

  @Test(arguments: [
    TeamCommand.approve(UUID(number: 5), taker: UUID(number: 6)),
    .assign("s", worker: UUID(number: 6)),
  ])
  func `A change with overlaps is proposed, and made when they are kept`(
    _ command: TeamCommand
  ) async {
    let shift = shift
    let (store, _, _) = makeStore { _, keepsOverlaps in
      if !keepsOverlaps { throw TeamOverlap(shifts: [shift]) }
    }
    let proposal = Feature.Proposal(command: command, overlaps: [shift])
    await store.send(.perform(command))
    await store.receive(.overlapsFound(proposal)) { $0.proposal = proposal }
    await store.send(.keepOverlaps) { $0.proposal = nil }
    await store.send(.keepOverlaps)
    await store.send(.perform(command))
    await store.receive(.overlapsFound(proposal)) { $0.proposal = proposal }
    await store.finish()
  }

  @Test(arguments: [
    (AuthError.notSignedIn as any Error, AppError.auth(.notSignedIn)),
    (EntryProblem.missing(field: "name"), .validation(.missingRequiredFields)),
    (SyncError.conflict, .sync(.conflict)), (ContentError.notFound, .content(.notFound)),
  ])
  func `A failure is an error with a sentence in both languages`(
    _ failure: any Error, _ error: AppError
  ) async {
    let (store, _, _) = makeStore { _, _ in throw failure }
    await store.send(.perform(.save(team)))
    await store.receive(.failed(error)) { $0.error = error }
    let message = error.localizedMessage
    #expect(message.in(.english) != message.in(.russian))
    await store.finish()
  }

  @Test func `A failure to read is an error`() async {
    let (store, teams, boards) = makeStore()
    await store.send(.onAppear)
    teams.finish(throwing: AppError.database(.readFailed))
    await store.receive(.failed(.database(.readFailed))) { $0.error = .database(.readFailed) }
    await store.send(.show(team.id, month)) { $0.teamID = team.id }
    boards.finish(throwing: AppError.database(.full))
    await store.receive(.failed(.database(.full))) { $0.error = .database(.full) }
    await store.finish()
  }
}
