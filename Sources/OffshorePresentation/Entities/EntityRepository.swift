public import Foundation
package import Offshore
public import OffshoreSync

/// The stored entities of an app's file. Each change is one transaction.
///
/// Entries belong to the personal scope of their owner, who may always change them.
///
/// Each method throws the errors of `LoggedStore`.
public struct EntityRepository: Sendable {
  private let file: LoggedStore
  private let now: @Sendable () -> Date

  /// Creates a repository for a file.
  /// - Parameter now: returns the current time.
  public init(_ file: LoggedStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.file = file
    self.now = now
  }

  // MARK: - Reading

  /// Fetches an entry, or `nil` if no entry has the id.
  public func fetch<Entry: Entity>(
    _ type: Entry.Type, _ id: UUID
  ) async throws -> Entry? {
    try await file.read("fetchEntry") { try Entry.find(id).first($0) }
  }

  /// Fetches all entries of a kind, sorted by title. A row that cannot be read is left out and
  /// logged.
  public func fetchAll<Entry: Entity>(_ type: Entry.Type = Entry.self) async throws -> [Entry] {
    try await file.readable("fetchEntries") { try Self.byTitle(type, $0) }
  }

  /// Observes an entry. The value is `nil` while no entry has the id.
  package func entry<Entry: Entity>(
    _ type: Entry.Type, _ id: UUID
  ) -> LoggedValues<Entry?> {
    file.values("observeEntry") { try Entry.find(id).first($0) }
  }

  /// Observes the entries of a kind, sorted by title, with the errors of unreadable rows.
  package func entries<Entry: Entity>(
    _ type: Entry.Type = Entry.self
  ) -> LoggedValues<ReadableRows<Entry>> {
    file.readableValues("observeEntries") { try Self.byTitle(type, $0) }
  }

  /// Fetches the entries in dictionary order of their titles: case and accents decide only between
  /// titles that are otherwise equal.
  private static func byTitle<Entry: Entity>(
    _ type: Entry.Type, _ reader: Reader
  ) throws -> ReadableRows<Entry> {
    let list = try Entry.all.readable(reader)
    let keyed = list.rows.map {
      (key: (SearchText.folded($0.title), $0.title, $0.id.uuidString), row: $0)
    }
    return ReadableRows(
      rows: keyed.sorted { $0.key < $1.key }.map(\.row), unreadable: list.unreadable)
  }

  // MARK: - Changing

  /// Stores a new or changed entry. If the file belongs to an account, the account becomes the
  /// entry's owner.
  public func save<Entry: Entity>(_ entry: Entry) async throws {
    try await file.write("saveEntry") { try store(entry.owned($0), $0) }
  }

  /// Merges a form into the currently stored entry, and stores the result.
  /// - Parameter blank: the base of the result if no entry is stored.
  /// - Throws: ``DraftError`` if the form is not valid or conflicts with the stored entry, and the
  ///   errors of the file.
  func save<Entry: Entity>(
    _ change: DraftChange<Entry>, blank: Entry
  ) async throws -> Entry {
    try await file.write("saveEntry") { writer in
      let stored = try Entry.find(blank.id).first(writer)
      return try change.result(into: stored, blank: blank.owned(writer), at: now()) {
        try store($0, writer)
      }
    }.get()
  }

  /// Stores a copy of an entry.
  /// - Parameter change: turns the entry into the copy.
  /// - Throws: the error for `DatabaseError` with the code `notFound` if the entry does not exist.
  func copy<Entry: Entity>(
    _ id: UUID, _ change: @escaping @Sendable (inout Entry) -> Void
  ) async throws -> Entry {
    try await file.write("copyEntry") { writer in
      guard var copy = try Entry.find(id).first(writer) else {
        throw DatabaseError(.notFound, "The entry does not exist. Read the list again.")
      }
      change(&copy)
      copy = try copy.owned(writer)
      try store(copy, writer)
      return copy
    }
  }

  /// Deletes an entry, readable or not, with all rows that refer to it.
  /// - Returns: the deleted rows for ``restore(_:)``, or `nil` if the entry does not exist.
  @discardableResult
  public func delete<Entry: Entity>(
    _ type: Entry.Type, _ id: UUID
  ) async throws -> RemovedEntity? {
    try await file.write("deleteEntry") { [file] writer in
      let entry = Entry.find(id)
      let rows = try writer.remove(entry)
      guard !rows.isEmpty else { return nil }
      try Entry.updateDependants(of: id, writer)
      return RemovedEntity(rows: rows) { writer in
        try file.store.giveToAccount(entry, writer)
        try Entry.updateDependants(of: id, writer)
      }
    }
  }

  /// Restores a deleted entry as it was. Rows that exist again already are not changed.
  public func restore(_ removed: RemovedEntity) async throws {
    try await file.write("restoreEntry") { writer in
      try removed.rows.restore(writer)
      try removed.complete(writer)
    }
  }

  /// Stores an entry, and updates the rows that depend on it.
  private func store<Entry: Entity>(_ entry: Entry, _ writer: Writer) throws {
    try entry.save(writer)
    try Entry.updateDependants(of: entry.id, writer)
  }
}

/// A deleted entry, with the rows that referred to it.
public struct RemovedEntity: Sendable {
  let rows: RemovedRows
  /// Updates the owner and the dependent rows, after the rows were restored.
  let complete: @Sendable (Writer) throws -> Void
}

extension Entity {
  /// Returns the entry with the account as its owner if the file belongs to one, because only an
  /// account's rows are sent.
  ///
  /// NB: A page may have been opened before the user signed in.
  fileprivate func owned(_ reader: Reader) throws -> Self {
    guard let owner = try SyncedStore.account(reader)?.id else { return self }
    var owned = self
    owned.creatorID = owner
    return owned
  }
}

extension DraftChange where Entry: Entity {
  /// Merges a form into an entry, and stores the result unless nothing changed.
  /// - Throws: the error of `store`.
  package func result(
    into stored: Entry?, blank: Entry, at now: Date, store: (Entry) throws -> Void
  ) throws -> Result<Entry, DraftError> {
    var entry: Entry
    do throws(DraftError) {
      entry = try merged(into: stored, blank: blank)
    } catch {
      return .failure(error)
    }
    guard entry != stored else { return .success(entry) }
    entry.updatedAt = now
    try store(entry)
    return .success(entry)
  }
}
