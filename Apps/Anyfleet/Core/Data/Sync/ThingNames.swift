import Foundation
import Offshore
import OffshoreWire

/// Finds out what synced rows are called, for as long as one read lasts.
final class ThingNames {
  private struct Key: Hashable {
    let charterID: UUID
    let checklistID: UUID
  }

  private let reader: Reader
  /// The checklists that were looked at: many rows are of one.
  private var checklists: [Key: Checklist?] = [:]

  init(reader: Reader) { self.reader = reader }

  /// What a row is.
  /// - Parameter former: the values that it had, for one that is not there any more.
  func thing(_ row: RowID, _ former: [String: WireValue] = [:]) throws -> SyncedThing {
    let value = { (column: String) in try self.text(column, of: row) ?? former[column]?.string }
    switch row.table {
    case CharterRow.table.name: return SyncedThing(.charter, title: try value("name"))
    case CharterChecklistRow.table.name:
      return SyncedThing(
        .charterChecklist, title: try value("title"),
        charterName: try charterName(try value("charterID")))
    case ExecutionRow.table.name, ItemNoteRow.table.name:
      return try inCharter(
        try value("charterID"), try value("checklistID"), item: try value("itemID"))
    case Checklist.table.name: return SyncedThing(.checklist, title: try value("title"))
    case PracticeGuide.table.name: return SyncedThing(.guide, title: try value("title"))
    case FlashcardDeck.table.name: return SyncedThing(.deck, title: try value("title"))
    case CardProgressRow.table.name:
      let deck = try value("deckID").map { RowID(table: FlashcardDeck.table.name, id: $0) }
      return SyncedThing(.study, title: try deck.flatMap { try text("title", of: $0) })
    case ActiveCharterRow.table.name:
      return SyncedThing(.activeCharter, title: try charterName(try value("charterID")))
    default: return SyncedThing(.unknown)
    }
  }

  /// The row without which a row is not, where there is one.
  func owner(of row: RowID, _ former: [String: WireValue]) throws -> RowID? {
    let owner: (table: String, column: String)? =
      switch row.table {
      case CharterChecklistRow.table.name, ExecutionRow.table.name, ItemNoteRow.table.name:
        (CharterRow.table.name, "charterID")
      case CardProgressRow.table.name: (FlashcardDeck.table.name, "deckID")
      default: nil
      }
    guard let owner else { return nil }
    let id = try text(owner.column, of: row) ?? former[owner.column]?.string
    return id.map { RowID(table: owner.table, id: $0) }
  }

  // MARK: - Steps

  /// What is ticked of a checklist, or noted of one of its items.
  private func inCharter(
    _ charter: String?, _ checklist: String?, item: String?
  ) throws -> SyncedThing {
    let ids = (charter.flatMap(UUID.init(uuidString:)), checklist.flatMap(UUID.init(uuidString:)))
    var known: Checklist?
    if let charterID = ids.0, let id = ids.1 {
      known = looked(up: Key(charterID: charterID, checklistID: id))
    }
    guard let item else {
      return SyncedThing(.ticks, title: known?.title, charterName: try charterName(charter))
    }
    let itemID = UUID(uuidString: item)
    return SyncedThing(
      .note, title: known?.items.first { $0.id == itemID }?.title ?? known?.title,
      charterName: try charterName(charter))
  }

  /// What cannot be read is not named.
  private func looked(up key: Key) -> Checklist? {
    if let known = checklists[key] { return known }
    let found = try? LocalRepository.checklist(key.checklistID, in: key.charterID, reader)
    checklists[key] = .some(found)
    return found
  }

  private func charterName(_ id: String?) throws -> String? {
    try id.flatMap { try text("name", of: RowID(table: CharterRow.table.name, id: $0)) }
  }

  /// A text of a row; none where it has no such column or is not there.
  private func text(_ column: String, of row: RowID) throws -> String? {
    let (table, columns) = (row.table, Self.columns[row.table])
    guard let columns, columns.contains(column) else { return nil }
    let key: SQL = table == ActiveCharterRow.table.name ? "userID" : "id"
    return try SQL(
      "SELECT \(identifier: column) FROM \(identifier: table) WHERE \(key) = \(row.id)"
    ).one(reader, as: String?.self) ?? nil
  }

  private static let columns: [String: Set<String>] = [
    CharterRow.table.name: ["name"], CharterChecklistRow.table.name: ["title", "charterID"],
    ExecutionRow.table.name: ["charterID", "checklistID"],
    ItemNoteRow.table.name: ["charterID", "checklistID", "itemID"],
    Checklist.table.name: ["title"], PracticeGuide.table.name: ["title"],
    FlashcardDeck.table.name: ["title"], CardProgressRow.table.name: ["deckID"],
    ActiveCharterRow.table.name: ["charterID"],
  ]
}
