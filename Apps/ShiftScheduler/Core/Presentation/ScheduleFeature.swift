public import Foundation
public import OffshoreCalendar
import OffshoreFiles
public import OffshorePresentation

/// The calendar of shifts: a month, a week or a day, and a search.
///
/// A change whose shifts overlap others is proposed first, and made when the user keeps the overlaps. Changes are
/// shown at once, and made in their order.
public struct ScheduleFeature: Reducer {
  /// The extent of the calendar that is shown.
  public typealias Mode = CalendarExtent

  public struct State: Equatable, Sendable {
    /// A day in the month or week that is shown.
    package internal(set) var day: CalendarDay
    package internal(set) var mode: Mode
    package var firstWeekday: Weekday
    /// The shifts that start on the days that are shown, or next to them.
    package internal(set) var shifts: [ScheduledShift] = []
    /// The types and locations, which the feature above this one provides.
    public var shiftTypes: [ShiftType]
    package var locations: [Location]
    /// A change that overlaps other shifts, and is not made yet.
    package internal(set) var proposal: Proposal?
    package internal(set) var search = ScheduleSearch()
    package internal(set) var found: [ScheduledShift] = []
    package internal(set) var isLoading = false
    package internal(set) var isObserving = false
    public internal(set) var error: AppError?

    package init(
      day: CalendarDay, mode: Mode = .month, firstWeekday: Weekday = .monday,
      shiftTypes: [ShiftType] = [], locations: [Location] = []
    ) {
      (self.day, self.mode, self.firstWeekday) = (day, mode, firstWeekday)
      (self.shiftTypes, self.locations) = (shiftTypes, locations)
    }
  }

  /// A change that awaits a choice of the user.
  public struct Proposal: Equatable, Sendable {
    package let edits: [ScheduleEdit]
    /// The pairs of which at least one shift is changed.
    package let overlaps: [ShiftOverlap]
  }

  public enum Action: Equatable, Sendable {
    case onAppear
    /// Follows the stored shifts, until the store is released.
    case startObservingShifts
    case show(CalendarDay, Mode)
    case setFirstWeekday(Weekday)
    case shiftsLoaded(ClosedRange<CalendarDay>, Result<[ScheduledShift], AppError>)
    case shiftsUpdated(ClosedRange<CalendarDay>, [ScheduledShift])
    case addShift(ScheduledShift)
    case updateShift(ScheduledShift)
    case deleteShift(ScheduledShift.ID)
    case moveShift(ScheduledShift.ID, to: CalendarDay)
    case copyShift(ScheduledShift.ID, to: [CalendarDay])
    case repeatPattern(ShiftPattern, on: ClosedRange<CalendarDay>)
    /// Makes edits, with a proposal if they lead to overlaps.
    case propose([ScheduleEdit])
    case checked([ScheduleEdit], [ShiftOverlap])
    case keepOverlaps
    case discardProposal
    case saveFailed([ScheduleEdit], AppError)
    case searchChanged(ScheduleSearch)
    case found(Result<[ScheduledShift], AppError>)
    case dismissError
  }

