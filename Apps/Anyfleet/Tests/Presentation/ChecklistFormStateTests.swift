import Foundation
import OffshorePresentation
import Testing

@testable import Anyfleet

struct ChecklistFormStateTests {
  /// Two sections, “A” with the items 0 and 1, and “B” with the item 2.
  private var form: ChecklistFormState {
    var form = ChecklistFormState()
    form.title = "Check-in"
    let items = (0..<3).map { ChecklistItem(id: UUID(), title: "\($0)") }
    form.sections = [
      ChecklistSection(id: UUID(), title: "A", items: Array(items[..<2])),
      ChecklistSection(id: UUID(), title: "B", items: Array(items[2...])),
    ]
    return form
  }

  private func shape(_ form: ChecklistFormState) -> [String] {
    form.sections.map { $0.title + ":" + $0.items.map(\.title).joined() }
  }

  // MARK: - Changing

  @Test func `Sections are added, changed, moved within the list, and removed`() {
    var form = form
    let ids = form.sections.map(\.id)
    form.moveSection(ids[0], .up)
    form.moveSection(ids[1], .down)
    #expect(shape(form) == ["A:01", "B:2"])
    form.moveSection(ids[0], .down)
    #expect(shape(form) == ["B:2", "A:01"])
    form.moveSection(ids[0], .up)
    let added = UUID()
    form.addSection(id: added)
    #expect(form.sections.last?.isExpandedByDefault == true)
    form.updateSection(added) { $0.title = "C" }
    #expect(shape(form) == ["A:01", "B:2", "C:"])
    form.removeSection(ids[0])
    form.removeSection(UUID())
    form.updateSection(UUID()) { $0.title = "?" }
    form.moveSection(UUID(), .up)
    #expect(shape(form) == ["B:2", "C:"])
  }

  @Test func `Items are added, changed, moved also between sections, and removed`() {
    var form = form
    let (sections, items) = (form.sections.map(\.id), form.items.map(\.id))
    form.moveItem(items[0], .up)
    form.moveItem(items[2], .down)
    #expect(shape(form) == ["A:01", "B:2"])
    form.moveItem(items[0], .down)
    #expect(shape(form) == ["A:10", "B:2"])
    form.moveItem(items[0], .down)
    #expect(shape(form) == ["A:1", "B:02"])
    form.moveItem(items[0], .up)
    #expect(shape(form) == ["A:10", "B:2"])
    let added = UUID()
    form.addItem(id: added, to: sections[1])
    form.updateItem(added) { ($0.title, $0.isCritical) = ("3", true) }
    #expect(shape(form) == ["A:10", "B:23"])
    form.removeItem(items[1])
    form.removeItem(UUID())
    form.updateItem(UUID()) { $0.title = "?" }
    form.addItem(id: UUID(), to: UUID())
    form.moveItem(UUID(), .down)
    #expect(shape(form) == ["A:0", "B:23"])
    #expect(form.items.map(\.id) == [items[0], items[2], added])
  }

  // MARK: - Validation

  private func fields(_ change: (inout ChecklistFormState) -> Void) -> [ChecklistFormField] {
    var form = form
    change(&form)
    return form.problems.map(\.field)
  }

  private func text(_ count: Int) -> String { String(repeating: "é", count: count) }

  @Test func `A good form has no problem, also with texts as long as may be`() {
    #expect(form.problems == [])
    let problems = fields {
      $0.title = text(80) + " "
      $0.description = text(500)
      $0.sections[0].title = text(80)
      $0.sections[0].items[0].title = text(120)
      $0.sections[0].items[0].note = text(500)
    }
    #expect(problems == [])
  }

  @Test func `Empty and overlong texts are said beside their fields`() {
    let form = form
    let (section, item) = (form.sections[1].id, form.items[2].id)
    func problem(_ change: (inout ChecklistFormState) -> Void) -> ChecklistFormField? {
      var form = form
      change(&form)
      #expect(form.problems.count == 1)
      return form.problems.first?.field
    }
    #expect(problem { $0.title = " \n" } == .title)
    #expect(problem { $0.title = text(81) } == .title)
    #expect(problem { $0.description = text(501) } == .description)
    #expect(problem { $0.sections[1].title = " " } == .sectionTitle(section))
    #expect(problem { $0.sections[1].title = text(81) } == .sectionTitle(section))
    #expect(problem { $0.sections[1].items[0].title = "" } == .itemTitle(item))
    #expect(problem { $0.sections[1].items[0].title = text(121) } == .itemTitle(item))
    #expect(problem { $0.sections[1].items[0].note = text(501) } == .itemNote(item))
  }

  @Test func `There is at least one item, and not more sections and items than may be`() {
    #expect(fields { $0.sections = [] } == [.content])
    #expect(
      fields { for index in $0.sections.indices { $0.sections[index].items = [] } }
        == [.content])
    func items(_ count: Int) -> [ChecklistItem] {
      (0..<count).map { ChecklistItem(id: UUID(), title: "\($0)") }
    }
    #expect(fields { $0.sections[0].items = items(499) } == [])
    #expect(fields { $0.sections[0].items = items(500) } == [.content])
    func sections(_ count: Int) -> [ChecklistSection] {
      (0..<count).map { ChecklistSection(id: UUID(), title: "\($0)") }
    }
    #expect(fields { $0.sections += sections(48) } == [])
    #expect(fields { $0.sections += sections(49) } == [.content])
  }

  @Test(arguments: Language.allCases)
  func `Each problem is a sentence in each language`(language: Language) {
    var form = form
    form.title = ""
    form.description = text(501)
    form.sections[0].title = ""
    form.sections[0].items[0].title = ""
    form.sections[0].items[1].note = text(501)
    let sentences = form.problems.map { $0.message.in(language) }
    #expect(sentences.count == 5)
    for sentence in sentences {
      #expect(sentence.hasSuffix("."))
      #expect(sentence.contains(/[а-я]/) == (language == .russian))
    }
  }
}
