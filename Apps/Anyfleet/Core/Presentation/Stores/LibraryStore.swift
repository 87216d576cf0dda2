public import Foundation
public import Observation
import Offshore
public import OffshorePresentation

/// The library, as all screens share it.
@MainActor @Observable
public final class LibraryStore {
  let repository: any LibraryRepository
  @ObservationIgnored private var lists: [ObjectIdentifier: AnyObject] = [:]
  private let now: @MainActor () -> Date
  private let makeID: @Sendable () -> UUID

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
    self.now = now
    self.makeID = makeID
  }

  // MARK: - Reading

  /// The checklists by their titles.
  public var checklists: ViewState<[Checklist]> { entries(of: Checklist.self) }
  /// The practice guides by their titles.
  public var guides: ViewState<[PracticeGuide]> { entries(of: PracticeGuide.self) }
  /// The decks of flashcards by their titles.
  public var decks: ViewState<[FlashcardDeck]> { entries(of: FlashcardDeck.self) }

  /// The entries of a kind by their titles.
  public func entries<Entry: LibraryEntry>(of type: Entry.Type) -> ViewState<[Entry]> {
    list(of: type).state.flatMap(\.state)
  }

  /// The errors of entries of a kind that cannot be read, and the reason why the rest may be out of date.
  public func notices<Entry: LibraryEntry>(of type: Entry.Type) -> [AppError] {
    list(of: type).notices()
  }

  /// Reads the entries of a kind, and observes them.
  public func load<Entry: LibraryEntry>(_ type: Entry.Type) async { await list(of: type).load() }

  /// Reads the entries of a kind if they are not known or may be out of date.
  public func loadIfNeeded<Entry: LibraryEntry>(_ type: Entry.Type) async {
    let list = list(of: type)
    if !list.state.isKnown || list.notices().contains(where: \.isRetryable) { await list.load() }
  }

  /// Observes one entry, which is `nil` if it is not stored.
  public func live<Entry: LibraryEntry>(_ type: Entry.Type, _ id: UUID) -> Live<Entry?> {
    Live { [repository] in repository.entry(type, id) }
  }

  /// Observes the checklist that a charter runs: its snapshot, or else the library's checklist.
  func liveChecklist(_ id: UUID, inCharter charterID: UUID) -> Live<Checklist> {
    Live(present: { [repository] in repository.checklist(id, inCharter: charterID) })
  }

  /// Observes the user's progress with the cards of a deck.
  func liveProgress(ofDeck id: UUID) -> Live<ReadableRows<CardProgress>> {
    Live { [repository] in repository.studyProgress(ofDeck: id) }
  }

  private func list<Entry: LibraryEntry>(of type: Entry.Type) -> Live<ReadableRows<Entry>> {
    if let list = lists[ObjectIdentifier(type)] as? Live<ReadableRows<Entry>> { return list }
    let list = Live { [repository] in repository.entries(type) }
    lists[ObjectIdentifier(type)] = list
    return list
  }

  /// Sorts ids of checklists as the list does; those that are not in it come last.
  func inOrder(_ ids: Set<UUID>) -> [UUID] {
    let known = (checklists.data ?? []).map(\.id).filter(ids.contains)
    return known + ids.subtracting(known).sorted { $0.uuidString < $1.uuidString }
  }

  // MARK: - Editing

  /// Begins to edit an entry, or a new one.
  ///
  /// - Parameters:
  ///   - id: the id of the entry; a new id if there is none.
  ///   - creatorID: the user.
  public func draft<Entry: LibraryEntry>(
    of type: Entry.Type, _ id: UUID?, isNew: Bool, by creatorID: UUID
  ) -> Draft<Entry> {
    Draft(
      Entry.fields, blank: blank(type, id, by: creatorID), isNew: isNew, makeID: makeID
    ) { [repository] in
      try await repository.fetch(type, id ?? UUID())
    } store: { change, blank in
      let saved = try await self.repository.save(change, blank: blank)
      await self.catchUp(type)
      return saved
    }
  }

  /// Begins to edit a charter's snapshot of a checklist. A checklist that the charter does not have begins
  /// as the library's, and is added to the charter when it is saved.
  public func draft(
    ofChecklist id: UUID, inCharter charterID: UUID, by creatorID: UUID
  ) -> Draft<Checklist> {
    Draft(
      Checklist.fields, blank: blank(Checklist.self, id, by: creatorID), isNew: false,
      makeID: makeID
    ) { [repository] in
      guard try await repository.hasChecklist(id, charterID: charterID) else { return nil }
      return try await repository.fetchChecklist(id, inCharter: charterID)
    } template: { [repository] in
      try await repository.fetchChecklist(id)
    } store: { [repository] change, blank in
      do {
        return try await repository.saveChecklist(change, blank: blank, inCharter: charterID)
      } catch RepositoryError.notFound {
        // The charter was deleted: saving again would not help.
        throw AppError.content(.notFound)
      }
    }
  }

  private func blank<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID?, by creatorID: UUID
  ) -> Entry {
    .blank(id: id ?? makeID(), creatorID: creatorID, at: now(), makeID: makeID)
  }

  /// Stores an entry, new or changed.
  /// - Throws: ``RepositoryError``.
  public func save<Entry: LibraryEntry>(_ entry: Entry) async throws {
    var entry = entry
    entry.updatedAt = now()
    try await repository.save(entry)
    await catchUp(Entry.self)
  }

  /// Stores a copy of an entry, without progress, under a title that names it a copy.
  ///
  /// - Parameters:
  ///   - creatorID: the owner of the copy.
  ///   - language: the language of the addition to the title.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such entry.
  @discardableResult
  public func duplicate<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID, by creatorID: UUID, in language: Language
  ) async throws -> Entry {
    guard let entry = try await repository.fetch(type, id) else { throw RepositoryError.notFound }
    let copy = entry.copied(by: creatorID, in: language, at: now(), makeID: makeID)
    try await repository.save(copy)
    await catchUp(type)
    return copy
  }

  /// Deletes an entry, readable or not.
  /// - Returns: restores the entry; `nil` if there is no such entry.
  /// - Throws: ``RepositoryError``.
  @discardableResult
  public func delete<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID
  ) async throws -> (@MainActor () async throws -> Void)? {
    let deleted = try await repository.delete(type, id)
    await catchUp(type)
    guard let deleted else { return nil }
    return {
      try await self.repository.restoreEntry(deleted)
      await self.catchUp(type)
    }
  }

  /// Stores the user's answer to a card; see ``LibraryRepository/recordAnswer(_:cardID:deckID:)``.
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await repository.recordAnswer(answer, cardID: cardID, deckID: deckID)
  }

  /// Waits until a list that is observed contains the latest change, so that the next page shows it.
  private func catchUp<Entry: LibraryEntry>(_ type: Entry.Type) async {
    let list = list(of: type)
    if !list.state.isIdle { await list.restart() }
  }
}
