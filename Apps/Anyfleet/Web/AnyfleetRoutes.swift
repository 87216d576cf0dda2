public import Anyfleet
public import OffshoreHTTP
public import OffshoreWeb

extension Router {
  /// Adds the pages of Anyfleet.
  ///
  /// Each tab has view models of its own, which go with it; stores and repositories are those of the
  /// dependencies and outlive all tabs.
  public mutating func addAnyfleet(_ dependencies: AppDependencies, tabs: TabRegistry) {
    let pages = AnyfleetPages(dependencies: dependencies, tabs: tabs)
    addCharters(pages)
    addRun(pages)
    addLibrary(pages)
    addAccount(pages)
    addCrew(pages)
  }
}

/// Answers for the pages of Anyfleet.
struct AnyfleetPages: Sendable {
  /// How many bytes a form may have: far more than its fields hold.
  static let formLimit = 16 * 1024

  let dependencies: AppDependencies
  let tabs: TabRegistry
}