  private enum ID: Hashable { case load, observation, storage, search }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear: return load(&state)
    case .startObservingShifts:
      state.isObserving = true
      return observe(state)
    case .show(let day, let mode):
      let former = state.loadedDays
      (state.day, state.mode) = (day, mode)
      return reload(&state, unless: former)
    case .setFirstWeekday(let weekday):
      let former = state.loadedDays
      state.firstWeekday = weekday
      return reload(&state, unless: former)
    case .shiftsLoaded(let days, let result): state.receive(result, of: days)
    case .shiftsUpdated(let days, let shifts): if days == state.loadedDays { state.shifts = shifts }
    case .searchChanged(let search): return self.search(search, &state)
    case .found(.success(let shifts)): state.found = shifts
    case .found(.failure(let error)): state.error = error
    case .dismissError: state.error = nil
    default: return change(&state, action)
    }
    return .none
  }

  // MARK: - Changes

  private func change(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .propose(let edits): return check(edits, state)
    case .checked(let edits, let overlaps):
      guard overlaps.isEmpty else {
        state.proposal = Proposal(edits: edits, overlaps: overlaps)
        return .none
      }
      return commit(edits, &state)
    case .keepOverlaps:
      guard let proposal = state.proposal else { return .none }
      state.proposal = nil
      return commit(proposal.edits, &state)
    case .discardProposal: state.proposal = nil
    case .saveFailed(let edits, let error):
      state.make(edits.reversed().map(\.inverse))
      state.error = error
    case .deleteShift(let id):
      guard let shift = state.shift(id) else { return .none }
      return commit([.shift(before: shift, after: nil)], &state)
    default: return check(ShiftEditor(state: state).edits(for: action), state)
    }
    return .none
  }

  /// Checks the overlaps of a change before it is made.
  private func check(_ edits: [ScheduleEdit], _ state: State) -> Effect<Action> {
    let changed = edits.compactMap { ScheduledShift.values(of: $0)?.after }
    guard let first = changed.map(\.date).min(), let last = changed.map(\.date).max() else {
      return edits.isEmpty ? .none : .send(.checked(edits, []))
    }
    let times = ShiftTimes(state.shiftTypes, in: DependencyValues.current.calendar)
    let ids = Set(changed.map(\.id))
    let days = (first...last).withNeighbors
    return .run { send in
      var shifts = try await DependencyValues.current.persistence.loadShifts(in: days)
      shifts.make(edits) { days.contains($0.date) }
      let overlaps = times.overlaps(among: shifts)
        .filter { ids.contains($0.first.id) || ids.contains($0.second.id) }
      await send(.checked(edits, overlaps))
    } failure: { error in
      .saveFailed([], error)
    }
  }

  private func commit(_ edits: [ScheduleEdit], _ state: inout State) -> Effect<Action> {
    state.make(edits)
    return .run { _ in
      try await DependencyValues.current.persistence.apply(edits)
    } failure: { error in
      .saveFailed(edits, AppError(saving: error))
    }
    .queued(id: ID.storage)
  }

  // MARK: - Loading

  private func reload(
    _ state: inout State, unless former: ClosedRange<CalendarDay>
  ) -> Effect<Action> {
    guard state.loadedDays != former else { return .none }
    return state.isObserving ? .merge(load(&state), observe(state)) : load(&state)
  }

  private func load(_ state: inout State) -> Effect<Action> {
    state.isLoading = true
    let days = state.loadedDays
    return .run { send in
      let shifts = try await DependencyValues.current.persistence.loadShifts(in: days)
      await send(.shiftsLoaded(days, .success(shifts)))
    } failure: { error in
      .shiftsLoaded(days, .failure(error))
    }
    .cancellable(id: ID.load, cancelInFlight: true)
    .queued(id: ID.storage)
  }

  private func observe(_ state: State) -> Effect<Action> {
    let days = state.loadedDays
    return .run { send in
      for await shifts in DependencyValues.current.persistence.observeShiftsIn(days) {
        await send(.shiftsUpdated(days, shifts))
      }
    }
    .cancellable(id: ID.observation, cancelInFlight: true)
  }

  private func search(_ search: ScheduleSearch, _ state: inout State) -> Effect<Action> {
    state.search = search
    guard !search.isEmpty else {
      state.found = []
      return .cancel(id: ID.search)
    }
    let (types, locations) = (state.shiftTypes, state.locations)
    return .run { send in
      let persistence = DependencyValues.current.persistence
      let shifts =
        if let days = search.days { try await persistence.loadShifts(in: days) } else {
          try await persistence.loadShifts()
        }
      await send(.found(.success(search.results(among: shifts, types, locations))))
    } failure: { error in
      .found(.failure(error))
    }
    .cancellable(id: ID.search, cancelInFlight: true)
  }
}
