public import OffshorePresentation

// The texts of pages that add, edit and delete entries.

extension LocalizedText {
  /// The heading of a page for a new entry.
  static let new = LocalizedText(en: "New", ru: "Создание")
  /// The heading of a page that edits an entry, and the label of the link to it.
  public static let edit = LocalizedText(en: "Edit", ru: "Изменить")

  /// Returns the heading of a page that edits an entry, which is also the label of the link to it.
  public static func edit(_ name: String) -> LocalizedText {
    LocalizedText(en: "Edit “\(name)”", ru: "Изменить «\(name)»")
  }

  /// The label of a button that deletes an entry.
  package static let delete = LocalizedText(en: "Delete", ru: "Удалить")
  /// Returns the label of a button that deletes an entry.
  static func delete(_ name: String) -> LocalizedText {
    LocalizedText(en: "Delete “\(name)”", ru: "Удалить «\(name)»")
  }
  /// Returns a sentence about a deleted entry, for the undo bar.
  public static func deleted(_ name: String) -> LocalizedText {
    LocalizedText(en: "“\(name)” was deleted.", ru: "«\(name)»: удалено.")
  }

  static let canBeUndone = LocalizedText(
    en: "You can undo this on the next page.", ru: "Это можно отменить на следующей странице.")
}
