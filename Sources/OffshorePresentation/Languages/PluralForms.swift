/// What a counted text is in each grammatical form of a language.
///
/// Each language has a type of its own, with the forms that it has for whole numbers, so that a form
/// that is missing does not compile.
public enum PluralForms {
  /// The forms of English.
  public struct English: Sendable {
    private let one: CountedPhrase
    private let other: CountedPhrase

    /// Takes the forms; `#` stands for the number: `.init(one: "# guest", other: "# guests")`.
    public init(one: CountedPhrase, other: CountedPhrase) {
      self.one = one
      self.other = other
    }

    func phrase(for count: Int) -> CountedPhrase {
      switch Language.english.pluralCategory(of: count) {
      case .one: one
      case .few, .many, .other: other
      }
    }
  }

  /// The forms of Russian. There is none for fractions, since what is counted is whole.
  public struct Russian: Sendable {
    private let one: CountedPhrase
    private let few: CountedPhrase
    private let many: CountedPhrase

    /// Takes the forms for 1, for 2 and for 5; `#` stands for the number:
    /// `.init(one: "# гость", few: "# гостя", many: "# гостей")`.
    public init(one: CountedPhrase, few: CountedPhrase, many: CountedPhrase) {
      self.one = one
      self.few = few
      self.many = many
    }

    func phrase(for count: Int) -> CountedPhrase {
      switch Language.russian.pluralCategory(of: count) {
      case .one: one
      case .few: few
      case .many, .other: many
      }
    }
  }
}
