public import OffshorePresentation

/// Something about a form that keeps it from being saved, with the field that it is about.
public struct EntryProblem<Field: Hashable & Sendable>: Equatable, Sendable {
  /// The field that it stands beside.
  public let field: Field
  /// A sentence to show.
  public let message: LocalizedText

  init(_ field: Field, _ message: LocalizedText) {
    self.field = field
    self.message = message
  }

  /// What is wrong with a text that must be there and is limited, if anything.
  static func required(
    _ text: String, _ field: Field, named name: String, limit: Int, empty: LocalizedText
  ) -> EntryProblem? {
    text.trimmed.isEmpty
      ? EntryProblem(field, empty) : limited(text, field, named: name, limit: limit)
  }

  /// What is wrong with a text that is limited, if anything.
  static func limited(
    _ text: String, _ field: Field, named name: String, limit: Int
  ) -> EntryProblem? {
    guard text.trimmed.count > limit else { return nil }
    let error = AppError.validation(.tooLong(field: name, maximum: limit))
    return EntryProblem(field, error.localizedMessage(naming: .library))
  }
}

extension FieldNames {
  /// The fields of the library's forms.
  static let library = FieldNames.common.adding([
    "tag": LocalizedText(en: "A tag", ru: "Метка")
  ])
}

extension LocalizedText {
  static let enterTitle = LocalizedText(en: "Enter a title.", ru: "Введите название.")
}
