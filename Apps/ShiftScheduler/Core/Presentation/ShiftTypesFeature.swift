public import Foundation
public import OffshorePresentation

/// The list of shift types, which changes at once and is saved afterwards.
public struct ShiftTypesFeature: Reducer {
  public struct State: Equatable, Sendable {
    public var shiftTypes: [ShiftType]
    public var isLoading = false
    /// The error of the latest load or save that has failed.
    public var error: AppError?

    public init(shiftTypes: [ShiftType] = []) { self.shiftTypes = shiftTypes }
  }

  public enum Action: Equatable, Sendable {
    /// Loads the shift types once.
    case onAppear
    /// Loads the shift types again.
    case loadShiftTypes
    case shiftTypesLoaded(Result<[ShiftType], AppError>)
    /// Follows the stored shift types, until the store is released.
    case startObservingShiftTypes
    case shiftTypesUpdated([ShiftType])
    /// Replaces the shift type with the same id, or appends it.
    case saveShiftType(ShiftType)
    case addShiftType(ShiftType)
    /// Removes a shift type from the list, without a look at its shifts; see ``AppFeature``.
    case deleteShiftType(id: ShiftType.ID)
    case saveFailed(FailedSave<ShiftType>)
  }

  private let effects = ListEffects(
    {
      let client = DependencyValues.current.persistence
      return ListStorage(
        load: client.loadShiftTypes, saveAll: client.saveShiftTypes, save: client.saveShiftType,
        delete: client.deleteShiftType, observe: client.observeShiftTypes)
    }, loaded: Action.shiftTypesLoaded, updated: Action.shiftTypesUpdated, failed: Action.saveFailed
  )

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear, .loadShiftTypes: return effects.loading(&state)
    case .shiftTypesLoaded(let result): state.receive(result)
    case .startObservingShiftTypes: return effects.observing()
    case .shiftTypesUpdated(let shiftTypes): state.shiftTypes = shiftTypes
    case .saveShiftType(let shiftType), .addShiftType(let shiftType):
      return effects.saving(shiftType, in: &state)
    case .deleteShiftType(let id): return effects.deleting(id, in: &state)
    case .saveFailed(let save): if state.restore(save) { return effects.reloading() }
    }
    return .none
  }
}

extension ShiftTypesFeature.State: ListState {
  public var elements: [ShiftType] {
    get { shiftTypes }
    set { shiftTypes = newValue }
  }
}
