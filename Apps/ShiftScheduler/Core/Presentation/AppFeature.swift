public import Foundation
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
  public enum Removal: Equatable, Sendable {
    case location(Location.ID, users: [ShiftType])
    /// - Parameter users: The number of shifts.
    case shiftType(ShiftType.ID, users: Int)
  }

  public enum Action: Equatable, Sendable {
    case locations(LocationsFeature.Action)
    case shiftTypes(ShiftTypesFeature.Action)
    case schedule(ScheduleFeature.Action)
    case changeLog(ChangeLogFeature.Action)
    case settings(SettingsFeature.Action)
    case teams(TeamsFeature.Action)
    /// Removes a location, and asks for a choice if it is in use.
    case removeLocation(Location.ID, Replacement?)
    case removeShiftType(ShiftType.ID, Replacement?)
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
    case .locations(.deleteLocation(let id)): .send(.removeLocation(id, nil))
    case .shiftTypes(.deleteShiftType(let id)): .send(.removeShiftType(id, nil))
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
    case .removeLocation(let id, let choice):
      state.removal = nil
      return removeLocation(id, choice, state)
    case .removeShiftType(let id, let choice):
      state.removal = nil
      return removeShiftType(id, choice, state)
    case .removalNeedsChoice(let removal): state.removal = removal
    case .removalFailed(let error): state.locations.error = error
    default: break
    }
    return .none
  }

  // MARK: - Removals

  private func removeLocation(
    _ id: Location.ID, _ choice: Replacement?, _ state: State
  ) -> Effect<Action> {
    guard let location = state.locations.locations.first(where: { $0.id == id }) else {
      return .none
    }
    return remove { persistence in
      let types = try await persistence.loadShiftTypes()
      if let edits = location.removal(from: types, choice) { return .success(edits) }
      return .failure(.location(id, users: location.uses(in: types)))
    }
  }

  private func removeShiftType(
    _ id: ShiftType.ID, _ choice: Replacement?, _ state: State
  ) -> Effect<Action> {
    guard let type = state.shiftTypes.shiftTypes.first(where: { $0.id == id }) else {
      return .none
    }
    return remove { persistence in
      let shifts = try await persistence.loadShifts()
      if let edits = type.removal(from: shifts, choice) { return .success(edits) }
      return .failure(.shiftType(id, users: type.uses(in: shifts).count))
    }
  }

  /// Makes the edits of a removal in one commit, or asks for a choice.
  private func remove(
    _ find: @escaping @Sendable (PersistenceClient) async throws -> Result<[ScheduleEdit], Removal>
  ) -> Effect<Action> {
    .run { send in
      let persistence = DependencyValues.current.persistence
      switch try await find(persistence) {
      case .success(let edits):
        try await persistence.apply(edits)
        await send(.locations(.locationsUpdated(try await persistence.loadLocations())))
        await send(.shiftTypes(.shiftTypesUpdated(try await persistence.loadShiftTypes())))
      case .failure(let removal): await send(.removalNeedsChoice(removal))
      }
    } failure: { error in
      .removalFailed(AppError(saving: error))
    }
  }
}

extension AppFeature.Removal: Error {}
