/// Invalid input.
///
/// Fields are named as in the source code; ``FieldNames`` has their labels.
public enum ValidationError: Error, Equatable, Sendable {
  /// The name is empty or blank.
  case emptyName
  /// The end is before the start.
  case invalidDateRange
  /// A required field is empty.
  case missingRequiredFields
  /// A text has fewer characters than required.
  case tooShort(field: String, minimum: Int)
  /// A text has more characters than allowed.
  case tooLong(field: String, maximum: Int)
  /// The length of a text is outside the allowed range.
  case wrongLength(field: String, range: ClosedRange<Int>)
  /// A number or a choice is not one of the possible values.
  case outOfRange(field: String)
}

extension ValidationError {
  /// The name of the field that is not valid; `nil` if the error concerns several.
  var field: String? {
    switch self {
    case .emptyName: "name"
    case .tooShort(let field, _), .tooLong(let field, _), .wrongLength(let field, _),
      .outOfRange(let field):
      field
    case .invalidDateRange, .missingRequiredFields: nil
    }
  }

  /// The name of the case, for ``AppError/id``.
  var name: String {
    switch self {
    case .emptyName: "emptyName"
    case .invalidDateRange: "invalidDateRange"
    case .missingRequiredFields: "missingFields"
    case .tooShort(let field, _): "tooShort.\(field)"
    case .tooLong(let field, _): "tooLong.\(field)"
    case .wrongLength(let field, _): "wrongLength.\(field)"
    case .outOfRange(let field): "outOfRange.\(field)"
    }
  }

  /// Returns a sentence for the user about the failure.
  func message(_ fields: FieldNames) -> LocalizedText {
    switch self {
    case .emptyName: LocalizedText(en: "Enter a name.", ru: "Введите название.")
    case .invalidDateRange:
      LocalizedText(en: "The end lies before the start.", ru: "Окончание раньше начала.")
    case .missingRequiredFields:
      LocalizedText(
        en: "Some required fields are empty.", ru: "Не все обязательные поля заполнены.")
    case .tooShort(let field, let minimum): .tooShort(fields[field], minimum)
    case .tooLong(let field, let maximum): .tooLong(fields[field], maximum)
    case .wrongLength(let field, let range): .wrongLength(fields[field], range)
    case .outOfRange(let field): .outOfRange(fields[field])
    }
  }
}

extension LocalizedText {
  fileprivate static func tooShort(_ field: LocalizedText, _ minimum: Int) -> LocalizedText {
    .counted(
      minimum,
      en: .init(
        one: "\(field) needs at least # character.",
        other: "\(field) needs at least # characters."),
      ru: .init(
        one: "\(field): минимум # символ.", few: "\(field): минимум # символа.",
        many: "\(field): минимум # символов."))
  }

  fileprivate static func tooLong(_ field: LocalizedText, _ maximum: Int) -> LocalizedText {
    .counted(
      maximum,
      en: .init(
        one: "\(field) may have at most # character.",
        other: "\(field) may have at most # characters."),
      ru: .init(
        one: "\(field): максимум # символ.", few: "\(field): максимум # символа.",
        many: "\(field): максимум # символов."))
  }

  fileprivate static func wrongLength(
    _ field: LocalizedText, _ range: ClosedRange<Int>
  ) -> LocalizedText {
    let (least, most) = (range.lowerBound, range.upperBound)
    return LocalizedText(
      en: "\(field) needs \(least) to \(most) characters.",
      ru: "\(field): от \(least) до \(most) символов.")
  }

  /// NB: No verb follows the label, because it may be a plural.
  fileprivate static func outOfRange(_ field: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "\(field): this is not in the possible range.",
      ru: "\(field): значение вне допустимых пределов.")
  }
}

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
  init(_ labels: [String: LocalizedText]) { self.labels = labels }

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
