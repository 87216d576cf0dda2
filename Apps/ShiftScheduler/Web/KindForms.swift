import Foundation
import OffshoreCalendar
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

extension ShiftApp {
  private var back: PageLink { PageLink(say(.kinds), to: ShiftRoute.kinds.address) }

  /// Returns the page on which a record is added or changed.
  func form(of kind: ShiftRoute.Kind, _ id: UUID?) -> any RoutedPage {
    let store = store()
    let link = id.map { (title: LocalizedText.delete, route: ShiftRoute.remove(kind, $0)) }
    switch kind {
    case .types:
      return editor(
        store, in: .kinds, back: back, typeFields(store), of: id, new: .newType, link: link
      ) {
        ShiftType(id: $0, symbol: "", duration: .standard, title: "")
      } fetch: { id in
        store.shiftTypes.shiftTypes.first { $0.id == id }
      } save: { [records] before, type in
        try type.check()
        try await records.apply([.shiftType(before: before, after: type)])
      } next: { _ in
        .kinds
      }
    case .locations:
      return editor(
        store, in: .kinds, back: back, locationFields, of: id, new: .newLocation, link: link
      ) {
        Location(id: $0, name: "")
      } fetch: { id in
        store.locations.locations.first { $0.id == id }
      } save: { [records] before, location in
        try location.check()
        try await records.apply([.location(before: before, after: location)])
      } next: { _ in
        .kinds
      }
    }
  }

  private var locationFields: [DraftField<Location>] {
    [
      .line(
        "name", \.name, label: LocalizedText(en: "Name", ru: "Название"),
        limit: EntryProblem.nameLimit, isRequired: true),
      .text(
        "address", \.address, label: LocalizedText(en: "Address", ru: "Адрес"), rows: 2,
        limit: EntryProblem.textLimit),
    ]
  }

  private func typeFields(_ store: ShiftStore) -> [DraftField<ShiftType>] {
    [
      .line(
        "title", \.title, label: LocalizedText(en: "Title", ru: "Название"),
        limit: EntryProblem.nameLimit, isRequired: true),
      .line(
        "symbol", \.symbol, label: LocalizedText(en: "Symbol", ru: "Символ"), hint: .oneSymbol,
        limit: 16, isRequired: true
      ).explaining(.oneSymbol),
      .color("color", \.color, label: LocalizedText(en: "Color", ru: "Цвет")),
      .check("allDay", \.isAllDay, label: .allDay),
      .time("from", \.start, label: LocalizedText(en: "From", ru: "С"))
        .grouped("times", label: LocalizedText(en: "Times", ru: "Время")),
      .time("to", \.end, label: LocalizedText(en: "To", ru: "До")).grouped("times"),
      .choice("location", \.locationID, label: .location) {
        [DraftChoice("", LocalizedText(en: "No location", ru: "Без места"))]
          + store.locations.locations.map { DraftChoice($0.id.uuidString, $0.title) }
      },
      .text(
        "description", \.description, label: LocalizedText(en: "Description", ru: "Описание"),
        rows: 3, limit: EntryProblem.textLimit),
    ]
  }

  // MARK: - Removals

  /// Returns the page on which a record is deleted, with a choice for the records that use it.
  func removal(of kind: ShiftRoute.Kind, _ id: UUID) -> any RoutedPage {
    let store = store()
    @MainActor func subject() async throws -> RemovalPage.Subject? {
      await store.load(.locations(.onAppear), .shiftTypes(.onAppear))
      if let error = store.state.problem { throw error }
      return try await self.subject(of: kind, id, store)
    }
    return RemovalPage(frame, in: .kinds, back: back) {
      try await subject()
    } remove: { [self] choice in
      let title = try await subject()?.title ?? ""
      let replacement: Replacement? =
        choice == "clear" ? .clear : choice.flatMap { UUID(uuidString: $0) }.map { .move(to: $0) }
      await store.load(.remove(kind == .types ? .shiftType(id) : .location(id), replacement))
      if let error = store.state.problem { throw error }
      // The records that use it have changed meanwhile.
      if store.state.removal != nil { throw AppError.sync(.conflict) }
      offerUndo(.deleted(title), of: try await deletion(of: id))
    }
  }

  private func subject(
    of kind: ShiftRoute.Kind, _ id: UUID, _ store: ShiftStore
  ) async throws -> RemovalPage.Subject? {
    let (types, locations) = (store.shiftTypes.shiftTypes, store.locations.locations)
    func choices(_ clear: LocalizedText, _ others: [(UUID, LocalizedText)]) -> [DraftChoice] {
      [DraftChoice("clear", clear)]
        + others.filter { $0.0 != id }.map { DraftChoice($0.0.uuidString, .moveTo($0.1)) }
    }
    switch kind {
    case .types:
      guard let type = types.first(where: { $0.id == id }) else { return nil }
      let count = type.uses(in: try await records.loadShifts()).count
      return RemovalPage.Subject(
        type.title, question: count > 0 ? .shiftsOfType(count) : nil,
        choices: choices(
          LocalizedText(en: "Delete the shifts, too", ru: "Удалить и смены"),
          types.map { ($0.id, $0.name) }))
    case .locations:
      guard let location = locations.first(where: { $0.id == id }) else { return nil }
      let count = location.uses(in: types).count
      return RemovalPage.Subject(
        location.name, question: count > 0 ? .typesAtLocation(count) : nil,
        choices: choices(
          LocalizedText(en: "They have no location then", ru: "Оставить их без места"),
          locations.map { ($0.id, $0.title) }))
    }
  }
}

extension ShiftType {
  fileprivate var isAllDay: Bool {
    get { duration == .allDay }
    set { if newValue != isAllDay { duration = newValue ? .allDay : .standard } }
  }

  fileprivate var start: TimeOfDay {
    get { times.start }
    set { if !isAllDay { duration = .scheduled(from: newValue, to: times.end) } }
  }

  fileprivate var end: TimeOfDay {
    get { times.end }
    set { if !isAllDay { duration = .scheduled(from: times.start, to: newValue) } }
  }

  /// The times; those of the standard shift for the whole day.
  private var times: (start: TimeOfDay, end: TimeOfDay) {
    switch duration {
    case .scheduled(let start, let end): (start, end)
    case .allDay: (TimeOfDay(hour: 9, minute: 0), TimeOfDay(hour: 17, minute: 0))
    }
  }
}
