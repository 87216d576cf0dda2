import OffshorePresentation
import Testing

struct PluralCategoryTests {
  /// Numbers with what the CLDR says for English and for Russian.
  private static let table: [(Int, PluralCategory, PluralCategory)] = [
    (0, .other, .many), (1, .one, .one), (2, .other, .few), (3, .other, .few), (4, .other, .few),
    (5, .other, .many), (10, .other, .many), (11, .other, .many), (12, .other, .many),
    (14, .other, .many), (15, .other, .many), (20, .other, .many), (21, .other, .one),
    (22, .other, .few), (24, .other, .few), (25, .other, .many), (100, .other, .many),
    (101, .other, .one), (102, .other, .few), (111, .other, .many), (112, .other, .many),
    (114, .other, .many), (121, .other, .one), (1_000_000, .other, .many),
    (1_000_001, .other, .one), (-1, .one, .one), (-2, .other, .few), (-5, .other, .many),
    (-11, .other, .many), (-21, .other, .one), (.max, .other, .many), (.min, .other, .many),
  ]

  @Test func `Whole numbers take the form that the CLDR says`() {
    for (number, english, russian) in Self.table {
      #expect(Language.english.pluralCategory(of: number) == english, "\(number)")
      #expect(Language.russian.pluralCategory(of: number) == russian, "\(number)")
    }
  }

  @Test func `The form repeats every hundred in Russian`() {
    for number in 0..<100 {
      let category = Language.russian.pluralCategory(of: number)
      #expect(Language.russian.pluralCategory(of: number + 100) == category)
      #expect(Language.russian.pluralCategory(of: number + 7_300) == category)
    }
  }
}
