/// The grammatical categories of counted things in all languages, as in Unicode CLDR.
///
/// A ``PluralRule`` returns the category of a number in a language.
public enum PluralCategory: CaseIterable, Sendable {
  /// For 0 in Arabic.
  case zero
  /// For 1 in English, and for 1, 21 and 101 in Russian.
  case one
  /// For 2 in Arabic.
  case two
  /// For 2, 3, 4 and 22 in Russian.
  case few
  /// For 0, 5, 11 and 100 in Russian.
  case many
  /// All other numbers: in English every whole number but 1, in Russian fractions alone.
  case other
}

/// The rule by which a language chooses the form for a number.
///
/// The rules here are those of Unicode CLDR for whole numbers:
/// [Language Plural Rules](https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html).
public struct PluralRule: Sendable {
  private let rule: @Sendable (UInt) -> PluralCategory

  /// Creates the rule of a language that is not among those below.
  /// - Parameter rule: returns the category of a number without its sign.
  public init(_ rule: @escaping @Sendable (_ count: UInt) -> PluralCategory) { self.rule = rule }

  /// Returns the category of a whole number. The sign is ignored.
  func category(of count: Int) -> PluralCategory { rule(count.magnitude) }

  /// One form for all numbers: Chinese, Japanese, Korean, Thai, Vietnamese, Indonesian.
  public static let none = PluralRule { _ in .other }

  /// One form for 1 and another for all other numbers: English, German, Dutch, the Scandinavian
  /// languages, Finnish, Greek, Hungarian, Turkish.
  public static let english = PluralRule { $0 == 1 ? .one : .other }

  /// Like English, with `many` for whole millions: Spanish, Italian, European Portuguese.
  public static let spanish = PluralRule { $0 == 1 ? .one : isWholeMillions($0) ? .many : .other }

  /// One form for 0 and 1, and `many` for whole millions: French, Brazilian Portuguese.
  public static let french = PluralRule { $0 <= 1 ? .one : isWholeMillions($0) ? .many : .other }

  /// `one`, `few` from 2 to 4, and `other`: Czech, Slovak.
  public static let czech = PluralRule { $0 == 1 ? .one : (2...4).contains($0) ? .few : .other }

  /// `one` for 1 alone, `few` as in Russian, and `many`: Polish.
  public static let polish = PluralRule { count in
    count == 1 ? .one : endsInFew(count) ? .few : .many
  }

  /// `one` for 1 and 21, `few` for 2 to 4 and 22 to 24, `many` for all others: Russian, Ukrainian,
  /// Belarusian.
  public static let russian = PluralRule { count in
    count % 10 == 1 && count % 100 != 11 ? .one : endsInFew(count) ? .few : .many
  }

  /// All six forms: Arabic.
  public static let arabic = PluralRule { count in
    switch (count, count % 100) {
    case (0, _): .zero
    case (1, _): .one
    case (2, _): .two
    case (_, 3...10): .few
    case (_, 11...): .many
    default: .other
    }
  }

  private static func endsInFew(_ count: UInt) -> Bool {
    (2...4).contains(count % 10) && !(12...14).contains(count % 100)
  }

  private static func isWholeMillions(_ count: UInt) -> Bool {
    count != 0 && count.isMultiple(of: 1_000_000)
  }
}

/// The forms of a counted text in a language; `#` stands for the number.
///
/// English and Russian have their own types, so a text without one of their forms does not compile.
public struct PluralForms: Sendable {
  private let zero, one, two, few, many: LocalizedText.Phrase?
  let other: LocalizedText.Phrase

  /// Creates the forms that a language has: `PluralForms(one: "# Gast", other: "# Gäste")`.
  ///
  /// - Parameter other: the form of all remaining numbers, and of each category that is left out.
  public init(
    zero: LocalizedText.Phrase? = nil, one: LocalizedText.Phrase? = nil,
    two: LocalizedText.Phrase? = nil, few: LocalizedText.Phrase? = nil,
    many: LocalizedText.Phrase? = nil, other: LocalizedText.Phrase
  ) {
    self.zero = zero
    self.one = one
    self.two = two
    self.few = few
    self.many = many
    self.other = other
  }

  /// Creates the forms of a language with the same categories as English, such as German.
  public init(_ forms: English) { self.init(one: forms.one, other: forms.other) }

  /// Creates the forms of a language with the same categories as Russian, such as Ukrainian.
  public init(_ forms: Russian) {
    self.init(one: forms.one, few: forms.few, other: forms.many)
  }

  func phrase(for category: PluralCategory) -> LocalizedText.Phrase {
    switch category {
    case .zero: zero ?? other
    case .one: one ?? other
    case .two: two ?? other
    case .few: few ?? other
    case .many: many ?? other
    case .other: other
    }
  }

  /// The forms of English.
  public struct English: Sendable {
    let one: LocalizedText.Phrase
    let other: LocalizedText.Phrase

    /// Creates the forms for 1 and for other numbers: `.init(one: "# guest", other: "# guests")`.
    public init(one: LocalizedText.Phrase, other: LocalizedText.Phrase) {
      self.one = one
      self.other = other
    }

    func phrase(for count: Int) -> LocalizedText.Phrase {
      PluralRule.english.category(of: count) == .one ? one : other
    }
  }

  /// The forms of Russian. They lack a form for fractions, because counts are whole numbers.
  public struct Russian: Sendable {
    let one: LocalizedText.Phrase
    let few: LocalizedText.Phrase
    let many: LocalizedText.Phrase

    /// Creates the forms for 1, for 2 and for 5:
    /// `.init(one: "# гость", few: "# гостя", many: "# гостей")`.
    public init(
      one: LocalizedText.Phrase, few: LocalizedText.Phrase, many: LocalizedText.Phrase
    ) {
      self.one = one
      self.few = few
      self.many = many
    }

    func phrase(for count: Int) -> LocalizedText.Phrase {
      switch PluralRule.russian.category(of: count) {
      case .one: one
      case .few: few
      case .many, .zero, .two, .other: many
      }
    }
  }
}
