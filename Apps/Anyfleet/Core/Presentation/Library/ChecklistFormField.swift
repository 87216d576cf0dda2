public import Foundation
import OffshorePresentation

/// A field of a checklist's form.
public enum ChecklistFormField: Hashable, Sendable {
  case title
  case description
  /// The checklist's sections and items as a whole.
  case content
  case sectionTitle(UUID)
  case itemTitle(UUID)
  case itemNote(UUID)
}

extension ChecklistFormState {
  /// All that keeps the checklist from being saved, in the order of the fields.
  public var problems: [EntryProblem<ChecklistFormField>] {
    let head: [EntryProblem<ChecklistFormField>?] = [
      .required(
        title, .title, named: "title", limit: Checklist.maximumTitleLength, empty: .enterTitle),
      .limited(
        description, .description, named: "description",
        limit: Checklist.maximumDescriptionLength),
      contentProblem,
    ]
    return head.compactMap(\.self) + sections.flatMap(problems)
  }

  private var contentProblem: EntryProblem<ChecklistFormField>? {
    switch (items.count, sections.count) {
    case (0, _): EntryProblem(.content, .addItem)
    case (let items, _) where items > Checklist.maximumItemCount:
      EntryProblem(.content, .tooManyItems(Checklist.maximumItemCount))
    case (_, let sections) where sections > Checklist.maximumSectionCount:
      EntryProblem(.content, .tooManySections(Checklist.maximumSectionCount))
    default: nil
    }
  }

  private func problems(of section: ChecklistSection) -> [EntryProblem<ChecklistFormField>] {
    let title = EntryProblem<ChecklistFormField>.required(
      section.title, .sectionTitle(section.id), named: "title",
      limit: ChecklistSection.maximumTitleLength, empty: .enterSectionTitle)
    return [title].compactMap(\.self) + section.items.flatMap(problems)
  }

  private func problems(of item: ChecklistItem) -> [EntryProblem<ChecklistFormField>] {
    let problems: [EntryProblem<ChecklistFormField>?] = [
      .required(
        item.title, .itemTitle(item.id), named: "title", limit: ChecklistItem.maximumTitleLength,
        empty: .enterItemTitle),
      .limited(
        item.note ?? "", .itemNote(item.id), named: "note",
        limit: ChecklistItem.maximumNoteLength),
    ]
    return problems.compactMap(\.self)
  }
}

extension LocalizedText {
  fileprivate static let addItem = LocalizedText(
    en: "Add at least one item.", ru: "Добавьте хотя бы один пункт.")
  fileprivate static let enterSectionTitle = LocalizedText(
    en: "Enter what the section is called.", ru: "Введите название раздела.")
  fileprivate static let enterItemTitle = LocalizedText(
    en: "Enter what is to be checked, or remove the item.",
    ru: "Введите, что нужно проверить, или удалите пункт.")

  fileprivate static func tooManyItems(_ maximum: Int) -> LocalizedText {
    .counted(
      maximum,
      en: .init(
        one: "A checklist may have # item.", other: "A checklist may have at most # items."),
      ru: .init(
        one: "В чек-листе может быть не больше # пункта.",
        few: "В чек-листе может быть не больше # пунктов.",
        many: "В чек-листе может быть не больше # пунктов."))
  }

  fileprivate static func tooManySections(_ maximum: Int) -> LocalizedText {
    .counted(
      maximum,
      en: .init(
        one: "A checklist may have # section.", other: "A checklist may have at most # sections."),
      ru: .init(
        one: "В чек-листе может быть не больше # раздела.",
        few: "В чек-листе может быть не больше # разделов.",
        many: "В чек-листе может быть не больше # разделов."))
  }
}
