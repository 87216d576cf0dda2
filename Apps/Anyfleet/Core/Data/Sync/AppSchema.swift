import Foundation
import Offshore
import OffshorePresentation
package import OffshoreSync
package import OffshoreWire

/// The synced tables of Anyfleet.
///
/// A charter is a scope with its checklists, progress and notes, shared by its crew. The library,
/// the study progress and the choice of the active charter are personal to each user.
package enum AppSchema {
  /// The kind of the personal scope of a user.
  static let personKind = "person"

  /// The declaration of a file of Anyfleet.
  package static let current = StoreSchema(
    migrations: AppMigrations.all, sync: try make(), derivations: AppDerivations.all,
    handOver: { try AppHandOver.run(from: $0, to: $1, $2) },
    titles: { reader in
      let titles = ChangeTitles(reader)
      return { try titles.title(of: $0) }
    })

  /// Returns the declaration of the synced tables for the server.
  /// - Throws: `ReplicaError` if a declaration contradicts the tables.
  package static func manifest() throws -> Manifest { try current.manifest }

  /// Returns the declaration of the synced tables.
  ///
  /// NB: The dates of the latest change are merged like the other columns, not as the greatest: one
  /// device whose clock is ahead would otherwise fix them for years. Releases that declare
  /// `.max` for them sync with the same servers, because the server's manifest decides. Therefore the
  /// version is still 1.
  /// - Throws: `ReplicaError` if a declaration contradicts the tables.
  static func make() throws -> SyncSchema {
    try SyncSchema(
      version: 1, tables: charters + Library.syncTables(ofScope: personKind) + personal,
      claimableKinds: [CharterModel.scopeKind],
      personalKinds: [personKind])
  }

  private static let charters = [
    SyncTable(
      CharterRow.self, scope: .kind(CharterModel.scopeKind, \.id), title: \.name,
      .local(\.syncStatus, \.searchText)),
    SyncTable(
      CharterChecklistRow.self, scope: .kind(CharterModel.scopeKind, \.charterID), title: \.title,
      partOf: (CharterRow.self, \.charterID), owner: \.creatorID),
    // Each item is a field of its own, so that concurrent ticks of different items are all
    // retained.
    SyncTable(
      ExecutionRow.self, scope: .kind(CharterModel.scopeKind, \.charterID),
      idSource: [\.charterID, \.checklistID], partOf: (CharterRow.self, \.charterID),
      .merged(\.itemStates, .keyed),
      // Each device computes these from the ticks and the items.
      .local(\.progressPercentage, \.completedAt, \.syncStatus)),
    SyncTable(
      ItemNoteRow.self, scope: .kind(CharterModel.scopeKind, \.charterID),
      partOf: (CharterRow.self, \.charterID)),
  ]

  private static let personal = [
    SyncTable(
      CardProgressRow.self, scope: .kind(personKind, \.userID),
      partOf: (FlashcardDeck.self, \.deckID)),
    SyncTable(ActiveCharterRow.self, scope: .kind(personKind, \.userID)),
  ]
}

/// The titles of changed rows that have none of their own, looked up during a single read.
final class ChangeTitles {
  private struct Key: Hashable {
    let charterID: UUID
    let checklistID: UUID
  }

  private let reader: Reader
  /// A cache of the checklists, because many rows belong to the same one.
  private var checklists: [Key: Checklist?] = [:]

  init(_ reader: Reader) { self.reader = reader }

  func title(of row: ChangedRow) throws -> String? {
    switch row.table {
    case ExecutionRow.table.name:
      let id = try row.text(\ExecutionRow.charterID)
      return checklist(try row.text(\ExecutionRow.checklistID), in: id)?.title
    case ItemNoteRow.table.name:
      let id = try row.text(\ItemNoteRow.charterID)
      let checklist = checklist(try row.text(\ItemNoteRow.checklistID), in: id)
      let itemID = try row.text(\ItemNoteRow.itemID).flatMap { UUID(uuidString: $0) }
      return checklist?.items.first { $0.id == itemID }?.title ?? checklist?.title
    case ActiveCharterRow.table.name:
      return try row.title(of: CharterRow.self, row.text(\ActiveCharterRow.charterID))
    default: return nil
    }
  }

