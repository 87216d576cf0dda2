public import Foundation
public import Observation
import Offshore

/// The entries of all kinds, shared by the pages of an app.
///
/// ```swift
/// let store = EntityStore(EntityRepository(LoggedStore(file)))
/// await store.load(Guide.self)
/// store.entries(of: Guide.self)  // .loaded([…]), and updated from then on
/// ```
///
/// A list is observed from its first load on, once for all pages.
@MainActor open class EntityStore: Observable {
  private let repository: EntityRepository
  private var lists: [ObjectIdentifier: AnyObject] = [:]
  private let now: @MainActor () -> Date
  /// Returns the id of a new entry.
  package let makeID: @Sendable () -> UUID

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - repository: stores the entries.
  ///   - now: returns the current time.
  ///   - makeID: returns the id of a new entry.
  public init(
    _ repository: EntityRepository, now: @escaping @MainActor () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.repository = repository
    self.now = now
    self.makeID = makeID
  }

  // MARK: - Reading

  /// Returns the entries of a kind, sorted by title.
  public func entries<Entry: Entity>(of type: Entry.Type = Entry.self) -> ViewState<[Entry]> {
    list(of: type).state.flatMap(\.state)
  }

  /// Returns the errors of unreadable entries of a kind, and of the latest refresh if it failed.
  public func notices<Entry: Entity>(of type: Entry.Type) -> [AppError] {
    list(of: type).notices()
  }

  /// Reads the entries of a kind, and observes them from then on.
  public func load<Entry: Entity>(_ type: Entry.Type) async { await list(of: type).load() }

  /// Reads the entries of a kind if they are not loaded or may be out of date.
  public func loadIfNeeded<Entry: Entity>(_ type: Entry.Type) async {
    let list = list(of: type)
    if !list.state.isKnown || list.notices().contains(where: \.isRetryable) {
      await list.load()
    } else {
      await list.catchUp()
    }
  }

  /// Observes one entry. The value is `nil` while it is not stored.
  public func live<Entry: Entity>(_ type: Entry.Type, _ id: UUID) -> Live<Entry?> {
    Live { [repository] in repository.entry(type, id) }
  }

  private func list<Entry: Entity>(of type: Entry.Type) -> Live<ReadableRows<Entry>> {
    if let list = lists[ObjectIdentifier(type)] as? Live<ReadableRows<Entry>> { return list }
    let list = Live { [repository] in repository.entries(type) }
    lists[ObjectIdentifier(type)] = list
    return list
  }

  // MARK: - Changing

  /// Starts to edit an entry, or a new one.
  ///
  /// - Parameters:
  ///   - id: the id of the entry, or `nil` for a new id.
  ///   - isNew: whether the form is for a new entry.
  ///   - creatorID: the user's id.
  public func draft<Entry: Entity>(
    of type: Entry.Type, _ id: UUID?, isNew: Bool, by creatorID: UUID
  ) -> Draft<Entry> {
    let blank = blank(type, id, by: creatorID)
    return Draft(Entry.fields, blank: blank, isNew: isNew, makeID: makeID) { [repository] in
      try await repository.fetch(type, blank.id)
    } store: { change, blank in
      let saved = try await self.repository.save(change, blank: blank)
      await self.catchUp(type)
      return saved
    }
  }

  /// Creates an entry with the initial values of a new form.
  package func blank<Entry: Entity>(
    _ type: Entry.Type, _ id: UUID?, by creatorID: UUID
  ) -> Entry {
    .blank(
      NewEntity(id: id ?? makeID(), creatorID: creatorID, createdAt: now(), makeID: makeID))
  }

  /// Stores a new or changed entry.
  /// - Throws: the errors of the repository.
  public func save<Entry: Entity>(_ entry: Entry) async throws {
    var entry = entry
    entry.updatedAt = now()
    try await repository.save(entry)
    await catchUp(Entry.self)
  }

  /// Stores a copy of an entry with new ids and a title that marks it as a copy.
  ///
  /// - Parameters:
  ///   - creatorID: the owner of the copy.
  ///   - language: the language of the suffix of the title.
  /// - Throws: the errors of the repository; that for `DatabaseError` with the code `notFound` if
  ///   the entry does not exist.
  @discardableResult
  public func duplicate<Entry: Entity>(
    _ type: Entry.Type, _ id: UUID, by creatorID: UUID, in language: Language
  ) async throws -> Entry {
    let copy = try await repository.copy(id) { [now = now(), makeID] (entry: inout Entry) in
      entry.becomeCopy(by: creatorID, in: language, at: now, makeID: makeID)
    }
    await catchUp(type)
    return copy
  }

  /// Deletes an entry, readable or not.
  /// - Returns: a closure that restores the entry, or `nil` if the entry does not exist.
  /// - Throws: the errors of the repository.
  @discardableResult
  public func delete<Entry: Entity>(
    _ type: Entry.Type, _ id: UUID
  ) async throws -> (@MainActor () async throws -> Void)? {
    let removed = try await repository.delete(type, id)
    await catchUp(type)
    guard let removed else { return nil }
    return {
      try await self.repository.restore(removed)
      await self.catchUp(type)
    }
  }

  /// Waits until the observed list contains the latest change, so that the next page shows it.
  private func catchUp<Entry: Entity>(_ type: Entry.Type) async {
    await list(of: type).catchUp()
  }
}
