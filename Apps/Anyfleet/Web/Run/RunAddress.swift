import Foundation

/// What a crew does with a checklist that it runs, each posted to an address of its own.
struct RunAddress: Equatable {
  let charterID: UUID
  let checklistID: UUID

  /// The page itself.
  var page: String { Address.checklist(checklistID, in: charterID) }
  /// The page on which the charter's snapshot is changed.
  var edit: String { "\(page)/edit" }
  /// Where it is posted that the checklist is finished.
  var finish: String { "\(page)/finish" }
  /// Where it is posted that the checklist is to be begun anew.
  var reset: String { "\(page)/reset" }
  /// Where it is posted that this is to be undone.
  var undo: String { "\(reset)/undo" }
  /// Where it is posted that it need not be undone.
  var dismiss: String { "\(reset)/dismiss" }

  /// Where the new tick of an item is posted.
  func tick(_ item: UUID) -> String { Address.item(item, of: checklistID, in: charterID) }

  /// Where note and issue of an item are posted.
  func remarks(_ item: UUID) -> String { "\(tick(item))/remarks" }

  /// The page of what was decided of an item.
  func history(_ item: UUID) -> String { "\(tick(item))/history" }

  /// The place of an item on the page.
  func place(of item: UUID) -> String { "#item-\(item)" }
}
