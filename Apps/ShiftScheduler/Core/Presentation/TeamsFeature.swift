public import Foundation
public import OffshoreCalendar
public import OffshorePresentation
package import OffshoreWire

/// The teams of the user, and the published shifts and swaps of one of them in a month.
///
/// A change by which a member would work several shifts at the same time is made when the user keeps the overlap.
public struct TeamsFeature: Reducer {
  public struct State: Equatable, Sendable {
    /// The teams; `nil` until they are read.
    package internal(set) var list: TeamList?
    /// The team that is shown.
    package internal(set) var teamID: Team.ID?
    package internal(set) var month: CalendarMonth
    /// The shifts of the team; `nil` until they are read.
    package internal(set) var board: TeamBoard?
    /// A change that is not made because of overlaps.
    package internal(set) var proposal: Proposal?
    package internal(set) var error: AppError?

    package init(month: CalendarMonth) { self.month = month }

    package var team: Team? { list?.teams.first { $0.id == teamID } }

    /// The role of the user in the shown team; `nil` if the server does not have the team yet.
    package var role: Role? { teamID.flatMap { list?.roles[$0] } }

    /// Whether the user may offer shifts, and answer offers.
    package var mayWrite: Bool { role?.canWrite ?? true }

    /// Whether the user may publish shifts to the team, and decide about swaps.
    package var isScheduler: Bool { team.map { list?.roles[$0.id] ?? .owner } == .owner }

    /// Whether the teams, and the shifts of the one that is shown, are read, or cannot be.
    package var isRead: Bool { error != nil || list != nil && (team == nil || board != nil) }
  }

  /// A change, and the shifts that a member works at the same time already.
  public struct Proposal: Equatable, Sendable {
    package let command: TeamCommand
    package let overlaps: [PublishedShift]
  }

  public enum Action: Equatable, Sendable {
    /// Follows the teams, until the store is released.
    case onAppear
    case teamsUpdated(TeamList)
    /// Shows a month of a team, and follows it; `nil` shows none.
    case show(Team.ID?, CalendarMonth)
    case boardUpdated(TeamBoard)
    case perform(TeamCommand)
    case overlapsFound(Proposal)
    case keepOverlaps
    case failed(AppError)
  }

  private enum ID: Hashable { case teams, board, storage }

  package init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear: return observe(.teams, { try $0.observeTeams() }, Action.teamsUpdated)
    case .teamsUpdated(let list):
      state.list = list
      if state.team == nil, state.teamID != nil { return .send(.show(nil, state.month)) }
    case .show(let team, let month):
      (state.teamID, state.month, state.board) = (team, month, nil)
      guard let team else { return .cancel(id: ID.board) }
      return observe(.board, { try $0.observeBoard(team, month) }, Action.boardUpdated)
    case .boardUpdated(let board): state.board = board
    case .perform(let command):
      (state.proposal, state.error) = (nil, nil)
      return perform(command, keepsOverlaps: false)
    case .overlapsFound(let proposal): state.proposal = proposal
    case .keepOverlaps:
      guard let proposal = state.proposal else { return .none }
      state.proposal = nil
      return perform(proposal.command, keepsOverlaps: true)
    case .failed(let error): state.error = error
    }
    return .none
  }

  private func observe<Value: Sendable>(
    _ id: ID, _ values: @escaping @Sendable (TeamsClient) throws -> TeamsClient.Values<Value>,
    _ update: @escaping @Sendable (Value) -> Action
  ) -> Effect<Action> {
    .run { send in
      let values = try values(DependencyValues.current.teams)
      for try await value in values { await send(update(value)) }
    } failure: { error in
      .failed(error)
    }
    .cancellable(id: id, cancelInFlight: true)
  }

  private func perform(_ command: TeamCommand, keepsOverlaps: Bool) -> Effect<Action> {
    .run { send in
      do {
        try await DependencyValues.current.teams.perform(command, keepsOverlaps)
      } catch let overlap as TeamOverlap {
        await send(.overlapsFound(Proposal(command: command, overlaps: overlap.shifts)))
      } catch {
        await send(.failed(AppError(saving: error)))
      }
    }
    .queued(id: ID.storage)
  }
}
