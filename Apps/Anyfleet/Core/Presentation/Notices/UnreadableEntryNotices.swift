import Offshore
package import OffshorePresentation

/// Notices about entries that are left out because they are unreadable.
package enum UnreadableEntryNotices {
  /// Returns notices for the errors of reading a screen.
  package static func notices(of errors: [AppError]) -> [Notice] {
    Notice.all(of: errors) { text(in: $0, $1) }
  }

  /// Returns a sentence that counts the unreadable entries of a table.
  static func text(in table: String?, _ count: Int) -> LocalizedText {
    if let kind = EntityKind<Library>(table: table) {
      return kind.type.texts.unreadableEntries(count)
    }
    return switch table {
    case CharterRow.table.name:
      .unreadableEntries(
        count, en: ("charter", "charters"),
        ru: .init(
          one: "# чартер не читается и не показан.", few: "# чартера не читаются и не показаны.",
          many: "# чартеров не читаются и не показаны."))
    case CharterChecklistRow.table.name:
      .unreadableEntries(
        count, en: ("checklist of this charter", "checklists of this charter"),
        ru: .init(
          one: "# чек-лист этого чартера не читается и не показан.",
          few: "# чек-листа этого чартера не читаются и не показаны.",
          many: "# чек-листов этого чартера не читаются и не показаны."))
    case ExecutionRow.table.name, ItemNoteRow.table.name:
      .unreadableEntries(
        count, en: ("record of progress", "records of progress"),
        ru: .init(
          one: "# запись об отметках не читается и не показана.",
          few: "# записи об отметках не читаются и не показаны.",
          many: "# записей об отметках не читаются и не показаны."))
    case CardProgressRow.table.name: .cardProgressLeftOut(count)
    default: .unreadableEntries(count)
    }
  }
}

extension LocalizedText {
  /// Returns a sentence that counts the unreadable entries of a list.
  static func unreadableEntries(
    _ count: Int, en names: (one: String, many: String), ru: PluralForms.Russian
  ) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# \(names.one) cannot be read and is left out.",
        other: "# \(names.many) cannot be read and are left out."), ru: ru)
  }

  fileprivate static func cardProgressLeftOut(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "The progress of # card cannot be read and is left out.",
        other: "The progress of # cards cannot be read and is left out."),
      ru: .init(
        one: "Успехи по # карточке не читаются и не учтены.",
        few: "Успехи по # карточкам не читаются и не учтены.",
        many: "Успехи по # карточкам не читаются и не учтены."))
  }
}
