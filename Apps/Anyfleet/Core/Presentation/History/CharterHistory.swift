package import Foundation
import Offshore
import OffshoreCalendar
package import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// The tables of a charter's history: the charter and its checklists.
package enum CharterHistory {
  /// The tables, with the labels of their fields.
  package static let tables: [HistoryTable] = [charter, checklists]

  /// The place of a checklist's own fields.
  package static func place(ofChecklist id: UUID, inCharter charterID: UUID) -> HistoryPlace {
    HistoryPlace(
      CharterChecklistRow.self, CharterChecklist.id(charterID: charterID, checklistID: id))
  }

  private static let names = FieldNames.charter

  private static let charter = HistoryTable(
    CharterRow.self,
    fields: [
      .text(\.name, label: names["name"]), .text(\.boatName, label: names["vessel"]),
      .text(\.location, label: names["destination"]), .text(\.region, label: names["region"]),
      .together(
        day(\.startDate, label: names["startDate"]), day(\.endDate, label: names["endDate"]),
        label: .dates
      ) { first, last in
        guard case .days(let start, _) = first, case .days(_, let end) = last else { return nil }
        return .days(start, end)
      }.allowed { charter, _ in charter.startDate <= charter.endDate },
      checkIn, .number(\.guests, label: names["guests"]),
      .value(\.crew, label: .crew) { crew, _ in crew.isEmpty ? .missing : .words(.crew(crew)) },
      .value(\.budget, label: names["budget"]) { budget, _ in
        budget.map { .amount($0.amount, currencyCode: $0.currencyCode) } ?? .missing
      },
      .check(\.isArchived, label: .archive, on: .inArchive, off: .notInArchive),
    ],
    updateDependants: { charter, _, writer in
      if charter.isArchived { try ActiveCharterRow.deactivateForAll(charter.id, writer) }
    })

  private static func day(
    _ property: any KeyPath<CharterRow, Date> & Sendable, label: LocalizedText
  ) -> HistoryField<CharterRow> {
    .value(property, label: label) { date, _ in
      let day = CalendarDay(containing: date)
      return .days(day, day)
    }
  }

  private static let checkIn = HistoryField<CharterRow>.reference(
    \.checkInChecklistID, label: .checkIn, unknown: .checklist
  ) { id, context in
    guard let charterID = UUID(uuidString: context.scope.value) else { return nil }
    let snapshot = CharterChecklist.id(charterID: charterID, checklistID: id)
    return try context.title(of: CharterChecklistRow.self, snapshot)
      ?? context.title(of: Checklist.self, id)
  }.allowed { charter, context in
    guard let id = charter.checkInChecklistID else { return true }
    return try CharterChecklistRow.row(id, inCharter: charter.id).exists(context.reader)
  }

  private static let checklists = HistoryTable(
    CharterChecklistRow.self, name: .checklist,
    fields: [
      .text(\.title, label: names["title"]), .text(\.description, label: names["description"]),
      .collection(\.sections, label: .items, count: { .items($0) }) {
        $0.flatMap(\.items).map(\.title)
      },
      .value(\.position, label: .place) { position, _ in .number(position + 1) },
    ],
    title: { id, context in
      // A checklist that was removed from the charter may still be in the library.
      guard let charterID = UUID(uuidString: context.scope.value) else { return nil }
      return try Checklist.all.readable(context.reader).rows.first {
        CharterChecklist.id(charterID: charterID, checklistID: $0.id).uuidString == id
      }?.title
    },
    updateDependants: { checklist, now, writer in
      try CharterChecklistRow.find(checklist.id)
        .update(writer) { [$0.updatedAt.set(now.roundedToMilliseconds)] }
      try ExecutionRow.countProgress(
        of: ExecutionRow.rows(checklist.checklistID, inCharter: checklist.charterID), writer)
    })
}

extension LocalizedText {
  fileprivate static let archive = LocalizedText(en: "Archive", ru: "Архив")
  fileprivate static let inArchive = LocalizedText(en: "put away", ru: "в архиве")
  fileprivate static let notInArchive = LocalizedText(en: "not put away", ru: "не в архиве")
  fileprivate static let items = LocalizedText(en: "Items", ru: "Пункты")
  fileprivate static let place = LocalizedText(en: "Place", ru: "Место")

  fileprivate static func crew(_ crew: [CrewMember]) -> LocalizedText {
    LocalizedText { language in
      crew.map { "\($0.name) (\($0.role.title.in(language).lowercased()))" }
        .joined(separator: ", ")
    }
  }
}
