public import Foundation
public import Offshore
import OffshoreSync

extension LocalRepository: LibraryRepository {
  public func fetchChecklist(_ id: UUID) async throws -> Checklist? {
    try await read("fetchChecklist") { try Checklist.find(id).one($0) }
  }

  public func fetchUserChecklists() async throws -> [Checklist] {
    try await readList("fetchUserChecklists") { try Self.byTitle($0) }
  }

  public func saveChecklist(_ checklist: Checklist) async throws {
    try await write("saveChecklist") { writer in
      try checklist.owned(writer).save(writer)
      try Self.countProgress(of: ExecutionRow.where { $0.checklistID == checklist.id }, writer)
    }
  }

  @discardableResult
  public func deleteChecklist(_ id: UUID) async throws -> DeletedEntry? {
    try await write("deleteChecklist") { writer in
      let deleted = try Self.deleteEntry(Checklist.self, id, writer)
      // Where a charter has a snapshot, the checklist is known there as before.
      try SQL(
        """
        UPDATE checklistExecutionStates SET progressPercentage = NULL
        WHERE checklistID = \(id) AND NOT EXISTS (
          SELECT 1 FROM charterChecklists AS snapshot
          WHERE snapshot.charterID = checklistExecutionStates.charterID
            AND snapshot.checklistID = \(id))
        """
      ).run(writer)
      return deleted
    }
  }

  public func restoreEntry(_ deleted: DeletedEntry) async throws {
    try await write("restoreEntry") { writer in
      try deleted.rows.restore(writer)
      try Self.giveToAccount(deleted.id, writer)
      try Self.countProgress(of: ExecutionRow.where { $0.checklistID == deleted.id }, writer)
    }
  }

  /// Removes something from the library, with the rows that refer to it.
  ///
  /// - Returns: what it takes to put it back; `nil` if there is no such thing.
  static func deleteEntry<Entry: Record & Identifiable>(
    _ type: Entry.Type, _ id: UUID, _ writer: Writer
  ) throws -> DeletedEntry? where Entry.ID == UUID {
    let rows = try writer.remove(Entry.find(id))
    return rows.isEmpty ? nil : DeletedEntry(id: id, rows: rows)
  }

  public func checklists() -> any AsyncSequence<ReadableRows<Checklist>, any Error> & Sendable {
    values("observeChecklists", unreadable: \.unreadable) { try Self.byTitle($0) }
  }

  private static func byTitle(_ reader: Reader) throws -> ReadableRows<Checklist> {
    try Checklist.order { [$0.id.ascending] }.readable(reader).sorted(by: \.title)
  }

  /// Gives an entry that was put back to the account, if the file belongs to one.
  private static func giveToAccount(_ id: UUID, _ writer: Writer) throws {
    guard let owner = try SyncedStore.account(writer)?.id else { return }
    for table in [Checklist.table.name, PracticeGuide.table.name, FlashcardDeck.table.name] {
      try SQL(
        """
        UPDATE \(identifier: table) SET creatorID = \(owner)
        WHERE id = \(id) AND creatorID <> \(owner)
        """
      ).run(writer)
    }
    try AppHandOver.handProgress(
      CardProgressRow.where { $0.deckID == id && $0.userID != owner }, to: owner, writer)
  }
}
