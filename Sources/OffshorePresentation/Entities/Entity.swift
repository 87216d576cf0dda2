public import Foundation
public import Offshore

/// A kind of entries that a user owns, such as the guides or the decks of a library.
///
/// All kinds are stored, listed, edited, copied, deleted and restored in the same way, by an
/// ``EntityStore``. A kind declares its table, its form and its texts:
///
/// ```swift
/// struct Guide: Entity {
///   static let name = "guide"
///   static let table = Table("guides", Guide.init, Column("id", \.id).primaryKey(), columns)
///   static let fields: [DraftField<Guide>] = [titleField(\.title)]
///   static let texts = EntityTexts(…)
///   static func blank(_ new: NewEntity) -> Guide { Guide(id: new.id, …) }
///   …
/// }
/// ```
///
/// The table has the columns `id`, `title`, `creatorID`, `createdAt` and `updatedAt`.
public protocol Entity: Record, Identifiable, Equatable where ID == UUID {
  /// The word for one entry in addresses and links, in lower case: `guide`. The word for several adds an “s”.
  static var name: String { get }
  /// The form in which an entry is edited.
  static var fields: [DraftField<Self>] { get }
  /// The texts of the kind.
  static var texts: EntityTexts { get }

  /// The primary key, a random id.
  var id: UUID { get set }
  /// The name of the entry in lists and headings, which need not be unique.
  var title: String { get set }
  /// The id of the user who owns the entry.
  var creatorID: UUID { get set }
  /// The time at which the entry was made; a copy has a time of its own.
  var createdAt: Date { get set }
  /// The time of the latest change.
  var updatedAt: Date { get set }

  /// A line below the title in lists, if there is one.
  var subtitle: LocalizedText? { get }

  /// Makes an entry as a new form shows it.
  static func blank(_ new: NewEntity) -> Self

  /// Gives new ids to the rows of the entry, which is a copy.
  mutating func renewIDs(_ makeID: () -> UUID)

  /// Updates the rows that depend on an entry after it was stored, deleted or restored.
  static func updateDependants(of id: UUID, _ writer: Writer) throws
}

/// The id, the owner and the date of a new entry.
public struct NewEntity {
  /// The id of the entry.
  public let id: UUID
  /// The id of the user.
  public let creatorID: UUID
  /// The current time.
  public let createdAt: Date
  /// Makes the ids of the entry's rows.
  public let makeID: () -> UUID
}

extension Entity {
  /// The most characters that a title may have.
  public static var maximumTitleLength: Int { 80 }

  /// No line.
  public var subtitle: LocalizedText? { nil }

  /// Changes nothing: the entry has no rows.
  public mutating func renewIDs(_ makeID: () -> UUID) {}

  /// Changes nothing: no row depends on the entry.
  public static func updateDependants(of id: UUID, _ writer: Writer) throws {}

  /// The field of the title, which each form has.
  public static func titleField(
    _ property: any WritableKeyPath<Self, String> & Sendable
  ) -> DraftField<Self> {
    .line(
      "title", property, label: .entityTitle, limit: maximumTitleLength, isRequired: true,
      missing: .enterTitle)
  }

  /// The name of the table.
  package static var tableName: String { table.name }

  /// Makes the entry a copy with new ids, under a title that names it a copy and is short enough for the
  /// form.
  mutating func becomeCopy(
    by creatorID: UUID, in language: Language, at now: Date, makeID: () -> UUID
  ) {
    let suffix = " " + LocalizedText.copy.in(language)
    id = makeID()
    title = title.prefix(Self.maximumTitleLength - suffix.count) + suffix
    (self.creatorID, createdAt, updatedAt) = (creatorID, now, now)
    renewIDs(makeID)
  }
}

/// The texts of a kind of entries.
public struct EntityTexts: Sendable {
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
  /// A number of entries.
  private let counted: (@Sendable (_ count: Int) -> LocalizedText)?

  /// Makes the texts of a kind.
  ///
  /// - Parameter counted: a number of entries, with a lower-case noun: “2 guides”. Without it, a sentence about
  ///   a number names the kind before it: “Guides: 2 entries …”.
  public init(
    one: LocalizedText, many: LocalizedText, new: LocalizedText, none: LocalizedText,
    hint: LocalizedText, counted: (@Sendable (_ count: Int) -> LocalizedText)? = nil
  ) {
    self.one = one
    self.many = many
    self.new = new
    self.none = none
    self.hint = hint
    self.counted = counted
  }

  /// A sentence that counts the entries that are left out of a list because they cannot be read: “2 guides
  /// cannot be read and are left out.”
  public func leftOut(_ count: Int) -> LocalizedText {
    guard let entries = counted?(count) else {
      let sentence = LocalizedText.leftOut(count)
      return LocalizedText(en: "\(many): \(sentence)", ru: "\(many): \(sentence)")
    }
    return .counted(
      count,
      en: .init(
        one: "\(entries) cannot be read and is left out.",
        other: "\(entries) cannot be read and are left out."),
      ru: .init(
        one: "\(entries) не читается и не показывается.",
        few: "\(entries) не читаются и не показываются.",
        many: "\(entries) не читаются и не показываются."))
  }
}

extension LocalizedText {
  fileprivate static let entityTitle = LocalizedText(en: "Title", ru: "Название")
  fileprivate static let copy = LocalizedText(en: "copy", ru: "копия")
  fileprivate static let enterTitle = LocalizedText(en: "Enter a title.", ru: "Введите название.")
}
