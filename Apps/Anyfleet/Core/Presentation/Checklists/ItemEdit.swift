package import Foundation
public import OffshorePresentation

/// An edit of one item of a checklist that is run: its tick, its note, or its condition.
package enum ItemEdit: Identifiable, Sendable {
  case tick(UUID, Bool)
  case note(UUID, String?)
  case issue(UUID, ChecklistItemIssue?)

  /// The part of an item that is edited. Edits of one part replace each other.
  package enum ID: Hashable, Sendable {
    case tick(UUID)
    case note(UUID)
    case issue(UUID)

    /// The item.
    var itemID: UUID {
      switch self {
      case .tick(let item), .note(let item), .issue(let item): item
      }
    }
  }

  package var id: ID {
    switch self {
    case .tick(let item, _): .tick(item)
    case .note(let item, _): .note(item)
    case .issue(let item, _): .issue(item)
    }
  }

  /// Whether the edit adds to an item, rather than clearing a part of it.
  var isAddition: Bool {
    switch self {
    case .tick(_, let isChecked): isChecked
    case .note(_, let note): note != nil
    case .issue(_, let issue): issue != nil
    }
  }

  /// Makes the edit in what a screen shows.
  func apply(to items: inout ItemProgress) {
    switch self {
    case .tick(let item, true): items.checkedItems.insert(item)
    case .tick(let item, false): items.checkedItems.remove(item)
    case .note(let item, let note): items.change(item) { $0.note = note }
    case .issue(let item, let issue): items.change(item) { $0.issue = issue }
    }
  }
}

extension ChecklistExecutionRepository {
  /// Stores an edit of an item.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such charter.
  func save(_ edit: ItemEdit, checklistID: UUID, charterID: UUID) async throws {
    switch edit {
    case .tick(let item, let isChecked):
      try await saveItemState(
        checklistID: checklistID, charterID: charterID, itemID: item, isChecked: isChecked)
    case .note(let item, let note):
      try await saveItemNote(
        checklistID: checklistID, charterID: charterID, itemID: item, note: note)
    case .issue(let item, let issue):
      try await saveItemIssue(
        checklistID: checklistID, charterID: charterID, itemID: item, issue: issue)
    }
  }
}

extension ChecklistItemIssue {
  /// The name of the condition on screen.
  public var title: LocalizedText {
    switch self {
    case .ok: LocalizedText(en: "OK", ru: "В порядке")
    case .issue: LocalizedText(en: "Problem", ru: "Неисправность")
    case .missing: LocalizedText(en: "Missing", ru: "Отсутствует")
    case .damaged: LocalizedText(en: "Damaged", ru: "Повреждено")
    case .notApplicable: LocalizedText(en: "Not applicable", ru: "Не относится")
    }
  }
}
