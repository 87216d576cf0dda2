import OffshorePresentation
import Testing

extension LocalizedText {
  fileprivate static let charters = LocalizedText(en: "Charters", ru: "Чартеры")
  fileprivate static let boat = LocalizedText(en: "Boat", ru: "Лодка", de: "Boot")

  fileprivate static func guests(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# guest", other: "# guests"),
      ru: .init(one: "# гость", few: "# гостя", many: "# гостей"))
  }

  fileprivate static func guests(_ count: Int, on boat: String) -> LocalizedText {
    .counted(
      count, en: .init(one: "\(boat): # guest", other: "\(boat): # guests, all #"),
      ru: .init(one: "\(boat): # гость", few: "\(boat): # гостя", many: "\(boat): # гостей"))
  }

  fileprivate static func cabins(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# cabin", other: "# cabins"),
      ru: .init(one: "# каюта", few: "# каюты", many: "# кают"),
      de: .init(one: "# Kajüte", other: "# Kajüten"))
  }
}

struct LocalizedTextTests {
  @Test func `A text has a value in each language`() {
    #expect(LocalizedText.charters.in(.english) == "Charters")
    #expect(LocalizedText.charters.in(.russian) == "Чартеры")
  }

  @Test func `A name is the same in every language`() {
    let text = LocalizedText(verbatim: "Ada")
    #expect([Language.english, .russian, .german].map(text.in) == ["Ada", "Ada", "Ada"])
  }

  @Test func `A text is composed of others by language`() {
    let text = LocalizedText {
      "\(LocalizedText.charters.in($0)): \(LocalizedText.guests(2).in($0))"
    }
    #expect(text == LocalizedText(en: "Charters: 2 guests", ru: "Чартеры: 2 гостя"))
    #expect(text.in(.german) == "Charters: 2 Gäste")
  }

  @Test func `A literal of several lines is one text`() {
    let name = "Alma"
    let text = LocalizedText(en: "Who is " + "\(name), " + "and \(name)?", ru: "Кто " + "\(name)?")
    #expect(text.in(.english) == "Who is Alma, and Alma?")
    #expect(text.in(.russian) == "Кто Alma?")
  }

  // MARK: - Counted texts

  @Test func `A counted text has the plural form of its number`() {
    let english = [0, 1, 2, 21].map { LocalizedText.guests($0).in(.english) }
    #expect(english == ["0 guests", "1 guest", "2 guests", "21 guests"])
    let russian = [0, 1, 2, 5, 11, 21, 22, 112].map { LocalizedText.guests($0).in(.russian) }
    #expect(
      russian == [
        "0 гостей", "1 гость", "2 гостя", "5 гостей", "11 гостей", "21 гость", "22 гостя",
        "112 гостей",
      ])
  }

  @Test func `The number is written as the language writes numbers`() {
    #expect(LocalizedText.guests(1_234_567).in(.english) == "1,234,567 guests")
    #expect(LocalizedText.guests(1_234_567).in(.russian) == "1\u{a0}234\u{a0}567 гостей")
    #expect(LocalizedText.guests(1_234_567).in(.german) == "1.234.567 Gäste")
    #expect(LocalizedText.guests(-1).in(.russian) == "-1 гость")
  }

  @Test func `A number sign in a value is preserved`() {
    let text = LocalizedText.guests(3, on: "Boat #7")
    #expect(text.in(.english) == "Boat #7: 3 guests, all 3")
    #expect(text.in(.russian) == "Boat #7: 3 гостя")
  }

  @Test func `A form need not contain the number`() {
    let text = LocalizedText.counted(
      1, en: .init(one: "A guest", other: "# guests"),
      ru: .init(one: "Гость", few: "# гостя", many: "# гостей"))
    #expect(text == LocalizedText(en: "A guest", ru: "Гость"))
  }

  @Test func `A number of bytes has the largest unit of which it is a multiple`() {
    let counts = [0, 1, 1_000, 1 << 10, 3 << 9, (1 << 20) + 1_024, 24 << 20]
    #expect(
      counts.map { LocalizedText.byteCount($0).in(.english) }
        == ["0 B", "1 B", "1000 B", "1 KiB", "1536 B", "1025 KiB", "24 MiB"])
    #expect(
      counts.map { LocalizedText.byteCount($0).in(.russian) }
        == ["0 Б", "1 Б", "1000 Б", "1 КиБ", "1536 Б", "1025 КиБ", "24 МиБ"])
  }

  // MARK: - In three languages

  @Test func `An app declares its texts in three languages`() {
    #expect(
      [Language.english, .russian, .german].map(LocalizedText.boat.in) == ["Boat", "Лодка", "Boot"])
    #expect([1, 2].map { LocalizedText.cabins($0).in(.german) } == ["1 Kajüte", "2 Kajüten"])
    #expect(
      [1, 2, 5].map { LocalizedText.cabins($0).in(.russian) } == ["1 каюта", "2 каюты", "5 кают"])
    #expect([1, 2].map { LocalizedText.cabins($0).in(.english) } == ["1 cabin", "2 cabins"])
  }

  @Test func `An app need not have Russian`() {
    let text = LocalizedText(en: "Boat", [.german: "Boot"])
    #expect([Language.english, .russian, .german].map(text.in) == ["Boat", "Boat", "Boot"])
  }

  // MARK: - Equality

  @Test func `Texts are equal if they are the same in every language`() {
    let boat = LocalizedText(en: "\("Boat")", ru: "Лодка")
    #expect(boat == LocalizedText(en: "Boat", ru: "Лодка"))
    #expect(boat != LocalizedText(en: "Boat", ru: "Лодки"))
    #expect(boat != .boat)
    #expect(LocalizedText.boat == LocalizedText(en: "Boat", ru: "Лодка", de: "Boot"))
    #expect(LocalizedText(verbatim: "Boat") == LocalizedText(en: "Boat", ru: "Boat"))
    #expect(Set([boat, LocalizedText(en: "Boat", ru: "Лодка"), .boat]).count == 2)
  }
}
