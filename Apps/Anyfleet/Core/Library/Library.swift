public import Foundation
public import OffshorePresentation

/// The kinds of entries of the library, and the path of their pages.
///
/// A further kind is added here, in ``AppMigrations``, and by a view of its content.
public enum Library: EntityGroup {
  public static let path = "library"
  public static let kinds: [any Entity.Type] = [
    Checklist.self, PracticeGuide.self, FlashcardDeck.self,
  ]
}

/// Stores the user's library. Every call throws ``RepositoryError``.
public protocol LibraryRepository: CharterChecklistRepository, StudyRepository {
  /// Stores the entries of all kinds.
  var entities: EntityRepository { get }
}

extension LocalRepository: LibraryRepository {
  public var entities: EntityRepository { EntityRepository(file, now: now) }
}

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
