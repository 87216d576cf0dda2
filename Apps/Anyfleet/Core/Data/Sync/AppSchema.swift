import Foundation
import OffshorePresentation
public import OffshoreSync
public import OffshoreWire

/// What Anyfleet syncs.
///
/// A charter is a scope with its checklists, progress and notes, which its crew shares. The library, the
/// study of it and the choice of an active charter are each person's own.
public enum AppSchema {
  /// The kind of scope that a charter is. Whoever makes one owns it.
  package static let charterKind = "charter"
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
      claimableKinds: [charterKind],
      personalKinds: [personKind])
  }

  /// The scope of a charter.
  static func scope(ofCharter id: UUID) throws -> ScopeID {
    try ScopeID(kind: charterKind, value: id.uuidString)
  }

  private static let charters = [
    SyncTable(
      CharterRow.self, scope: .kind(charterKind, \.id), title: \.name,
      .local(\.syncStatus, \.searchText)),
    SyncTable(
      CharterChecklistRow.self, scope: .kind(charterKind, \.charterID), title: \.title,
      partOf: (CharterRow.self, \.charterID), owner: \.creatorID,
      .merged(\.updatedAt, .max)),
    // Each item is a field of its own, so that two who tick different items both keep their ticks.
    SyncTable(
      ExecutionRow.self, scope: .kind(charterKind, \.charterID),
      idSource: [\.charterID, \.checklistID], partOf: (CharterRow.self, \.charterID),
      .merged(\.itemStates, .keyed), .merged(\.lastUpdated, .max),
      // Each device counts these from the ticks and the items.
      .local(\.progressPercentage, \.completedAt, \.syncStatus)),
    SyncTable(
      ItemNoteRow.self, scope: .kind(charterKind, \.charterID),
      partOf: (CharterRow.self, \.charterID), .merged(\.lastUpdated, .max)),
  ]

  private static let personal = [
    SyncTable(
      CardProgressRow.self, scope: .kind(personKind, \.userID),
      partOf: (FlashcardDeck.self, \.deckID), .merged(\.lastUpdated, .max)),
    SyncTable(ActiveCharterRow.self, scope: .kind(personKind, \.userID)),
  ]
}
