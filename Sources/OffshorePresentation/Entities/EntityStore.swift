public import Foundation
public import Observation
import Offshore

/// The entries of all kinds, as the pages of an app share them.
///
/// ```swift
/// let store = EntityStore(EntityRepository(LoggedStore(file)))
/// await store.load(Guide.self)
/// store.entries(of: Guide.self)  // .loaded([…]), and from then on the newest
/// ```
///
/// A list is observed once, from its first load on.
@MainActor open class EntityStore: Observable {
  private let repository: EntityRepository
  private var lists: [ObjectIdentifier: AnyObject] = [:]
  private let now: @MainActor () -> Date
  /// Makes the ids of new entries.
  package let makeID: @Sendable () -> UUID

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - repository: stores the entries.
  ///   - now: the current time.
  ///   - makeID: makes the ids of new entries.
  public init(
    _ repository: EntityRepository, now: @escaping @MainActor () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.repository = repository
    self.now = now
    self.makeID = makeID
  }

  // MARK: - Reading

  /// The entries of a kind by their titles.
  public func entries<Entry: Entity>(of type: Entry.Type = Entry.self) -> ViewState<[Entry]> {
    list(of: type).state.flatMap(\.state)
  }

  /// The errors of entries of a kind that cannot be read, and the reason why the rest may be out of date.
  public func notices<Entry: Entity>(of type: Entry.Type) -> [AppError] {
    list(of: type).notices()
  }

  /// Reads the entries of a kind, and observes them.
  public func load<Entry: Entity>(_ type: Entry.Type) async { await list(of: type).load() }

  /// Reads the entries of a kind if they are not known or may be out of date.
  public func loadIfNeeded<Entry: Entity>(_ type: Entry.Type) async {
    let list = list(of: type)
    if !list.state.isKnown || list.notices().contains(where: \.isRetryable) {
      await list.load()
    } else {
      await list.catchUp()
    }
  }

  /// Observes one entry, which is `nil` if it is not stored.
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

  /// Begins to edit an entry, or a new one.
  ///
  /// - Parameters:
  ///   - id: the id of the entry; a new id if there is none.
  ///   - creatorID: the user.
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

  /// Makes an entry as a new form shows it.
  package func blank<Entry: Entity>(
    _ type: Entry.Type, _ id: UUID?, by creatorID: UUID
  ) -> Entry {
    .blank(
      NewEntity(id: id ?? makeID(), creatorID: creatorID, createdAt: now(), makeID: makeID))
  }

  /// Stores an entry, new or changed.
  /// - Throws: as the repository.
  public func save<Entry: Entity>(_ entry: Entry) async throws {
    var entry = entry
    entry.updatedAt = now()
    try await repository.save(entry)
    await catchUp(Entry.self)
  }

  /// Stores a copy of an entry with new ids, under a title that names it a copy.
  ///
  /// - Parameters:
  ///   - creatorID: the owner of the copy.
  ///   - language: the language of the addition to the title.
  /// - Throws: as the repository; the error for `DatabaseError` with the code `notFound` if there is no such
  ///   entry.
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
  /// - Returns: a closure that restores the entry, or `nil` if there is no such entry.
  /// - Throws: as the repository.
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

  /// Waits until a list that is observed contains the latest change, so that the next page shows it.
  private func catchUp<Entry: Entity>(_ type: Entry.Type) async {
    await list(of: type).catchUp()
  }
}
