public import Foundation
public import Offshore
public import OffshorePresentation
import OffshoreSync

extension LocalRepository: LibraryRepository {
  public func fetch<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID
  ) async throws -> Entry? {
    try await read("fetchEntry") { try Entry.find(id).one($0) }
  }

  public func fetchAll<Entry: LibraryEntry>(_ type: Entry.Type) async throws -> [Entry] {
    try await readList("fetchEntries") { try Self.byTitle(type, $0) }
  }

  public func save<Entry: LibraryEntry>(_ entry: Entry) async throws {
    try await write("saveEntry") { writer in
      try entry.owned(writer).save(writer)
      try Entry.updateDependants(of: entry.id, writer)
    }
  }

  public func save<Entry: LibraryEntry>(
    _ change: DraftChange<Entry>, blank: Entry
  ) async throws -> Entry {
    try await write("saveEntry") { [now] writer in
      let stored = try Entry.find(blank.id).one(writer)
      return try change.result(into: stored, blank: blank.owned(writer), at: now()) {
        try $0.save(writer)
        try Entry.updateDependants(of: $0.id, writer)
      }
    }.get()
  }

  @discardableResult
  public func delete<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID
  ) async throws -> DeletedEntry? {
    try await write("deleteEntry") { writer in
      let rows = try writer.remove(Entry.find(id))
      guard !rows.isEmpty else { return nil }
      try Entry.updateDependants(of: id, writer)
      return DeletedEntry(id: id, rows: rows) { writer in
        try Self.giveToAccount(id, in: Entry.table.name, writer)
        try Entry.updateDependants(of: id, writer)
      }
    }
  }

  public func restoreEntry(_ deleted: DeletedEntry) async throws {
    try await write("restoreEntry") { writer in
      try deleted.rows.restore(writer)
      try deleted.complete(writer)
    }
  }

  public func entry<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID
  ) -> any AsyncSequence<Entry?, any Error> & Sendable {
    values("observeEntry") { try Entry.find(id).one($0) }
  }

  public func entries<Entry: LibraryEntry>(
    _ type: Entry.Type
  ) -> any AsyncSequence<ReadableRows<Entry>, any Error> & Sendable {
    values("observeEntries", unreadable: \.unreadable) { try Self.byTitle(type, $0) }
  }

  /// Fetches the entries sorted by title as a dictionary sorts: case and accents count only if titles are
  /// otherwise the same.
  private static func byTitle<Entry: LibraryEntry>(
    _ type: Entry.Type, _ reader: Reader
  ) throws -> ReadableRows<Entry> {
    let list = try Entry.all.readable(reader)
    let keyed = list.rows.map {
      (key: (SearchText.folded($0.title), $0.title, $0.id.uuidString), row: $0)
    }
    return ReadableRows(
      rows: keyed.sorted { $0.key < $1.key }.map(\.row), unreadable: list.unreadable)
  }

  /// Gives an entry that was restored to the account, if the file belongs to one.
  private static func giveToAccount(_ id: UUID, in table: String, _ writer: Writer) throws {
    guard let owner = try SyncedStore.account(writer)?.id else { return }
    try SQL(
      """
      UPDATE \(identifier: table) SET creatorID = \(owner)
      WHERE id = \(id) AND creatorID <> \(owner)
      """
    ).run(writer)
    try AppHandOver.handProgress(
      CardProgressRow.where { $0.deckID == id && $0.userID != owner }, to: owner, writer)
  }
}

extension LibraryEntry {
  /// The entry as the account's, if the file belongs to one: only an account's rows are sent.
  ///
  /// NB: A page may have been opened, and an entry deleted, before the user signed in.
  func owned(_ reader: Reader) throws -> Self {
    guard let owner = try SyncedStore.account(reader)?.id else { return self }
    var owned = self
    owned.creatorID = owner
    return owned
  }
}

extension DraftChange where Entry: LibraryEntry {
  /// Merges a form into an entry, and stores the result unless nothing changed.
  /// - Throws: the error of `store`.
  func result(
    into stored: Entry?, blank: Entry, at now: Date, store: (Entry) throws -> Void
  ) throws -> Result<Entry, DraftError> {
    var entry: Entry
    do throws(DraftError) {
      entry = try merged(into: stored, blank: blank)
    } catch {
      return .failure(error)
    }
    guard entry != stored else { return .success(entry) }
    entry.updatedAt = max(now, stored?.updatedAt ?? now)
    try store(entry)
    return .success(entry)
  }
}
