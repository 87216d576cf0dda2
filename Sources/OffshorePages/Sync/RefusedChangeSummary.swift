import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// A sentence about the number of refused changes, by the fields that the app counts.
struct RefusedChangeSummary {
  /// A value that the user entered, however often it was changed.
  private struct Place: Hashable {
    let row: RowID
    let field: String
  }

  private let count: Int
  private let parts: [LocalizedText]

  /// Counts changes.
  ///
  /// In a table with counted fields only these count, because the user did not enter the others,
  /// such as dates.
  init(_ items: [RefusedItem], by fields: [AppFacts.CountedField]) {
    let tables = Set(fields.map(\.table))
    var counts = fields.map { _ in 0 }
    var others = 0
    var known: Set<Place> = []
    for item in items {
      let table = item.change.row.table
      if item.values.isEmpty, !tables.contains(table) { others += 1 }
      for value in item.values
      where known.insert(Place(row: item.change.place, field: value.field)).inserted {
        let index = fields.firstIndex { $0.table == table && $0.column == value.column }
        if let index { counts[index] += 1 } else { others += 1 }
      }
    }
    let named = zip(fields, counts).filter { $0.1 > 0 }.map { $0.0.text($0.1) }
    let namedCount = counts.reduce(0, +)
    if namedCount + others == 0 { others = items.count }
    count = namedCount + others
    let rest: LocalizedText = named.isEmpty ? .changes(others) : .otherChanges(others)
    parts = others > 0 ? named + [rest] : named
  }

  /// The sentence: “Your 2 ticks and 1 note are kept here.”
  var sentence: LocalizedText {
    LocalizedText { [count, parts] language in
      let list = Self.list(parts).in(language)
      return (count == 1 ? LocalizedText.isKept(list) : .areKept(list)).in(language)
    }
  }

  private static func list(_ texts: [LocalizedText]) -> LocalizedText {
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? .changes(0) }
    return LocalizedText { language in
      let first = texts.dropLast().map { $0.in(language) }.joined(separator: ", ")
      return LocalizedText.and(first, last.in(language)).in(language)
    }
  }
}

extension AppFrame {
  /// Returns a sentence about the number of refused changes.
  func summary(of items: [RefusedItem]) -> LocalizedText {
    RefusedChangeSummary(items, by: facts.countedFields).sentence
  }
}

extension LocalizedText {
  fileprivate static func and(_ first: String, _ last: String) -> LocalizedText {
    LocalizedText(en: "\(first) and \(last)", ru: "\(first) и \(last)")
  }

  fileprivate static func isKept(_ changes: String) -> LocalizedText {
    LocalizedText(en: "Your \(changes) is kept here.", ru: "Здесь сохранено: \(changes).")
  }

  fileprivate static func areKept(_ changes: String) -> LocalizedText {
    LocalizedText(en: "Your \(changes) are kept here.", ru: "Здесь сохранено: \(changes).")
  }

  fileprivate static func changes(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# change", other: "# changes"),
      ru: .init(one: "# изменение", few: "# изменения", many: "# изменений"))
  }

  fileprivate static func otherChanges(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# other change", other: "# other changes"),
      ru: .init(one: "ещё # изменение", few: "ещё # изменения", many: "ещё # изменений"))
  }
}
