public import Foundation
public import Offshore

/// A kind of entries that belong to a user, such as the guides or the decks of a library.
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
  /// The singular noun in addresses and links, in lower case: `guide`. The plural adds an “s”.
  static var name: String { get }
  /// The fields of the form that edits an entry.
  static var fields: [DraftField<Self>] { get }
  /// The texts of the kind.
  static var texts: EntityTexts { get }

  /// The primary key, a random id.
  var id: UUID { get set }
  /// The name of the entry in lists and headings. It need not be unique.
  var title: String { get set }
  /// The id of the user who owns the entry.
  var creatorID: UUID { get set }
  /// The time at which the entry was created. A copy has its own.
  var createdAt: Date { get set }
  /// The time of the latest change, by the clock of the device that made it.
  ///
  /// It is not a version: a device whose clock is slow stores an earlier time than the one before.
  var updatedAt: Date { get set }

  /// A line below the title in lists, if there is one.
  var subtitle: LocalizedText? { get }

  /// Creates an entry with the initial values of a new form.
  static func blank(_ new: NewEntity) -> Self

  /// Assigns new ids to the rows of a copied entry.
  mutating func renewIDs(_ makeID: () -> UUID)

  /// Updates the rows that depend on an entry, after it was stored, deleted or restored.
  static func updateDependants(of id: UUID, _ writer: Writer) throws
}

/// The values for a new entry: its id, its owner and its date.
public struct NewEntity {
  /// The id of the entry.
  public let id: UUID
  /// The id of the user.
  public let creatorID: UUID
  /// The current time.
  public let createdAt: Date
  /// Returns an id for a row of the entry.
  public let makeID: () -> UUID
}

extension Entity {
  /// The maximum number of characters in a title.
  public static var maximumTitleLength: Int { 80 }

  /// `nil`: no line below the title.
  public var subtitle: LocalizedText? { nil }

  /// Does nothing: the entry has no rows.
  public mutating func renewIDs(_ makeID: () -> UUID) {}

  /// Does nothing: no row depends on the entry.
  public static func updateDependants(of id: UUID, _ writer: Writer) throws {}

  /// Returns the field of the title, which each form has.
  public static func titleField(
    _ property: any WritableKeyPath<Self, String> & Sendable
  ) -> DraftField<Self> {
    .line(
      "title", property, label: .entityTitle, limit: maximumTitleLength, isRequired: true,
      missing: .enterTitle)
  }

  /// The name of the table.
  static var tableName: String { table.name }

  /// Turns the entry into a copy with new ids. Its title gets a suffix such as “copy” and is
  /// shortened to ``maximumTitleLength``.
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
  /// The noun for one entry: “Guide”.
  public let one: LocalizedText
  /// The noun for several entries: “Guides”.
  public let many: LocalizedText
  /// The title of the page for a new entry.
  public let new: LocalizedText
  /// The title of an empty list.
  public let none: LocalizedText
  /// The text below that title.
  public let hint: LocalizedText
  /// Returns a number of entries in words.
  private let counted: (@Sendable (_ count: Int) -> LocalizedText)?

  /// Creates the texts of a kind.
  ///
  /// - Parameters:
  ///   - one: the noun for one entry: “Guide”.
  ///   - many: the noun for several entries: “Guides”.
  ///   - new: the title of the page for a new entry.
  ///   - none: the title of an empty list.
  ///   - hint: the text below that title.
  ///   - counted: returns a number of entries, with a lower-case noun: “2 guides”. Without it, a
  ///     sentence about a number starts with the noun: “Guides: 2 entries …”.
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

  /// Returns a sentence that counts the entries missing from a list because they cannot be read: “2
  /// guides cannot be read and are left out.”
  public func unreadableEntries(_ count: Int) -> LocalizedText {
    guard let entries = counted?(count) else {
      let sentence = LocalizedText.unreadableEntries(count)
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
