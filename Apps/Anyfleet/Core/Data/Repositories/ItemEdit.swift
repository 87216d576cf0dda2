public import Foundation

/// An edit of one item of a running checklist: its tick, its note, or its condition.
public enum ItemEdit: Identifiable, Sendable {
  case tick(UUID, Bool)
  /// The note; `nil` or a blank text removes it.
  case note(UUID, String?)
  /// The condition; `nil` removes it.
  case issue(UUID, ChecklistItemIssue?)

  /// The edited part of an item. Edits of the same part replace each other.
  public enum ID: Hashable, Sendable {
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

  public var id: ID {
    switch self {
    case .tick(let item, _): .tick(item)
    case .note(let item, _): .note(item)
    case .issue(let item, _): .issue(item)
    }
  }

  /// The name of the operation in the log.
  var operation: StaticString {
    switch self {
    case .tick: "saveItemState"
    case .note: "saveItemNote"
    case .issue: "saveItemIssue"
    }
  }

  /// Whether the edit sets a part of the item, rather than clearing it.
  var isAddition: Bool {
    switch self {
    case .tick(_, let isChecked): isChecked
    case .note(_, let note): note != nil
    case .issue(_, let issue): issue != nil
    }
  }

  /// Applies the edit to the progress on a screen.
  /// - Parameter check: the check that a tick adds.
  func apply(to items: inout ItemProgress, as check: ItemCheck) {
    switch self {
    case .tick(let item, true): items.checks[item] = items.checks[item] ?? check
    case .tick(let item, false): items.checks[item] = nil
    case .note(let item, let note): items.change(item) { $0.note = note }
    case .issue(let item, let issue): items.change(item) { $0.issue = issue }
    }
  }
}

/// The ticks, notes and conditions of a checklist's items in one charter.
public struct ItemProgress: Equatable, Sendable {
  /// The checks by item, including items that the checklist no longer contains.
  package var checks: [UUID: ItemCheck] = [:]
  /// The notes and conditions, by item.
  package var remarks: [UUID: ItemRemarks] = [:]
  /// The errors of unreadable notes.
  package var unreadable: [RepositoryError] = []

  /// The checked items, including items that the checklist no longer contains.
  package var checkedItems: Set<UUID> { Set(checks.keys) }

  /// Changes the remarks of an item.
  mutating func change(_ item: UUID, _ body: (inout ItemRemarks) -> Void) {
    var changed = remarks[item] ?? ItemRemarks()
    body(&changed)
    remarks[item] = changed == ItemRemarks() ? nil : changed
  }
}

extension ItemProgress {
  init(
    _ states: ItemStates?, _ notes: [ItemNoteRow], unreadable: [RepositoryError]
  ) {
    self.unreadable = unreadable
    let entries = states?.entries ?? [:]
    checks.reserveCapacity(entries.count)
    for (item, entry) in entries where entry.isChecked {
      checks[item] = ItemCheck(at: entry.checkedAt, by: entry.checkedBy)
    }
    for row in notes where row.note != nil || row.issue != nil {
      remarks[row.itemID] = ItemRemarks(note: row.note, issue: row.issue)
    }
  }
}
