public import Foundation
import Offshore
import OffshoreSync

/// Saving what was made from a version, unless that was changed meanwhile.
extension LocalRepository {
  @discardableResult
  public func saveChecklist(
    _ checklist: Checklist, over version: Date?
  ) async throws -> Checklist {
    try await write("saveChecklist") { writer in
      let saved = try Self.save(checklist, over: version, writer)
      try Self.countProgress(of: ExecutionRow.where { $0.checklistID == checklist.id }, writer)
      return saved
    }
  }

  @discardableResult
  public func saveGuide(
    _ guide: PracticeGuide, over version: Date?
  ) async throws -> PracticeGuide {
    try await write("saveGuide") { try Self.save(guide, over: version, $0) }
  }

  @discardableResult
  public func saveDeck(
    _ deck: FlashcardDeck, over version: Date?
  ) async throws -> FlashcardDeck {
    try await write("saveDeck") { try Self.save(deck, over: version, $0) }
  }

  private static func save<Entry: LibraryEntry & Record>(
    _ entry: Entry, over version: Date?, _ writer: Writer
  ) throws -> Entry {
    let saved = try entry.owned(writer)
      .saved(over: version, inPlaceOf: Entry.find(entry.id).one(writer))
    try saved.save(writer)
    return saved
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

  /// What is to be stored of something that was made from a version, in place of what is stored.
  /// - Throws: ``RepositoryError``: `conflict` where that is another version, `notFound` where the
  ///   version is not stored any more.
  func saved(over version: Date?, inPlaceOf stored: Self?) throws -> Self {
    guard let stored else {
      if version != nil { throw RepositoryError.notFound }
      return self
    }
    // A form that is sent twice changes nothing more.
    if isContent(of: stored) { return stored }
    guard version?.roundedToMilliseconds == stored.updatedAt.roundedToMilliseconds else {
      throw RepositoryError.conflict(with: stored.updatedAt)
    }
    return following(stored)
  }
}
