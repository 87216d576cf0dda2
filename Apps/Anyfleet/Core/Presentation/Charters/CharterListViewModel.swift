public import Observation
public import OffshorePresentation

/// The list of charters, all or those of a phase.
@MainActor @Observable
public final class CharterListViewModel {
  /// The phase whose charters show, or `nil` for all.
  public var filter: CharterPhase?

  private let store: CharterStore

  /// Takes the store. Nothing is read before ``load()``.
  public init(store: CharterStore) { self.store = store }

  /// The charters that show: those to come by their start, past ones newest first, and where all
  /// show, those in progress, those to come, and past ones in this order.
  public var charters: ViewState<[CharterModel]> {
    guard !store.charters.isEmpty else { return store.charterState }
    let shown =
      switch filter {
      case nil: store.inProgressCharters + store.upcomingCharters + store.pastCharters
      case .inProgress: store.inProgressCharters
      case .upcoming: store.upcomingCharters
      case .past: store.pastCharters
      }
    return ViewState(shown)
  }

  /// Where a charter lies in time, today.
  public func phase(of charter: CharterModel) -> CharterPhase { store.phase(of: charter) }

  /// Which charters are left out because they cannot be read, and why the rest may be out of date.
  public var notices: [AppError] { store.unreadable + [store.refreshError].compactMap(\.self) }

  /// Reads the charters, unless they are there already, and follows them.
  public func load() async {
    if !store.charterState.isKnown { await store.loadCharters() }
  }

  /// Reads the charters again.
  public func refresh() async { await store.loadCharters() }
}
