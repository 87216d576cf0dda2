import Foundation
import Testing

@testable import OffshorePresentation

struct TypedNumberTests {
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
    ]) func `An unambiguous text is read the same in every language`(
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
  func `More decimals than a currency has are refused and not read as thousands`(
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
  func `Three digits after one comma or point are read by the rules of the language`(
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
  func `A currency with thousandths has three decimals, and one without fractions has none`(
    _ text: String, _ currency: String, _ expected: Decimal?
  ) {
    #expect(amount(text, currency) == expected)
  }

  private struct Price: Equatable {
    var currency = "EUR"
    var amount: Decimal?

    static func fields(in language: Language) -> [DraftField<Price>] {
      let label = LocalizedText(verbatim: "Price")
      return [
        .amount("amount", \.amount, label: label, in: language, currency: \.currency),
        .currency("currency", \.currency, label: label, in: language),
      ]
    }
  }

  @Test func `A field of an amount shows how to enter one`() {
    for (language, sentence) in [
      (Language.english, "Enter an amount such as 1200 or 1,200.50."),
      (.russian, "Введите сумму, например 1200 или 1\u{a0}200,50."),
    ] {
      for text in ["abc", "-1", "0.001"] {
        var price = Price()
        let problems = Price.fields(in: language).store(["amount": text], in: &price)
        #expect(problems["amount"]?.in(language) == sentence)
      }
    }
  }

  @Test func `Currencies start with that of the language, and have their names in it`() {
    for (language, first) in [
      (Language.english, "GBP – British Pound"), (.russian, "RUB – российский рубль"),
    ] {
      guard case .choice(let choices) = Price.fields(in: language)[1].control.kind else {
        Issue.record("A currency is a choice.")
        return
      }
      #expect(choices.first?.label.in(language) == first)
      #expect(choices.count > 100 && choices.contains { $0.value == "ISK" })
    }
  }

  @Test func `A currency is any code of three letters, and nothing else`() {
    var price = Price()
    let fields = Price.fields(in: .english)
    #expect(fields.store(["currency": " dem "], in: &price).isEmpty && price.currency == "DEM")
    for text in ["", "euro", "€"] {
      #expect(
        fields.store(["currency": text], in: &price)["currency"]?.in(.english)
          == "Choose a currency.")
    }
  }

  @Test(arguments: [("2400.5", "EUR"), ("12.345", "TND"), ("0.05", "EUR"), ("1200", "JPY")])
  func `An amount is shown as it is typed in the language, and is parsed to the same value`(
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
