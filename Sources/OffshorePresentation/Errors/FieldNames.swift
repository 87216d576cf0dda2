/// The labels of the fields of forms, by their names in the source code.
///
/// An error names a field as in the source code, because that name is stable. An app adds labels
/// for its own fields, or replaces some:
///
/// ```swift
/// let fields = FieldNames.common.adding(["boatName": LocalizedText(en: "Boat", ru: "Лодка")])
/// error.localizedMessage(naming: fields)
/// ```
public struct FieldNames: Sendable {
  private var labels: [String: LocalizedText]

  /// Creates a collection of labels by field name.
  public init(_ labels: [String: LocalizedText]) { self.labels = labels }

  /// Returns these labels with others added, which replace those of the same fields.
  public func adding(_ labels: [String: LocalizedText]) -> FieldNames {
    FieldNames(self.labels.merging(labels) { $1 })
  }

  /// The label of a field; without one, its name in words: `startDate` is “Start date”.
  public subscript(field: String) -> LocalizedText {
    labels[field] ?? LocalizedText(verbatim: Self.words(of: field))
  }

  /// The labels of fields that many forms have.
  public static let common = FieldNames([
    "name": LocalizedText(en: "Name", ru: "Название"),
    "startDate": LocalizedText(en: "Start date", ru: "Дата начала"),
    "endDate": LocalizedText(en: "End date", ru: "Дата окончания"),
    "region": LocalizedText(en: "Region", ru: "Регион"),
    "vessel": LocalizedText(en: "Vessel", ru: "Судно"),
    "destination": LocalizedText(en: "Destination", ru: "Пункт назначения"),
    "guests": LocalizedText(en: "Guests", ru: "Гости"),
    "budget": LocalizedText(en: "Budget", ru: "Бюджет"),
    "title": LocalizedText(en: "Title", ru: "Заголовок"),
    "body": LocalizedText(en: "Text", ru: "Текст"),
    "front": LocalizedText(en: "Front", ru: "Лицевая сторона"),
    "back": LocalizedText(en: "Back", ru: "Обратная сторона"),
    "description": LocalizedText(en: "Description", ru: "Описание"),
    "note": LocalizedText(en: "Note", ru: "Заметка"),
    "email": LocalizedText(en: "Email", ru: "Электронная почта"),
    "password": LocalizedText(en: "Password", ru: "Пароль"),
    "accountName": LocalizedText(en: "Account name", ru: "Имя учётной записи"),
  ])

  private static func words(of field: String) -> String {
    let words = field.reduce(into: "") { words, character in
      words += character.isUppercase ? " \(character.lowercased())" : "\(character)"
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
