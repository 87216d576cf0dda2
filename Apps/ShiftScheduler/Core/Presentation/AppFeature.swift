import Foundation
public import OffshoreCalendar
public import OffshorePresentation

/// The features of the app, of which those that show the same records agree.
public struct AppFeature: ComposedReducer {
  public struct State: Equatable, Sendable {
    public var locations = LocationsFeature.State()
    public var shiftTypes = ShiftTypesFeature.State()
    public var schedule: ScheduleFeature.State
    public var changeLog = ChangeLogFeature.State()
    public var settings = SettingsFeature.State()
    package internal(set) var teams: TeamsFeature.State
    /// A removal that awaits a choice for the records that use the removed one.
    package internal(set) var removal: Removal?

    /// Creates the state of an app that shows the month of a day.
    public init(day: CalendarDay, firstWeekday: Weekday = .monday) {
      schedule = ScheduleFeature.State(day: day, firstWeekday: firstWeekday)
      teams = TeamsFeature.State(month: CalendarMonth(containing: day))
    }
  }

  /// A record that is in use.
  public struct Removal: Equatable, Sendable {
    package let record: UsedRecord
    /// The number of records that use it.
    package let users: Int
  }

  public enum Action: Equatable, Sendable {
    case locations(LocationsFeature.Action)
    case shiftTypes(ShiftTypesFeature.Action)
    case schedule(ScheduleFeature.Action)
    case changeLog(ChangeLogFeature.Action)
    case settings(SettingsFeature.Action)
    case teams(TeamsFeature.Action)
    /// Removes a record, and asks for a choice if it is in use.
    case remove(UsedRecord, Replacement?)
    case removalNeedsChoice(Removal)
    case removalFailed(AppError)
  }

  // NB: The features have state of their own beside that of the store, so each exists once.
  private let locations = LocationsFeature()
  private let shiftTypes = ShiftTypesFeature()

  public init() {}

  public var body: some Reducer<State, Action> {
    Scope(state: \.locations, embed: Action.locations) { locations }
    Scope(state: \.shiftTypes, embed: Action.shiftTypes) { shiftTypes }
    Scope(state: \.schedule, embed: Action.schedule) { ScheduleFeature() }
    Scope(state: \.changeLog, embed: Action.changeLog) { ChangeLogFeature() }
    Scope(state: \.settings, embed: Action.settings) { SettingsFeature() }
    Scope(state: \.teams, embed: Action.teams) { TeamsFeature() }
    Reduce { state, action in
      state.schedule.shiftTypes = state.shiftTypes.shiftTypes
      state.schedule.locations = state.locations.locations
      return self.handle(action, &state)
    }
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    // A record in use cannot be removed without a choice, whichever feature is asked.
    switch action {
    case .locations(.deleteLocation(let id)): .send(.remove(.location(id), nil))
    case .shiftTypes(.deleteShiftType(let id)): .send(.remove(.shiftType(id), nil))
    default: body.reduce(into: &state, action: action)
    }
  }

  private func handle(_ action: Action, _ state: inout State) -> Effect<Action> {
    switch action {
    case .settings(.settingsLoaded(.success(let settings))):
      guard let weekday = settings.firstWeekday, weekday != state.schedule.firstWeekday else {
        return .none
      }
      return .send(.schedule(.setFirstWeekday(weekday)))
    case .remove(let record, let choice):
      state.removal = nil
      return remove(record, choice)
    case .removalNeedsChoice(let removal): state.removal = removal
    case .removalFailed(let error): state.locations.error = error
    default: break
    }
    return .none
  }

  // MARK: - Removals

  /// Makes the edits of a removal in one commit, or asks for a choice. A missing record has none.
  private func remove(_ record: UsedRecord, _ choice: Replacement?) -> Effect<Action> {
    .run { send in
      let persistence = DependencyValues.current.persistence
      let removal = try await Self.removal(of: record, choice, persistence)
      guard let removal else { return }
      guard let edits = removal.edits else {
        return await send(.removalNeedsChoice(Removal(record: record, users: removal.users)))
      }
      try await persistence.apply(edits)
      await send(.locations(.locationsUpdated(try await persistence.loadLocations())))
      await send(.shiftTypes(.shiftTypesUpdated(try await persistence.loadShiftTypes())))
    } failure: { error in
      .removalFailed(AppError(saving: error))
    }
  }

  private static func removal(
    of record: UsedRecord, _ choice: Replacement?, _ persistence: PersistenceClient
  ) async throws -> (users: Int, edits: [ScheduleEdit]?)? {
    let types = try await persistence.loadShiftTypes()
    switch record {
    case .location(let id):
      let location = try await persistence.loadLocations().first { $0.id == id }
      return location.map { ($0.uses(in: types).count, $0.removal(from: types, choice)) }
    case .shiftType(let id):
      let shifts = try await persistence.loadShifts()
      return types.first { $0.id == id }
        .map { ($0.uses(in: shifts).count, $0.removal(from: shifts, choice)) }
    }
  }
}