  /// Returns a checklist of a charter, or `nil` if it is missing or unreadable.
  private func checklist(_ id: String?, in charterID: String?) -> Checklist? {
    guard let id = id.flatMap(UUID.init(uuidString:)),
      let charterID = charterID.flatMap(UUID.init(uuidString:))
    else { return nil }
    let key = Key(charterID: charterID, checklistID: id)
    if let known = checklists[key] { return known }
    let found = try? CharterChecklistRow.checklist(id, inCharter: charterID, reader)
    checklists[key] = .some(found)
    return found
  }
}

/// The part of handing over a local user's rows to an account that is specific to Anyfleet.
enum AppHandOver {
  /// Hands the rows over. Deletes seeded checklists that the user has not used, because the account
  /// has its own or receives them.
  @Sendable static func run(from former: UUID, to account: UUID, _ writer: Writer) throws {
    try removeUnusedSeeds(of: former, writer)
    try handOverAdditions(from: former, to: account, writer)
    try handOverProgress(CardProgressRow.where { $0.userID == former }, to: account, writer)
  }

  /// Hands study progress over to another user. The ids of its rows are derived from the user's.
  static func handOverProgress(
    _ rows: Query<CardProgressRow>, to user: UUID, _ writer: Writer
  ) throws {
    for row in try rows.readable(writer).rows {
      try CardProgressRow.find(row.id).delete(writer)
      try CardProgressRow(row.progress, userID: user, deckID: row.deckID, at: row.lastUpdated)
        .save(writer)
    }
  }

  /// Deletes seeded checklists that are unchanged and not used in a charter.
  private static func removeUnusedSeeds(of userID: UUID, _ writer: Writer) throws {
    for checklist in try Checklist.where({ $0.creatorID == userID }).readable(writer).rows
    where SeedChecklist.all.contains(where: { $0.isUnchanged(checklist, of: userID) }) {
      guard try !isUsed(checklist, writer) else { continue }
      try Checklist.find(checklist.id).delete(writer)
    }
  }

  /// Replaces the ids of unchanged additions in another language by those of the account, so that
  /// all devices of the account have the same ids.
  private static func handOverAdditions(
    from former: UUID, to account: UUID, _ writer: Writer
  ) throws {
    for seed in SeedChecklist.all {
      for language in Language.shipped {
        let id = seed.addition(of: former, in: language, at: .distantPast).id
        guard let checklist = try Checklist.find(id).readable(writer).rows.first,
          seed.isUnchangedAddition(checklist, of: former, in: language),
          try !isUsed(checklist, writer)
        else { continue }
        try Checklist.find(id).delete(writer)
        try seed.addition(of: account, in: language, at: checklist.createdAt).save(writer)
      }
    }
  }

  /// Returns whether a checklist is used in a charter.
  private static func isUsed(_ checklist: Checklist, _ reader: Reader) throws -> Bool {
    try CharterChecklistRow.where { $0.checklistID == checklist.id }.exists(reader)
      || ExecutionRow.where { $0.checklistID == checklist.id }.exists(reader)
  }
}

extension SeedChecklist {
  /// Returns whether a checklist has not changed since it was seeded, in any language.
  fileprivate func isUnchanged(_ checklist: Checklist, of userID: UUID) -> Bool {
    Language.shipped.contains { language in
      Self.isEqual(self.checklist(of: userID, in: language, at: checklist.createdAt), checklist)
    }
  }

  /// Returns whether a checklist in another language has not changed since it was added.
  fileprivate func isUnchangedAddition(
    _ checklist: Checklist, of userID: UUID, in language: Language
  ) -> Bool {
    Self.isEqual(addition(of: userID, in: language, at: checklist.createdAt), checklist)
  }

  private static func isEqual(_ seed: Checklist, _ checklist: Checklist) -> Bool {
    seed.id == checklist.id && seed.title == checklist.title
      && seed.description == checklist.description && seed.sections == checklist.sections
  }
}
