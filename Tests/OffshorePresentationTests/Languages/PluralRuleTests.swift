import Testing

@testable import OffshorePresentation

struct PluralRuleTests {
  /// Numbers with their categories by the CLDR in English and in Russian.
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

  @Test func `Whole numbers have the CLDR's category in English and Russian`() {
    for (number, english, russian) in Self.table {
      #expect(Language.english.pluralCategory(of: number) == english, "\(number)")
      #expect(Language.russian.pluralCategory(of: number) == russian, "\(number)")
    }
  }

  @Test func `The category repeats every hundred in Russian`() {
    for number in 0..<100 {
      let category = PluralRule.russian.category(of: number)
      #expect(PluralRule.russian.category(of: number + 100) == category)
      #expect(PluralRule.russian.category(of: number + 7_300) == category)
    }
  }

  @Test func `Other families have the CLDR's categories`() {
    func categories(_ rule: PluralRule, _ numbers: [Int]) -> [PluralCategory] {
      numbers.map(rule.category)
    }
    #expect(categories(.none, [0, 1, 2, 1_000_000]) == [.other, .other, .other, .other])
    #expect(categories(.spanish, [0, 1, 2, 1_000_000]) == [.other, .one, .other, .many])
    #expect(categories(.french, [0, 1, 2, 3_000_000]) == [.one, .one, .other, .many])
    #expect(categories(.french, [3_000_001]) == [.other])
    #expect(categories(.czech, [0, 1, 2, 4, 5, 22]) == [.other, .one, .few, .few, .other, .other])
    #expect(categories(.polish, [0, 1, 2, 4, 5, 12]) == [.many, .one, .few, .few, .many, .many])
    #expect(categories(.polish, [21, 22, 112, 122]) == [.many, .few, .many, .few])
    #expect(categories(.arabic, [0, 1, 2, 3, 10]) == [.zero, .one, .two, .few, .few])
    #expect(categories(.arabic, [11, 99, 100, 102, 103]) == [.many, .many, .other, .other, .few])
  }

  @Test func `An app can have its own rule, which receives no sign`() {
    let even = PluralRule { $0.isMultiple(of: 2) ? .two : .other }
    #expect([-4, -3, 0, 3, .min].map(even.category) == [.two, .other, .two, .other, .two])
  }
}
