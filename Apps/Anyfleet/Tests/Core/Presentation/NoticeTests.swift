import OffshorePresentation
import Testing

@testable import Anyfleet

struct NoticeTests {
  private func damage(_ table: String?, _ rows: Int...) -> [AppError] {
    rows.map { .database(.unreadable(StoredPlace(table: table, column: "name", row: "\($0)"))) }
  }

  private func sentences(_ errors: [AppError], _ language: Language = .english) -> [String] {
    UnreadableEntryNotices.notices(of: errors).map { $0.text.in(language) }
  }

  @Test func `Unreadable rows are counted by kind, in the order in which they were found`() {
    let errors =
      damage("practiceGuides", 1) + damage("charters", 1, 2) + damage("practiceGuides", 2, 3)
    #expect(
      sentences(errors) == [
        "3 guides cannot be read and are left out.",
        "2 charters cannot be read and are left out.",
      ])
    #expect(
      UnreadableEntryNotices.notices(of: errors)[1].places.map(\.description) == [
        "charters.name, 1", "charters.name, 2",
      ])
  }

  @Test func `A repeated row counts once, and other errors are shown once, after the rows`() {
    let errors = [AppError.database(.readFailed)] + damage("charters", 1, 1)
    #expect(
      sentences(errors + errors) == [
        "1 charter cannot be read and is left out.", "Your data could not be read.",
      ])
    #expect(UnreadableEntryNotices.notices(of: errors).map(\.isRetryable) == [false, true])
    #expect(UnreadableEntryNotices.notices(of: []).isEmpty)
  }

  @Test func `Ticks and notes are of one kind`() {
    let errors = damage("checklistExecutionStates", 1) + damage("checklistItemNotes", 2)
    #expect(sentences(errors) == ["2 records of progress cannot be read and are left out."])
  }

  @Test(arguments: [
    ("charters", ["чартер", "чартера", "чартеров"]),
    ("checklists", ["чек-лист", "чек-листа", "чек-листов"]),
    ("practiceGuides", ["руководство", "руководства", "руководств"]),
    ("flashcardDecks", ["колода", "колоды", "колод"]),
    (
      "charterChecklists",
      ["чек-лист этого чартера", "чек-листа этого чартера", "чек-листов этого чартера"]
    ),
    ("checklistItemNotes", ["запись", "записи", "записей"]),
    ("flashcardProgress", ["карточке", "карточкам", "карточкам"]),
    ("unknown", ["запись", "записи", "записей"]),
  ]) func `Each kind has the right plural form in Russian`(_ table: String, _ forms: [String]) {
    for (count, form) in zip([1, 2, 5, 11, 21, 22], [0, 1, 2, 2, 0, 1]) {
      let text = UnreadableEntryNotices.text(in: table, count)
      #expect(text.in(.russian).contains("\(count) \(forms[form]) "))
      #expect(text.in(.english).contains("\(count) "))
    }
  }

  @Test func `A row that is shown already is not reported as left out if it becomes unreadable`()
    throws
  {
    let error = try #require(damage("charters", 1).first)
    #expect(sentences([error.forShownValue]) == ["This cannot be read."])
    #expect(AppError.database(.busy).forShownValue == .database(.busy))
  }
}
