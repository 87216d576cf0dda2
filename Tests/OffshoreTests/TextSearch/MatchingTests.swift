import Foundation
import TestSupport
import Testing

@testable import Offshore

struct MatchingTests {
  private func ids(_ text: String, in titles: String..., words match: WordMatch = .lastBegins)
    throws -> [Int]
  {
    let fixture = try TextSearchFixture(titles.enumerated().map { Recipe($0 + 1, $1) })
    return try fixture.ids(text, words: match)
  }

  @Test func `All words must occur, in any order and column`() throws {
    let fixture = try TextSearchFixture([
      Recipe(1, "Sour bread", "rye"), Recipe(2, "Sweet bread"), Recipe(3, "Rye", "sour"),
    ])
    #expect(try fixture.ids("rye sour") == [1, 3])
    #expect(try fixture.ids("bread rye") == [1])
  }

  @Test func `The last word is a prefix, unless whole words are requested`() throws {
    #expect(try ids("sour bre", in: "Sour bread", "Sour brew", "Sourdough bread") == [1, 2])
    #expect(try ids("bre", in: "bread", "bre", words: .whole) == [2])
  }

  @Test func `Each word is a prefix, if that is requested`() throws {
    let titles = ["Sour bread", "Bread, sour", "Sweet bread"]
    let fixture = try TextSearchFixture(titles.enumerated().map { Recipe($0 + 1, $1) })
    #expect(try fixture.ids("bre so", words: .allBegin) == [1, 2])
    #expect(try fixture.ids("bre so") == [])
    #expect(try fixture.ids("s s b", words: .allBegin) == [1, 2, 3])
  }

  @Test func `Case and diacritics make no difference`() throws {
    #expect(try ids("CREME brulee", in: "Crème brûlée") == [1])
    #expect(try ids("Éclair", in: "eclair", "E\u{301}clair") == [1, 2])
    #expect(try ids("uber", in: "Über", "u\u{308}ber") == [1, 2])
    #expect(try ids("καλημερα", in: "Καλημέρα") == [1])
  }

  @Test(arguments: ["елка", "ёлка", "ЕЛКА", "Ёлка", "е\u{308}лка"])
  func `Е and ё are one letter in texts and searches`(_ text: String) throws {
    #expect(try ids(text, in: "Ёлка", "елка", "е\u{308}лка") == [1, 2, 3])
  }

  @Test func `Й is a separate letter, composed or not`() throws {
    #expect(try ids("чай", in: "чай", "чаи", "чаи\u{306}") == [1, 3])
    #expect(try ids("чаи\u{306}", in: "чай", "чаи") == [1])
    #expect(try ids("чаи", in: "чай", "чаи", words: .whole) == [2])
  }

  @Test(arguments: ["", " ", "-", "***", "\"", "()", "\u{0}", "…?!"])
  func `A text without words keeps all rows`(_ text: String) throws {
    #expect(try ids(text, in: "a", "b") == [1, 2])
  }

  @Test func `Emoji are words`() throws {
    #expect(try ids("🙂", in: "fine 🙂", "fine") == [1])
  }

  @Test(arguments: [
    "bread AND", "bread OR", "NOT bread", "NEAR(bread)", "title:bread", "bread*", "\"bread",
    "^bread", "-bread",
    "{bread}", "bread\u{0}", "(bread", "bread + ",
  ])
  func `Operators are words or are ignored`(_ text: String) throws {
    #expect(try ids(text, in: "bread and or not near title", "water") == [1])
  }

  @Test func `Malicious texts are text`() throws {
    let fixture = try TextSearchFixture([Recipe(1, "plain words")])
    var random = SeededRandom(seed: 11)
    let parts = [
      "\"", "'", "*", "^", ":", "(", ")", "{", "}", "+", "-", " ", "\u{0}", "AND", "OR", "NOT",
      "NEAR", "NEAR(a b, 2)",
      "title", "rank", "🙂", "👩‍👩‍👧", "\u{301}", "ё", "й", "漢字", "\u{FFFD}", "\u{10FFFF}", "\\", "?1",
      ";", "--", "a",
      String(decoding: [0xD800 as UInt16], as: UTF16.self),
    ]
    try fixture.connection.read { reader throws in
      for _ in 0..<10_000 {
        let count = Int.random(in: 0...8, using: &random)
        let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        let found = try Recipe.matching(text, in: Recipe.text).all(reader)
        #expect(found.isEmpty != SearchWords(text, words: .lastBegins).isEmpty, "\(text)")
      }
    }
  }

