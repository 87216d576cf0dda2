/// The grammatical forms that languages have for counted things, by the Unicode CLDR.
///
/// Which form a number takes is a language's own rule:
/// [Language Plural Rules](https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html).
public enum PluralCategory: CaseIterable, Sendable {
  /// As for 1 in English, and for 1, 21 and 101 in Russian.
  case one
  /// As for 2, 3, 4 and 22 in Russian.
  case few
  /// As for 0, 5, 11 and 100 in Russian.
  case many
  /// All that is left: in English every whole number but 1, in Russian fractions alone.
  case other
}

extension Language {
  /// The form that a whole number takes. The sign does not matter.
  public func pluralCategory(of count: Int) -> PluralCategory {
    switch self {
    case .english: count.magnitude == 1 ? .one : .other
    case .russian: Self.russianCategory(of: count.magnitude)
    }
  }

  private static func russianCategory(of count: UInt) -> PluralCategory {
    switch (count % 10, count % 100) {
    case (_, 11...14): .many
    case (1, _): .one
    case (2...4, _): .few
    default: .many
    }
  }
}
