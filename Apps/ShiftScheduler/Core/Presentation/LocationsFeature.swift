public import Foundation
public import OffshorePresentation

/// The list of locations, which changes at once and is saved afterwards.
public struct LocationsFeature: Reducer {
  public struct State: Equatable, Sendable {
    public var locations: [Location]
    public var isLoading = false
    /// The error of the latest load or save that has failed.
    public var error: AppError?

    public init(locations: [Location] = []) { self.locations = locations }
  }

  public enum Action: Equatable, Sendable {
    /// Loads the locations once.
    case onAppear
    case locationsLoaded(Result<[Location], AppError>)
    /// Follows the stored locations, until the store is released.
    case startObservingLocations
    case locationsUpdated([Location])
    case addLocation(Location)
    case updateLocation(Location)
    /// Removes a location from the list, without a look at its shift types; see ``AppFeature``.
    case deleteLocation(Location.ID)
    case saveFailed(FailedSave<Location>)
  }

  private let effects = ListEffects(
    {
      let client = DependencyValues.current.persistence
      return ListStorage(
        load: client.loadLocations, saveAll: client.saveLocations, save: client.saveLocation,
        delete: client.deleteLocation, observe: client.observeLocations)
    }, loaded: Action.locationsLoaded, updated: Action.locationsUpdated, failed: Action.saveFailed)

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear: return effects.loading(&state)
    case .locationsLoaded(let result): state.receive(result)
    case .startObservingLocations: return effects.observing()
    case .locationsUpdated(let locations): state.locations = locations
    case .addLocation(let location): return effects.saving(location, in: &state)
    case .updateLocation(let location):
      guard state.locations.contains(where: { $0.id == location.id }) else { return .none }
      return effects.saving(location, in: &state)
    case .deleteLocation(let id): return effects.deleting(id, in: &state)
    case .saveFailed(let save): if state.restore(save) { return effects.reloading() }
    }
    return .none
  }
}

extension LocationsFeature.State: ListState {
  public var elements: [Location] {
    get { locations }
    set { locations = newValue }
  }
}