  @Test func `A text of 100 KB is searched for`() throws {
    let words = (0..<15_000).map { "word\($0)" }.joined(separator: " ")
    #expect(try ids(words, in: words, "word1") == [1])
    #expect(try ids(String(repeating: "a", count: 100_000), in: "a").isEmpty)
  }

  @Test func `A search is a condition like others`() throws {
    let fixture = try TextSearchFixture([
      Recipe(1, "bread", day: 3), Recipe(2, "bread", day: 1), Recipe(3, "bread", day: 2),
      Recipe(4, "tea"),
    ])
    try fixture.connection.write { writer throws in
      let bread = Recipe.matching("bread", in: Recipe.text)
      let newest = bread.where { $0.id != 2 }.order { $0.date.descending }
      #expect(try newest.all(writer).map(\.id) == [1, 3])
      #expect(try newest.limit(1).all(writer).map(\.id) == [1])
      #expect(try newest.limit(1).offset(1).all(writer).map(\.id) == [3])
      #expect(try newest.limit(1).after(Recipe(1, "bread", day: 3)).all(writer).map(\.id) == [3])
      #expect(try newest.first(writer)?.id == 1)
      #expect(try bread.count(writer) == 3)
      #expect(try bread.exists(writer))
      #expect(try bread.select { $0.id }.all(writer).sorted() == [1, 2, 3])
      #expect(try bread.matching("tea", in: Recipe.text).count(writer) == 0)
      #expect(try Recipe.find(4).matching("bread", in: Recipe.text).first(writer) == nil)
      #expect(try bread.update(writer) { [$0.isDone.set(true)] } == 3)
      #expect(try bread.delete(writer) == 3)
      #expect(try bread.all(writer).isEmpty)
    }
    try fixture.verify()
  }

  @Test func `Rows are ranked by their words and the weights of columns`() throws {
    let fixture = try TextSearchFixture([
      Recipe(1, "tea", "with bread"), Recipe(2, "bread"), Recipe(3, "bread", "bread bread"),
      Recipe(4, "x"),
      Recipe(5, "y"), Recipe(6, "z"), Recipe(7, "u"), Recipe(8, "v"),
    ])
    try fixture.connection.read { reader throws in
      let ranked = Recipe.matching("bread", in: Recipe.text).byRank()
      let all = try ranked.all(reader).map(\.id)
      #expect(all.last == 1 && all.count == 3)
      #expect(try ranked.limit(2).all(reader).map(\.id) == Array(all.prefix(2)))
      #expect(try ranked.limit(1).offset(1).all(reader).map(\.id) == [all[1]])
      #expect(try ranked.where { $0.id == 1 }.all(reader).map(\.id) == [1])
      #expect(try ranked.select { $0.id }.all(reader) == all)
      #expect(try ranked.count(reader) == 3)
      #expect(
        try Recipe.matching("!", in: Recipe.text).order { $0.id }.byRank().all(reader).count == 8)
      let error = databaseError { () throws in
        _ = try ranked.limit(1).after(Recipe(2, "bread")).all(reader)
      }
      #expect(
        error?.message == "A row does not tell its rank. Continue a search by rank with offset(_:)."
      )
    }
  }

  @Test func `Keys of text and of several columns are found, and ranked`() throws {
    let fixture = try TextSearchFixture()
    try fixture.connection.write { writer throws in
      let remarks = ["good tea", "bad tea", "water"].map { Remark(id: UUID(), text: $0) }
      try Remark.insert(contentsOf: remarks, writer)
      let labels = [
        Label(group: "a", number: 1, words: "x y"), Label(group: "a", number: 2, words: "y"),
      ]
      try Label.insert(contentsOf: labels, writer)
      let tea = Remark.matching("tea", in: Remark.index)
      #expect(Set(try tea.all(writer).map(\.id)) == Set(remarks.prefix(2).map(\.id)))
      #expect(try tea.byRank().limit(5).all(writer).count == 2)
      #expect(try Label.matching("x", in: Label.text).all(writer) == [labels[0]])
      #expect(try Label.matching("y", in: Label.text).byRank().all(writer).count == 2)
    }
  }
}
