package import Foundation
import Offshore
package import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// The histories of the items of a checklist in a charter. Ticks and notes are in different tables.
package struct ItemHistory {
  let checklistID: UUID
  let charterID: UUID
  private let state: UUID

  init(checklistID: UUID, charterID: UUID) {
    self.checklistID = checklistID
    self.charterID = charterID
    state = ChecklistExecutionState.id(charterID: charterID, checklistID: checklistID)
  }

  /// Returns the history of one item, or of all items of the charter.
  /// - Throws: `WireError`, which ids never cause.
  func history(of itemID: UUID? = nil, in store: SyncedStore) throws -> History {
    History(
      of: try ScopeID.charter(charterID), in: LoggedStore(store),
      [ticks, notes(of: itemID)], places: itemID.map { places(of: $0) }
    ) { reader in
      guard try CharterRow.find(charterID).exists(reader),
        let checklist = try CharterChecklistRow.checklist(
          checklistID, inCharter: charterID, reader),
        let item = checklist.items.first(where: { $0.id == itemID })
      else { return nil }
      return HistoryContent.Heading(item.title, back: checklist.title)
    }
  }

  /// Returns the places of the tick and the notes of an item.
  func places(of itemID: UUID) -> Set<HistoryPlace> {
    [
      HistoryPlace(ExecutionRow.self, state, key: itemID.uuidString),
      HistoryPlace(ItemNoteRow.self, UUID(name: itemID.uuidString, in: state)),
    ]
  }

  // MARK: - Tables

  /// The stored tick of an item. Its date is ignored, so that ticks at different times are equal.
  private struct Tick: Decodable, Equatable {
    let checked: Bool
  }

  private static let tick = HistoryField<ExecutionRow>.keys(
    of: \.itemStates, label: .tick, as: Tick.self
  ) { tick in
    .words(tick.map { $0.checked ? .ticked : .unticked } ?? .cleared)
  }

  private static let remarks: [HistoryField<ItemNoteRow>] = [
    .text(\.note, label: FieldNames.common["note"], joinedBy: "\n").allowed { note, _ in
      note.note.map { $0.count <= ChecklistExecutionViewModel.maximumNoteLength } ?? true
    },
    .value(\.issue, label: .condition) { issue, _ in
      issue.map { .words($0.title) } ?? .missing
    },
  ]

  /// The tables of the items of all checklists, for a list of open conflicts.
  package static let tables = [
    HistoryTable(ExecutionRow.self, name: .checklist, fields: [tick]),
    HistoryTable(ItemNoteRow.self, name: .item, fields: remarks),
  ]

  /// Returns the item of a place, or `nil` if its row is not on this device.
  package static func item(
    at place: HistoryPlace, _ context: HistoryContext
  ) throws -> (charter: UUID, checklist: UUID, item: UUID)? {
    guard let id = UUID(uuidString: place.id) else { return nil }
    if place.table == ItemNoteRow.table.name {
      return try ItemNoteRow.find(id).first(context.reader)
        .map { ($0.charterID, $0.checklistID, $0.itemID) }
    }
    guard let state = try ExecutionRow.find(id).first(context.reader),
      let item = place.key.flatMap(UUID.init(uuidString:))
    else { return nil }
    return (state.charterID, state.checklistID, item)
  }

  private var ticks: HistoryTable {
    HistoryTable(
      ExecutionRow.self, fields: [Self.tick],
      blank: { [checklistID, charterID] _, now in
        ExecutionRow(
          checklistID: checklistID, charterID: charterID, at: now.roundedToMilliseconds)
      },
      updateDependants: { state, now, writer in
        var state = state
        try state.saveChange(at: now.roundedToMilliseconds, writer)
      })
  }

  private func notes(of itemID: UUID?) -> HistoryTable {
    HistoryTable(
      ItemNoteRow.self, fields: Self.remarks,
      blank: { [checklistID, charterID] _, now in
        let state = ExecutionRow(checklistID: checklistID, charterID: charterID, at: now)
        return itemID.map { ItemNoteRow(of: $0, in: state, at: now.roundedToMilliseconds) }
      },
      updateDependants: { note, now, writer in
        let now = now.roundedToMilliseconds
        var state = try ExecutionRow.row(
          note.checklistID, inCharter: note.charterID, at: now, writer)
        try state.saveChange(at: now, writer)
        try ItemNoteRow.find(note.id).update(writer) { [$0.lastUpdated.set(now)] }
      })
  }
}

extension AppDependencies {
  /// Returns the history of a charter and its checklists.
  package func makeCharterHistory(_ charterID: UUID) -> History? {
    // NB: An id is always a valid scope.
    (try? ScopeID.charter(charterID)).map {
      History(of: $0, in: LoggedStore(database.store), CharterHistory.tables)
    }
  }

  /// Returns the history of an item of a checklist in a charter.
  /// - Throws: `WireError`, which ids never cause.
  package func makeItemHistory(
    _ itemID: UUID, checklistID: UUID, charterID: UUID
  ) throws -> History {
    try ItemHistory(checklistID: checklistID, charterID: charterID)
      .history(of: itemID, in: database.store)
  }
}

extension LocalizedText {
  fileprivate static let tick = LocalizedText(en: "Tick", ru: "Отметка")
  fileprivate static let ticked = LocalizedText(en: "ticked", ru: "отмечено")
  fileprivate static let unticked = LocalizedText(en: "unticked", ru: "отметка снята")
  fileprivate static let cleared = LocalizedText(en: "cleared", ru: "очищено")
  fileprivate static let item = LocalizedText(en: "Item", ru: "Пункт")
  fileprivate static let condition = LocalizedText(en: "Condition", ru: "Состояние")
}
