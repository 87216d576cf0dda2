/// What the fields of forms are called on screen, by their names in the source code.
///
/// An error carries a field's name as it is in the source code, which is stable; an app that has
/// fields of its own, or other words for some, adds them:
///
/// ```swift
/// let fields = FieldNames.common.adding(["boatName": LocalizedText(en: "Boat", ru: "Лодка")])
/// error.localizedMessage(naming: fields)
/// ```
public struct FieldNames: Sendable {
  private var labels: [String: LocalizedText]

  /// Takes labels by field.
  public init(_ labels: [String: LocalizedText]) { self.labels = labels }

  /// These names and others, which go before those of the same fields.
  public func adding(_ labels: [String: LocalizedText]) -> FieldNames {
    FieldNames(self.labels.merging(labels) { $1 })
  }

  /// A field's label; where there is none, its name in words: `startDate` is “Start date”.
  public subscript(field: String) -> LocalizedText {
    labels[field] ?? LocalizedText(verbatim: Self.words(of: field))
  }

  /// The fields that many forms have.
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
