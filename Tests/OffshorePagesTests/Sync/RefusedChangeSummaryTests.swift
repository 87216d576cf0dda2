import Foundation
import OffshorePresentation
import OffshoreWire
import Testing

@testable import OffshorePages
@testable import OffshoreSync

/// The sentence that counts refused changes.
struct RefusedChangeSummaryTests {
  private let fields = [
    AppFacts.CountedField("items", "ticks") { count in
      .counted(
        count, en: .init(one: "# tick", other: "# ticks"),
        ru: .init(one: "# отметка", few: "# отметки", many: "# отметок"))
    },
    AppFacts.CountedField("items", "title") { count in
      .counted(
        count, en: .init(one: "# title", other: "# titles"),
        ru: .init(one: "# название", few: "# названия", many: "# названий"))
    },
  ]

  /// A refused change of a row, with values in fields.
  private func change(
    _ row: String, _ fields: String..., of table: String = "items"
  ) -> RefusedItem {
    let change = RefusedChange(
      id: 1, row: RowName(table: table), reason: .gone, date: .distantPast, canRetry: false,
      end: nil, member: nil, isInPlace: false, place: RowID(table: table, id: row), scope: nil,
      values: [:])
    return RefusedItem(
      change: change,
      values: fields.map { .init(field: $0, label: .lists, value: .number(1)) })
  }

  private func sentence(_ changes: RefusedItem..., in language: Language = .english) -> String {
    RefusedChangeSummary(changes, by: fields).sentence.in(language)
  }

  @Test func `Changes are counted by their kinds, in the order of the app`() {
    let changes = [change("a", "title"), change("b", "ticks.1", "ticks.2")]
    #expect(sentence(changes[0], changes[1]) == "Your 2 ticks and 1 title are kept here.")
    #expect(
      sentence(changes[0], changes[1], in: .russian)
        == "Здесь сохранено: 2 отметки и 1 название.")
    #expect(sentence(changes[0]) == "Your 1 title is kept here.")
  }

  @Test func `A value that was changed twice counts once`() {
    #expect(
      sentence(change("a", "title"), change("a", "title"), change("b", "title"))
        == "Your 2 titles are kept here.")
  }

  @Test func `Changes without a name of their own are the rest`() {
    let list = change("x", "title", of: "lists")
    #expect(sentence(list, change("y", of: "lists")) == "Your 2 changes are kept here.")
    #expect(
      sentence(change("a", "ticks.1", "title"), list)
        == "Your 1 tick, 1 title and 1 other change are kept here.")
    #expect(
      sentence(change("a", "title"), list, in: .russian)
        == "Здесь сохранено: 1 название и ещё 1 изменение.")
  }

  @Test func `A change without a counted value is not counted in a counted table`() {
    #expect(sentence(change("a"), change("a", "title")) == "Your 1 title is kept here.")
    #expect(sentence(change("a"), change("b")) == "Your 2 changes are kept here.")
  }
}
