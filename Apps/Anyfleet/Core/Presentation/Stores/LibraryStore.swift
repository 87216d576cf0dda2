public import Foundation
public import Observation
import Offshore
public import OffshorePresentation

/// The library, as all screens share it.
@MainActor @Observable
public final class LibraryStore {
  /// What was deleted lately and can be put back by ``restoreEntry(_:in:)``.
  public let removals = RecentRemovals<RemovedEntry>()

  let repository: any LibraryRepository
  let liveChecklists: Live<ReadableRows<Checklist>>
  let liveGuides: Live<ReadableRows<PracticeGuide>>
  let liveDecks: Live<ReadableRows<FlashcardDeck>>
  private let now: @MainActor () -> Date
  private let makeID: @MainActor () -> UUID

  /// Takes what the store needs.
  ///
  /// - Parameters:
  ///   - repository: stores the library.
  ///   - now: the current date.
  ///   - makeID: makes the ids of what is new.
  public init(
    repository: any LibraryRepository, now: @escaping @MainActor () -> Date = { Date() },
    makeID: @escaping @MainActor () -> UUID = { UUID() }
  ) {
    self.repository = repository
    self.now = now
    self.makeID = makeID
    liveChecklists = Live { repository.checklists() }
    liveGuides = Live { repository.guides() }
    liveDecks = Live { repository.decks() }
  }

  // MARK: - What there is

  /// The checklists by their titles.
  public var checklists: ViewState<[Checklist]> { liveChecklists.state.flatMap(\.state) }

  /// The practice guides by their titles.
  public var guides: ViewState<[PracticeGuide]> { liveGuides.state.flatMap(\.state) }

  /// The decks of flashcards by their titles.
  public var decks: ViewState<[FlashcardDeck]> { liveDecks.state.flatMap(\.state) }

  /// Why checklists are left out, where some cannot be read.
  public var unreadableChecklists: [AppError] {
    liveChecklists.state.data?.unreadable.map(\.asAppError) ?? []
  }

  /// Why the checklists shown may be out of date, where they may.
  public var refreshError: AppError? { liveChecklists.refreshError }

  /// What is left out of a part because it cannot be read, and why the rest may be out of date.
  public func notices(_ part: LibraryPart) -> [AppError] {
    switch part {
    case .checklists: liveChecklists.notices()
    case .guides: liveGuides.notices()
    case .decks: liveDecks.notices()
    }
  }

  /// An id for something new.
  public func makeEntryID() -> UUID { makeID() }

  // MARK: - Checklists

  /// Reads the checklists from this device, and keeps following them.
  public func loadChecklists() async { await liveChecklists.load() }

  /// Ids of checklists in the order of the list; those that are not in it come last.
  func inOrder(_ ids: Set<UUID>) -> [UUID] {
    let known = (checklists.data ?? []).map(\.id).filter(ids.contains)
    return known + ids.subtracting(known).sorted { $0.uuidString < $1.uuidString }
  }

