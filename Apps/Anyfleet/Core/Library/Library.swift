public import Foundation
public import OffshorePresentation

/// The kinds of entries in the library, and the path of their pages.
///
/// To add a kind, list it here, create its table in ``AppMigrations``, and add a view of its
/// content.
package enum Library: EntityGroup {
  package static let path = "library"
  package static let kinds: [any Entity.Type] = [
    Checklist.self, PracticeGuide.self, FlashcardDeck.self,
  ]
}

/// The user's stored library. Every method throws ``RepositoryError``.
public protocol LibraryRepository: CharterChecklistRepository, StudyRepository {
  /// The repository of the entries of all kinds.
  var entities: EntityRepository { get }
}

/// The library, shared by all screens.
public final class LibraryStore: EntityStore {
  let repository: any LibraryRepository

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - repository: stores the library.
  ///   - now: returns the current date.
  ///   - makeID: returns the id of a new entry.
  public init(
    repository: any LibraryRepository, now: @escaping @MainActor () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.repository = repository
    super.init(repository.entities, now: now, makeID: makeID)
  }
}
