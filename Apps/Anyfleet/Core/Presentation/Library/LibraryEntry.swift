public import Foundation
public import Offshore
public import OffshorePresentation

/// An entry of the user's library: a checklist, a guide, or a deck.
///
/// The library stores, lists, edits, copies, deletes and restores all kinds in the same way. A kind declares
/// its table, its form and its texts.
public protocol LibraryEntry: Record, Identifiable, Equatable where ID == UUID {
  /// The form in which an entry is edited.
  static var fields: [DraftField<Self>] { get }
  /// The texts of the kind.
  static var texts: EntryTexts { get }

  var id: UUID { get set }
  var title: String { get set }
  /// The id of the user who owns the entry.
  var creatorID: UUID { get set }
  var createdAt: Date { get set }
  /// The time of the latest change.
  var updatedAt: Date { get set }

  /// A line below the title in lists, if there is one.
  var subtitle: LocalizedText? { get }

  /// Makes an entry as a new form shows it.
  static func blank(id: UUID, creatorID: UUID, at now: Date, makeID: () -> UUID) -> Self

  /// Gives new ids to the rows of the entry.
  mutating func renewIDs(_ makeID: () -> UUID)

  /// Updates the rows that depend on an entry after it was stored, deleted or restored.
  static func updateDependants(of id: UUID, _ writer: Writer) throws
}

extension LibraryEntry {
  /// The most characters that a title may have.
  public static var maximumTitleLength: Int { 80 }

  /// The name of the table.
  public static var tableName: String { table.name }

  /// Changes nothing: the entry has no rows.
  public mutating func renewIDs(_ makeID: () -> UUID) {}

  /// Changes nothing: no row depends on the entry.
  public static func updateDependants(of id: UUID, _ writer: Writer) throws {}

  /// The field of the title, which each form has.
  static func titleField(
    _ property: any WritableKeyPath<Self, String> & Sendable
  ) -> DraftField<Self> {
    .line(
      "title", property, label: .title, limit: maximumTitleLength, isRequired: true,
      missing: .enterTitle)
  }

  /// Copies the entry with new ids, under a title that names it a copy and is short enough for the form.
  func copied(
    by creatorID: UUID, in language: Language, at now: Date, makeID: () -> UUID
  ) -> Self {
    var copy = self
    let suffix = " " + LocalizedText.copy.in(language)
    copy.id = makeID()
    copy.title = title.prefix(Self.maximumTitleLength - suffix.count) + suffix
    (copy.creatorID, copy.createdAt, copy.updatedAt) = (creatorID, now, now)
    copy.renewIDs(makeID)
    return copy
  }
}

/// The texts of a kind of entries.
public struct EntryTexts: Sendable {
  /// The name of one entry: “Guide”.
  public let one: LocalizedText
  /// The name of several: “Guides”.
  public let many: LocalizedText
  /// The title of the page for a new entry.
  public let new: LocalizedText
  /// The title of an empty list.
  public let none: LocalizedText
  /// A text below that title.
  public let hint: LocalizedText
}

extension LocalizedText {
  static let title = LocalizedText(en: "Title", ru: "Название")
  static let description = LocalizedText(en: "Description", ru: "Описание")
  static let optional = LocalizedText(en: "Optional.", ru: "Необязательно.")
  fileprivate static let copy = LocalizedText(en: "copy", ru: "копия")
  fileprivate static let enterTitle = LocalizedText(en: "Enter a title.", ru: "Введите название.")
}
