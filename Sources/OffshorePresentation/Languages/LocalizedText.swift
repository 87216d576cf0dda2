/// A text in every language.
///
/// The initializer requires English and Russian, so a text without one of them does not compile.
/// Declare a text next to its use:
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
///
/// An app with other languages declares an initializer that requires those:
///
/// ```swift
/// extension LocalizedText {
///   init(en english: Phrase, ru russian: Phrase, de german: Phrase) {
///     self.init(en: english, [.russian: russian, .german: german])
///   }
/// }
/// ```
///
/// A language in which a text is not declared, such as German for the texts of the library, shows
/// its ``Translation`` of the text, or else the English text.
public struct LocalizedText: Sendable {
  private let english: String
  private let russian: String
  /// The places of values in the English text.
  private let placeholders: InlinePlaceholders
  /// The wordings of a text in further languages, with a number, or with many values; `nil` for
  /// most texts.
  private let other: Other?

  private indirect enum Other: Sendable {
    case wordings(Wordings)
    case composed(@Sendable (Language) -> String)
  }

  /// Creates a text in English and Russian.
  public init(en english: Phrase, ru russian: Phrase) {
    if english.isInline, russian.isInline {
      self.init(english.text, russian.text, english.inlinePlaceholders)
    } else {
      self.init(en: english, [.russian: russian])
    }
  }

  /// Creates a text in English and other languages.
  public init(en english: Phrase, _ others: KeyValuePairs<Language, Phrase>) {
    self.init(
      .wordings(
        Wordings(count: nil, english: english, key: english, others: others.map { ($0, $1) })))
  }

  /// Creates a text that is the same in every language, such as a name.
  public init(verbatim text: String) {
    self.init(text, "", .verbatim)
  }

  /// Creates a text that a closure composes for the language in use.
  public init(_ text: @escaping @Sendable (Language) -> String) { self.init(.composed(text)) }

  private init(_ other: Other) { self.init("", "", InlinePlaceholders(), other) }

  private init(
    _ english: String, _ russian: String, _ placeholders: InlinePlaceholders, _ other: Other? = nil
  ) {
    self.english = english
    self.russian = russian
    self.placeholders = placeholders
    self.other = other
  }

  /// Returns a text about a number of things, in the form that each language has for the number.
  ///
  /// - Parameters:
  ///   - count: the number. It replaces `#`, formatted for the language.
  ///   - english: the forms in English.
  ///   - russian: the forms in Russian.
  public static func counted(
    _ count: Int, en english: PluralForms.English, ru russian: PluralForms.Russian
  ) -> LocalizedText {
    counted(count, english, others: [(.russian, russian.phrase(for: count))])
  }

  /// Returns a text about a number of things, in English and other languages.
  ///
  /// - Parameters:
  ///   - count: the number. It replaces `#`, formatted for the language.
  ///   - english: the forms in English.
  ///   - others: the forms in each other language.
  public static func counted(
    _ count: Int, en english: PluralForms.English,
    _ others: KeyValuePairs<Language, PluralForms>
  ) -> LocalizedText {
    counted(
      count, english,
      others: others.map { ($0, $1.phrase(for: $0.pluralCategory(of: count))) })
  }

  private static func counted(
    _ count: Int, _ english: PluralForms.English, others: [(Language, Phrase)]
  ) -> LocalizedText {
    let wordings = Wordings(
      count: count, english: english.phrase(for: count), key: english.other, others: others)
    return LocalizedText(.wordings(wordings))
  }

  /// Returns a number of bytes in the largest unit of which it is a multiple, such as “24 MiB” and
  /// “24 МиБ”, or “1000 B” and “1000 Б”.
  public static func byteCount(_ count: Int) -> LocalizedText {
    switch count {
    case let count where count != 0 && count.isMultiple(of: 1 << 20):
      LocalizedText(en: "\(count >> 20) MiB", ru: "\(count >> 20) МиБ")
    case let count where count != 0 && count.isMultiple(of: 1 << 10):
      LocalizedText(en: "\(count >> 10) KiB", ru: "\(count >> 10) КиБ")
    default: LocalizedText(en: "\(count) B", ru: "\(count) Б")
    }
  }

  /// Returns the text in a language.
  public func `in`(_ language: Language) -> String {
    switch other {
    case .wordings(let wordings): return wordings.text(in: language)
    case .composed(let text): return text(language)
    case nil: break
    }
    switch language.slot {
    case .russian where !placeholders.isVerbatim: return russian
    case .further where !placeholders.isVerbatim:
      return Wordings.translation(
        of: Phrase(text: english, placeholders: placeholders), in: language) ?? english
    case .english, .russian, .further: return english
    }
  }
}

extension LocalizedText: Hashable {
  /// Returns whether both are equal in English, in Russian and in each other language of either.
  public static func == (one: LocalizedText, other: LocalizedText) -> Bool {
    (Language.shipped + one.others + other.others).allSatisfy { one.in($0) == other.in($0) }
  }

  /// Hashes the text in English and in Russian.
  public func hash(into hasher: inout Hasher) {
    for language in Language.shipped { hasher.combine(self.in(language)) }
  }

  /// The languages in which the text is declared besides English and Russian.
  private var others: [Language] {
    guard case .wordings(let wordings) = other else { return [] }
    return wordings.others.map(\.language).filter { $0.slot == .further }
  }
}

/// A text in English and in other languages, in the forms for its number.
private struct Wordings: Sendable {
  /// The number, if the text is about one.
  let count: Int?
  let english: LocalizedText.Phrase
  /// The English form that is the key of a translation.
  let key: LocalizedText.Phrase
  let others: [(language: Language, phrase: LocalizedText.Phrase)]

  func text(in language: Language) -> String {
    if language.slot == .english { return render(english, in: language) }
    if let own = others.first(where: { $0.language == language })?.phrase {
      return render(own, in: language)
    }
    return Self.translation(of: key, count: count, in: language) ?? render(english, in: .english)
  }

  private func render(_ phrase: LocalizedText.Phrase, in language: Language) -> String {
    count.map { phrase.text(in: language, count: $0) } ?? phrase.text(in: language)
  }

  /// Returns the translation of a phrase, or `nil` if the language has none.
  static func translation(
    of english: LocalizedText.Phrase, count: Int? = nil, in language: Language
  ) -> String? {
    guard let translation = language.translation(of: english.key) else { return nil }
    return translation.text(with: english.values(in: language), count: count, in: language)
  }
}
