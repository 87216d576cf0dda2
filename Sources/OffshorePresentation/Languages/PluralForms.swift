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
