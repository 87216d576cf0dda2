package import Foundation
import Offshore
import OffshoreCalendar
import OffshoreFiles
package import OffshoreSync

extension ScopeID {
  /// Returns the scope of a team, such as for the model of its members.
  package static func team(_ id: Team.ID) throws -> ScopeID {
    try ScopeID(kind: ShiftSchema.teamKind, value: id.uuidString)
  }
}

/// The teams of a user.
public struct TeamList: Equatable, Sendable {
  /// The teams by name.
  package var teams: [Team] = []
  /// The roles of the user; a team that the server does not have yet has none, and is the user's.
  package var roles: [Team.ID: Role] = [:]
  /// The teams to which own shifts are published, by the ids of the shifts.
  package var published: [ScheduledShift.ID: Set<Team.ID>] = [:]
}

extension TeamList {
  init(_ store: SyncedStore, _ reader: Reader) throws {
    let userID = try SyncedStore.userID(reader)
    teams = try Team.order {
      $0.name
      $0.id
    }.all(reader)
    let scopes = try store.roles(inScopesOf: ShiftSchema.teamKind, reader)
    for team in teams { roles[team.id] = try scopes[.team(team.id)] }
    for shift in try PublishedShift.where({ $0.publisherID == userID }).all(reader) {
      published[shift.shiftID, default: []].insert(shift.teamID)
    }
  }
}

/// The shifts of a team in a month.
public struct TeamBoard: Equatable, Sendable {
  /// The names of the members.
  package var members: [UUID: String] = [:]
  /// The published shifts by day.
  package var shifts: [PublishedShift] = []
  package var swaps: [Swap] = []
  /// The shifts whose own shift was changed or deleted after the user has published it.
  package var outdated: Set<PublishedShift.ID> = []

  package init(shifts: [PublishedShift] = []) { self.shifts = shifts }
}

extension TeamBoard {
  init(
    of team: Team.ID, in days: ClosedRange<CalendarDay>, _ store: SyncedStore, _ reader: Reader
  ) throws {
    members = try Self.members(of: team, store, reader)
    shifts = try PublishedShift.rows(of: team, in: days).order {
      $0.date
      $0.id
    }.all(reader)
    swaps = try shifts.flatMap { try Swap.all(of: $0, reader) }
    let userID = try SyncedStore.userID(reader)
    let own = shifts.filter { $0.publisherID == userID }
    outdated = Set(try own.filter { try $0.isOutdated(reader) }.map(\.id))
  }

  static func members(
    of team: Team.ID, _ store: SyncedStore, _ reader: Reader
  ) throws -> [UUID: String] {
    // A team that the server does not have yet has no rows of members.
    let own = try SyncedStore.account(reader).map { [$0.id: $0.name] } ?? [:]
    return try store.members(of: .team(team), reader).reduce(into: own) { $0[$1.id] = $1.name }
  }
}

extension Swap {
  /// Returns the swaps of a shift, the one that was offered first before others.
  static func all(of shift: PublishedShift, _ reader: Reader) throws -> [Swap] {
    try SwapOffer.where { $0.publishedID == shift.id }.order {
      $0.date
      $0.id
    }.all(reader).map { offer in
      Swap(
        offer: offer, shift: shift,
        answers: try SwapAnswer.where { $0.offerID == offer.id }.all(reader),
        decisions: try SwapDecision.where { $0.offerID == offer.id }.all(reader))
    }
  }
}

extension PublishedShift {
  /// Returns whether the publisher's own shift has other values, or none any more.
  fileprivate func isOutdated(_ reader: Reader) throws -> Bool {
    let own = try ElementRow<ScheduledShift>.find(shiftID).first(reader)?.element
    guard let own, own.status != .cancelled,
      var new = try PublishedShift(own, in: teamID, by: publisherID, reader)
    else { return true }
    (new.workerID, new.workerName) = (workerID, workerName)
    return new != self
  }
}