  /// One checklist.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  public func fetchChecklist(_ id: UUID) async throws -> Checklist {
    try found(await repository.fetchChecklist(id))
  }

  /// Stores a checklist, new or changed.
  /// - Throws: ``RepositoryError``.
  public func saveChecklist(_ checklist: Checklist) async throws {
    var checklist = checklist
    checklist.updatedAt = now()
    try await repository.saveChecklist(checklist)
    await catchUp(liveChecklists)
  }

  /// Removes a checklist. Progress on it stays until the charter goes.
  /// - Throws: ``RepositoryError``.
  public func deleteChecklist(_ id: UUID) async throws {
    // One that cannot be read is removed all the same.
    let title = try? await repository.fetchChecklist(id)?.title
    if let deleted = try await repository.deleteChecklist(id) {
      removals.add(RemovedEntry(title: title, part: .checklists, deleted: deleted))
    }
    await catchUp(liveChecklists)
  }

  /// Stores a copy of a checklist under a title that says so.
  ///
  /// - Parameters:
  ///   - creatorID: whose the copy is.
  ///   - language: the language of what is added to the title.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  @discardableResult
  public func duplicateChecklist(
    _ id: UUID, by creatorID: UUID, in language: Language
  ) async throws -> Checklist {
    let copy = copying(by: creatorID, in: language).of(try await fetchChecklist(id))
    try await repository.saveChecklist(copy)
    await catchUp(liveChecklists)
    return copy
  }

  // MARK: - Guides

  /// Reads the guides from this device, and keeps following them.
  public func loadGuides() async { await liveGuides.load() }

  /// One guide.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  public func fetchGuide(_ id: UUID) async throws -> PracticeGuide {
    try found(await repository.fetchGuide(id))
  }

  /// Stores a guide, new or changed.
  /// - Throws: ``RepositoryError``.
  public func saveGuide(_ guide: PracticeGuide) async throws {
    var guide = guide
    guide.updatedAt = now()
    try await repository.saveGuide(guide)
    await catchUp(liveGuides)
  }

  /// Removes a guide.
  /// - Throws: ``RepositoryError``.
  public func deleteGuide(_ id: UUID) async throws {
    // One that cannot be read is removed all the same.
    let title = try? await repository.fetchGuide(id)?.title
    if let deleted = try await repository.deleteGuide(id) {
      removals.add(RemovedEntry(title: title, part: .guides, deleted: deleted))
    }
    await catchUp(liveGuides)
  }

  /// Stores a copy of a guide, as ``duplicateChecklist(_:by:in:)`` does.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  @discardableResult
  public func duplicateGuide(
    _ id: UUID, by creatorID: UUID, in language: Language
  ) async throws -> PracticeGuide {
    let copy = copying(by: creatorID, in: language).of(try await fetchGuide(id))
    try await repository.saveGuide(copy)
    await catchUp(liveGuides)
    return copy
  }

  // MARK: - Decks

  /// Reads the decks from this device, and keeps following them.
  public func loadDecks() async { await liveDecks.load() }

  /// One deck.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  public func fetchDeck(_ id: UUID) async throws -> FlashcardDeck {
    try found(await repository.fetchDeck(id))
  }

  /// Stores a deck, new or changed. Progress with cards that it keeps stays.
  /// - Throws: ``RepositoryError``.
  public func saveDeck(_ deck: FlashcardDeck) async throws {
    var deck = deck
    deck.updatedAt = now()
    try await repository.saveDeck(deck)
    await catchUp(liveDecks)
  }

  /// Removes a deck with everybody's progress.
  /// - Throws: ``RepositoryError``.
  public func deleteDeck(_ id: UUID) async throws {
    // One that cannot be read is removed all the same.
    let title = try? await repository.fetchDeck(id)?.title
    if let deleted = try await repository.deleteDeck(id) {
      removals.add(RemovedEntry(title: title, part: .decks, deleted: deleted))
    }
    await catchUp(liveDecks)
  }

  /// Stores a copy of a deck, as ``duplicateChecklist(_:by:in:)`` does, without progress.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  @discardableResult
  public func duplicateDeck(
    _ id: UUID, by creatorID: UUID, in language: Language
  ) async throws -> FlashcardDeck {
    let copy = copying(by: creatorID, in: language).of(try await fetchDeck(id))
    try await repository.saveDeck(copy)
    await catchUp(liveDecks)
    return copy
  }

  // MARK: - Putting back

  /// Puts back what was deleted lately, as it was; does nothing where it is there.
  /// - Throws: ``RepositoryError``: `notFound` where nothing is known of it any more; it can else be
  ///   tried again.
  public func restoreEntry(_ id: UUID, in part: LibraryPart) async throws {
    let isRestored = try await removals.restore(id) { [repository] in
      try await repository.restoreEntry($0.deleted)
    }
    switch part {
    case .checklists:
      if !isRestored { _ = try await fetchChecklist(id) }
      await catchUp(liveChecklists)
    case .guides:
      if !isRestored { _ = try await fetchGuide(id) }
      await catchUp(liveGuides)
    case .decks:
      if !isRestored { _ = try await fetchDeck(id) }
      await catchUp(liveDecks)
    }
  }

  /// Waits until a list that is followed has what was just stored, so that the next page shows it.
  func catchUp<Row>(_ live: Live<ReadableRows<Row>>) async {
    if !live.state.isIdle { await live.restart() }
  }

  private func found<Entry>(_ entry: Entry?) throws -> Entry {
    guard let entry else { throw RepositoryError.notFound }
    return entry
  }

  private func copying(by creatorID: UUID, in language: Language) -> LibraryCopy {
    LibraryCopy(creatorID: creatorID, language: language, now: now(), makeID: makeID)
  }
}
