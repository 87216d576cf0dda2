public import Foundation
public import Observation
public import OffshorePresentation

/// The library: checklists, guides, and decks of flashcards.
@MainActor @Observable
public final class LibraryViewModel {
  /// The part that shows.
  public var part: LibraryPart
  /// Why what was deleted could not be put back, where it could not.
  public private(set) var undoError: AppError?

  private let store: LibraryStore

  /// Takes the store. Nothing is read before ``load()``.
  public init(store: LibraryStore, part: LibraryPart = .checklists) {
    self.store = store
    self.part = part
  }

  /// The checklists by their titles.
  public var checklists: ViewState<[Checklist]> { store.checklists }

  /// The practice guides by their titles.
  public var guides: ViewState<[PracticeGuide]> { store.guides }

  /// The decks of flashcards by their titles.
  public var decks: ViewState<[FlashcardDeck]> { store.decks }

  /// How many entries a part has, once that is known.
  public func count(_ part: LibraryPart) -> Int? {
    switch part {
    case .checklists: count(checklists)
    case .guides: count(guides)
    case .decks: count(decks)
    }
  }

  private func count<Entry>(_ state: ViewState<[Entry]>) -> Int? {
    state.isEmpty ? 0 : state.data?.count
  }

  /// What is left out of the part that shows because it cannot be read, and why the rest may be out
  /// of date.
  public var notices: [AppError] { store.notices(part) }

  /// What was deleted last from the part that shows, and can be put back.
  public var removed: RemovedEntry? { store.removals.last { $0.part == part } }

  /// Reads what is not there yet or may be out of date, and follows all of it.
  public func load() async {
    async let checklists: Void = load(store.checklists, .checklists) { await $0.loadChecklists() }
    async let guides: Void = load(store.guides, .guides) { await $0.loadGuides() }
    async let decks: Void = load(store.decks, .decks) { await $0.loadDecks() }
    _ = await (checklists, guides, decks)
  }

  private func load<Entry>(
    _ state: ViewState<Entry>, _ part: LibraryPart, _ load: (LibraryStore) async -> Void
  ) async {
    if !state.isKnown || store.notices(part).contains(where: \.isRetryable) { await load(store) }
  }

  /// Puts back what was deleted.
  /// - Returns: whether it is there; if not, ``undoError`` says why.
  @discardableResult
  public func undoDeletion(of id: UUID) async -> Bool {
    do {
      try await store.restoreEntry(id, in: part)
      undoError = nil
      return true
    } catch {
      undoError = AppError(saving: error)
      return false
    }
  }

  /// Offers no more to put something back.
  public func dismissUndo(of id: UUID) { store.removals.dismiss { $0.id == id } }
}
