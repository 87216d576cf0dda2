import Foundation
import Offshore
import OffshoreSync

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
