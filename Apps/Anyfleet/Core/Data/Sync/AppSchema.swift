import Foundation
import Offshore
import OffshorePresentation
public import OffshoreSync
public import OffshoreWire

/// What Anyfleet syncs.
///
/// A charter is a scope with its checklists, progress and notes, which its crew shares. The library, the
/// study of it and the choice of an active charter are each person's own.
public enum AppSchema {
  /// The kind of scope that is a person's own.
  static let personKind = "person"

  /// The declaration of a file of Anyfleet.
  public static let current = StoreSchema(
    migrations: AppMigrations.all, sync: try make(), derivations: AppDerivations.all,
    handOver: { try AppHandOver.run(from: $0, to: $1, $2) },
    titles: { reader in
      let titles = ChangeTitles(reader)
      return { try titles.title(of: $0) }
    })

  /// The synced tables as the server loads them.
  /// - Throws: `SyncError` if a declaration contradicts the tables.
  public static func manifest() throws -> Manifest { try current.manifest }

  /// - Throws: `SyncError` if a declaration contradicts the tables.
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
      partOf: (CharterRow.self, \.charterID), owner: \.creatorID,
      .merged(\.updatedAt, .max)),
    // Each item is a field of its own, so that two who tick different items both keep their ticks.
    SyncTable(
      ExecutionRow.self, scope: .kind(CharterModel.scopeKind, \.charterID),
      idSource: [\.charterID, \.checklistID], partOf: (CharterRow.self, \.charterID),
      .merged(\.itemStates, .keyed), .merged(\.lastUpdated, .max),
      // Each device counts these from the ticks and the items.
      .local(\.progressPercentage, \.completedAt, \.syncStatus)),
    SyncTable(
      ItemNoteRow.self, scope: .kind(CharterModel.scopeKind, \.charterID),
      partOf: (CharterRow.self, \.charterID), .merged(\.lastUpdated, .max)),
  ]

  private static let personal = [
    SyncTable(
      CardProgressRow.self, scope: .kind(personKind, \.userID),
      partOf: (FlashcardDeck.self, \.deckID), .merged(\.lastUpdated, .max)),
    SyncTable(ActiveCharterRow.self, scope: .kind(personKind, \.userID)),
  ]
}

/// Finds the titles of changed rows that have none of their own, for the duration of one read.
final class ChangeTitles {
  private struct Key: Hashable {
    let charterID: UUID
    let checklistID: UUID
  }

  private let reader: Reader
  /// The checklists that were read: many rows are of one.
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

  /// A checklist of a charter; one that cannot be read has no title.
  private func checklist(_ id: String?, in charterID: String?) -> Checklist? {
    guard let id = id.flatMap(UUID.init(uuidString:)),
      let charterID = charterID.flatMap(UUID.init(uuidString:))
    else { return nil }
    let key = Key(charterID: charterID, checklistID: id)
    if let known = checklists[key] { return known }
    let found = try? LocalRepository.checklist(id, in: charterID, reader)
    checklists[key] = .some(found)
    return found
  }
}

/// Gives the rows of a local user to an account, as far as the library cannot.
enum AppHandOver {
  /// Removes first checklists that the user has not used: the account has its own, or gets them.
  @Sendable static func run(from former: UUID, to account: UUID, _ writer: Writer) throws {
    try removeUnusedSeeds(of: former, writer)
    try handAdditions(from: former, to: account, writer)
    try handProgress(CardProgressRow.where { $0.userID == former }, to: account, writer)
  }

  /// Gives progress with cards to another user: its ids are derived from the user's.
  static func handProgress(
    _ rows: Query<CardProgressRow>, to user: UUID, _ writer: Writer
  ) throws {
    for row in try rows.readable(writer).rows {
      try CardProgressRow.find(row.id).delete(writer)
      try CardProgressRow(row.progress, userID: user, deckID: row.deckID, at: row.lastUpdated)
        .save(writer)
    }
  }

  /// Removes first checklists that are unchanged and in no charter.
  private static func removeUnusedSeeds(of userID: UUID, _ writer: Writer) throws {
    for checklist in try Checklist.where({ $0.creatorID == userID }).readable(writer).rows
    where SeedChecklist.all.contains(where: { $0.isUntouched(checklist, of: userID) }) {
      guard try !isUsed(checklist, writer) else { continue }
      try Checklist.find(checklist.id).delete(writer)
    }
  }

  /// Gives unchanged checklists in a further language the account's ids, so that each device of the account
  /// has the same.
  private static func handAdditions(
    from former: UUID, to account: UUID, _ writer: Writer
  ) throws {
    for seed in SeedChecklist.all {
      for language in Language.shipped {
        let id = seed.addition(of: former, in: language, at: .distantPast).id
        guard let checklist = try Checklist.find(id).readable(writer).rows.first,
          seed.isUntouchedAddition(checklist, of: former, in: language),
          try !isUsed(checklist, writer)
        else { continue }
        try Checklist.find(id).delete(writer)
        try seed.addition(of: account, in: language, at: checklist.createdAt).save(writer)
      }
    }
  }

  /// Whether a checklist is in a charter.
  private static func isUsed(_ checklist: Checklist, _ reader: Reader) throws -> Bool {
    try CharterChecklistRow.where { $0.checklistID == checklist.id }.exists(reader)
      || ExecutionRow.where { $0.checklistID == checklist.id }.exists(reader)
  }
}

extension SeedChecklist {
  /// Whether a checklist is unchanged since it was given to a user, in any language.
  fileprivate func isUntouched(_ checklist: Checklist, of userID: UUID) -> Bool {
    Language.shipped.contains { language in
      Self.isEqual(self.checklist(of: userID, in: language, at: checklist.createdAt), checklist)
    }
  }

  /// Whether a checklist in a further language is unchanged since it was added.
  fileprivate func isUntouchedAddition(
    _ checklist: Checklist, of userID: UUID, in language: Language
  ) -> Bool {
    Self.isEqual(addition(of: userID, in: language, at: checklist.createdAt), checklist)
  }

  private static func isEqual(_ seed: Checklist, _ checklist: Checklist) -> Bool {
    seed.id == checklist.id && seed.title == checklist.title
      && seed.description == checklist.description && seed.sections == checklist.sections
  }
}
