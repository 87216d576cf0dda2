/// A text in every language.
///
/// A text is declared where it is used, and the initializer wants every language, so that a text
/// that lacks one does not compile:
///
/// ```swift
/// extension LocalizedText {
///   static let charters = LocalizedText(en: "Charters", ru: "Чартеры")
///   static func remove(_ name: String) -> LocalizedText {
///     LocalizedText(en: "Remove “\(name)”?", ru: "Удалить «\(name)»?")
///   }
///   static func guests(_ count: Int) -> LocalizedText {
///     .counted(
///       count, en: .init(one: "# guest", other: "# guests"),
///       ru: .init(one: "# гость", few: "# гостя", many: "# гостей"))
///   }
/// }
/// LocalizedText.guests(2).in(.russian)  // 2 гостя
/// ```
public struct LocalizedText: Hashable, Sendable {
  private let english: String
  private let russian: String

  /// Takes the text in each language.
  public init(en english: String, ru russian: String) {
    self.english = english
    self.russian = russian
  }

  /// A text that is the same in every language, such as a name.
  public init(verbatim text: String) { self.init(en: text, ru: text) }

  /// Makes the text for each language by a closure; for texts that are put together from others.
  public init(_ text: (Language) -> String) {
    self.init(en: text(.english), ru: text(.russian))
  }

  /// The text in a language.
  public func `in`(_ language: Language) -> String {
    switch language {
    case .english: english
    case .russian: russian
    }
  }

  /// A text about a number of things, in the form that each language has for that number.
  ///
  /// - Parameters:
  ///   - count: the number, which stands for `#`, written as the language writes numbers.
  ///   - english: the forms in English.
  ///   - russian: the forms in Russian.
  public static func counted(
    _ count: Int, en english: PluralForms.English, ru russian: PluralForms.Russian
  ) -> LocalizedText {
    LocalizedText(
      en: english.phrase(for: count).text(with: count, in: .english),
      ru: russian.phrase(for: count).text(with: count, in: .russian))
  }
}
