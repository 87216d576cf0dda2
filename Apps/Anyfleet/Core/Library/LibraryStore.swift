public import Foundation
public import OffshorePresentation

/// The library, as all screens share it.
public final class LibraryStore: EntityStore {
  let repository: any LibraryRepository

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - repository: stores the library.
  ///   - now: the current date.
  ///   - makeID: makes the ids of new entries.
  public init(
    repository: any LibraryRepository, now: @escaping @MainActor () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.repository = repository
    super.init(repository.entities, now: now, makeID: makeID)
  }
}
