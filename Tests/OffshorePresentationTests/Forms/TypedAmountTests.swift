import Foundation
import Testing

@testable import OffshorePresentation

struct TypedAmountTests {
  private func amount(
    _ text: String, _ currency: String = "EUR", in language: Language = .english
  ) -> Decimal? {
    Decimal(typed: text, currencyCode: currency, in: language)
  }

  @Test(
    arguments: [Language.english, .russian],
    [
      ("1200", "1200"), ("1 200,50", "1200.5"), ("1,200.50", "1200.5"), ("1.200,50", "1200.5"),
      ("1'200'000.05", "1200000.05"), ("1’200", "1200"), ("0.5", "0.5"), (" 12,5 ", "12.5"),
      ("-3", "-3"), ("−1 200", "-1200"), ("1\u{a0}200", "1200"), ("1\u{202f}200,5", "1200.5"),
      ("1,200,300", "1200300"), ("1.200.300", "1200300"), ("12,50", "12.5"), ("1200,5", "1200.5"),
      ("0", "0"), ("0,05", "0.05"), ("999 999 999 999 999 999", "999999999999999999"),
    ]) func `What can be read in one way only is read so in every language`(
      _ language: Language, _ example: (text: String, amount: String)
    )
  {
    #expect(amount(example.text, in: language) == Decimal(string: example.amount))
  }

  @Test(
    arguments: [Language.english, .russian],
    [
      "", "twelve", "1.2.3", "1,2000", ".", ",5", "5.", "€12", "1e5", "--1", "12.345,6,7",
      "0,100,200",
      "1 2 00", "12 34", "1 200.300.400", "1,200.300,400", "1 200,300 400", "1,200 300", "٣",
      "1000000000000000000", "1  200",
    ]) func `Other texts are refused in every language`(_ language: Language, _ text: String)
  {
    #expect(amount(text, in: language) == nil)
  }

  @Test(
    arguments: [Language.english, .russian],
    ["0.001", "0,001", "1200.555", "1200,555", "1 200,555", "1,200.555", "012.345", "12.3456"])
  func `More decimals than a currency has are refused, and never taken for thousands`(
    _ language: Language, _ text: String
  ) {
    #expect(amount(text, in: language) == nil)
  }

  private static let ambiguousTexts: [(Language, String, Decimal?)] = [
    (.english, "12,345", 12345), (.english, "12.345", nil),
    (.english, "12,000", 12000), (.english, "12.000", nil), (.russian, "12,345", nil),
    (.russian, "12.345", nil), (.russian, "12,000", nil), (.russian, "12 345", 12345),
  ]

  @Test(arguments: ambiguousTexts)
  func `Three digits after one comma or point are what the language says`(
    _ language: Language, _ text: String, _ expected: Decimal?
  ) {
    #expect(amount(text, in: language) == expected)
  }

  private static let currencyTexts: [(String, String, Decimal?)] = [
    ("12.345", "TND", Decimal(string: "12.345")), ("12.34", "JPY", nil), ("12,345", "JPY", 12345),
    ("0.5", "JPY", nil), ("12.3456", "TND", nil), ("12.34", "EURO", Decimal(string: "12.34")),
    ("12.3456", "CLF", Decimal(string: "12.3456")),
  ]

  @Test(arguments: currencyTexts)
  func `A currency of a thousand parts has three decimals, and one without parts has none`(
    _ text: String, _ currency: String, _ expected: Decimal?
  ) {
    #expect(amount(text, currency) == expected)
  }

  @Test(arguments: [("2400.5", "EUR"), ("12.345", "TND"), ("0.05", "EUR"), ("1200", "JPY")])
  func `An amount is shown as it is typed in the language, and is read as the same`(
    _ text: String, _ currency: String
  ) throws {
    let value = try #require(Decimal(string: text))
    #expect(value.typed(in: .english) == text)
    #expect(value.typed(in: .russian) == text.replacing(".", with: ","))
    for language in [Language.english, .russian] {
      #expect(amount(value.typed(in: language), currency, in: language) == value)
    }
  }
}
