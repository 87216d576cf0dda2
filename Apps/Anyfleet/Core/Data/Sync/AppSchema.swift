import Foundation
import OffshoreSync
public import OffshoreWire

/// What Anyfleet syncs.
///
/// A charter is a scope with its checklists, progress and notes, which its crew shares. The library, the
/// study of it and the choice of an active charter are each person's own.
public enum AppSchema {
  /// The kind of scope that a charter is. Whoever makes one owns it.
  static let charterKind = "charter"
  /// The kind of scope that is a person's own.
  static let personKind = "person"

  /// What a server is told of it.
  /// - Throws: `SyncError` where a declaration contradicts the tables.
  public static func manifest() throws -> Manifest { try make().manifest }

  /// - Throws: `SyncError` where a declaration contradicts the tables.
  static func make() throws -> SyncSchema {
    try SyncSchema(
      version: 1, tables: charters + library, claimableKinds: [charterKind],
      personalKinds: [personKind])
  }

  /// The scope of a charter.
  static func scope(ofCharter id: UUID) throws -> ScopeID {
    try ScopeID(kind: charterKind, value: id.uuidString)
  }

  private static let charters = [
    SyncTable(
      CharterRow.self, scopeKind: charterKind, scopeColumn: "id",
      columns: ["syncStatus": .local, "searchText": .local]),
    SyncTable(
      CharterChecklistRow.self, scopeKind: charterKind, scopeColumn: "charterID",
      columns: ["updatedAt": .merged(.max)]),
    // Each item is a field of its own, so that two who tick different items both keep their ticks.
    SyncTable(
      ExecutionRow.self, scopeKind: charterKind, scopeColumn: "charterID",
      idSource: ["charterID", "checklistID"],
      columns: [
        "itemStates": .merged(.keyed), "lastUpdated": .merged(.max),
        // Each device counts these from the ticks and the items.
        "progressPercentage": .local, "completedAt": .local, "syncStatus": .local,
      ]),
    SyncTable(
      ItemNoteRow.self, scopeKind: charterKind, scopeColumn: "charterID",
      columns: ["lastUpdated": .merged(.max)]),
  ]

  private static let library = [
    SyncTable(
      Checklist.self, scopeKind: personKind, scopeColumn: "creatorID",
      columns: ["updatedAt": .merged(.max)]),
    SyncTable(
      PracticeGuide.self, scopeKind: personKind, scopeColumn: "creatorID",
      columns: ["updatedAt": .merged(.max)]),
    SyncTable(
      FlashcardDeck.self, scopeKind: personKind, scopeColumn: "creatorID",
      columns: ["updatedAt": .merged(.max)]),
    SyncTable(
      CardProgressRow.self, scopeKind: personKind, scopeColumn: "userID",
      columns: ["lastUpdated": .merged(.max)]),
    SyncTable(ActiveCharterRow.self, scopeKind: personKind, scopeColumn: "userID"),
  ]
}
