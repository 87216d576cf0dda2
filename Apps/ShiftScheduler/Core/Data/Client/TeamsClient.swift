import Offshore
package import OffshoreCalendar
package import OffshorePresentation
import OffshoreSync

/// The teams of the user, as features use them.
package struct TeamsClient: Sendable {
  package typealias Values<Value> = any AsyncSequence<Value, any Error>

  package var observeTeams: @Sendable () throws -> Values<TeamList>
  package var observeBoard: @Sendable (Team.ID, CalendarMonth) throws -> Values<TeamBoard>
  /// Makes a change, and keeps overlaps on request; throws ``TeamOverlap`` otherwise.
  package var perform: @Sendable (TeamCommand, _ keepsOverlaps: Bool) async throws -> Void
}

extension TeamsClient {
  /// Creates the client of a database, which is opened when it is first used.
  package init(_ database: @escaping @Sendable () throws -> ShiftDatabase) {
    self.init(
      observeTeams: {
        let store = try database().store
        return store.values { try TeamList(store, $0) }
      },
      observeBoard: { team, month in
        let store = try database().store
        return store.values { try TeamBoard(of: team, in: month.days, store, $0) }
      },
      perform: { command, keepsOverlaps in
        let store = try database().store
        let calendar = DependencyValues.current.calendar
        try await store.write { writer in
          try TeamWriter(writer, store, calendar, keepsOverlaps: keepsOverlaps).perform(command)
        }
      })
  }
}

private enum TeamsKey: DependencyKey {
  static let liveValue = TeamsClient(ScheduleStorage().database)
  static let previewValue = TeamsClient { try .makeEmpty() }
}

extension DependencyValues {
  /// The teams of the user.
  package var teams: TeamsClient {
    get { self[TeamsKey.self] }
    set { self[TeamsKey.self] = newValue }
  }
}
