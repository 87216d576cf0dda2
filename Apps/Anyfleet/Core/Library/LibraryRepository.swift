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
