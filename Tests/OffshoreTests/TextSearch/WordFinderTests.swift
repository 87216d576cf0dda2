import TestSupport
import Testing

@testable import Offshore

struct WordFinderTests {
  private func finds(_ search: String, in text: String, words match: WordMatch = .lastBegins)
    -> Bool?
  {
    WordFinder(SearchWords(search, words: match))?.findsAll(in: text)
  }

  @Test func `All words must occur, the last one as a prefix`() {
    #expect(finds("sour bre", in: "Bread, SOUR") == true)
    #expect(finds("sour bre", in: "bread") == false)
    #expect(finds("bre sour", in: "bread, sour") == false)
    #expect(finds("bre", in: "bread", words: .whole) == false)
    #expect(finds("bre bre", in: "bre") == true)
  }

  @Test func `Letters are the same as those of the index`() {
    #expect(finds("елка", in: "Ёлка") == true && finds("ёлка", in: "е\u{308}лка") == true)
    #expect(finds("чай", in: "чаи\u{306}") == true && finds("чаи", in: "чай") == false)
    #expect(finds("creme", in: "Cre\u{300}me") == true && finds("🙂", in: "a🙂b") == false)
  }

  @Test func `Without words, or with very many, no finder is created`() {
    #expect(finds("…", in: "a") == nil)
    #expect(finds((0..<18).map { "w\($0)" }.joined(separator: " "), in: "a") == nil)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `The finder finds the same as the index, whatever the texts and searches`(_ seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let letters = [
      "a", "b", "é", "e\u{301}", "ё", "Ё", "е", "й", "и\u{306}", "ά", "α", "ї", " ", " ", "-", "\"",
      "🙂", "漢", "\u{301}", "\u{308}", "\u{0}", "K", "ß", "İ", "²", "\u{FFFD}",
    ]
    func text(_ limit: Int) -> String {
      (0..<random.number(below: limit)).map { _ in random.pick(letters) }.joined()
    }
    let recipes = (1...60).map {
      Recipe($0, text(12), random.number(below: 2) == 0 ? nil : text(9))
    }
    let fixture = try TextSearchFixture(recipes)
    for _ in 0..<150 {
      let (search, match) = (text(5), WordMatch.allCases[random.number(below: 3)])
      guard let finder = WordFinder(SearchWords(search, words: match)) else { continue }
      let found = recipes.filter { finder.findsAll(in: "\($0.title) \($0.note ?? "")") }.map(\.id)
      let indexed = try fixture.ids(search, words: match)
      #expect(found == indexed, "seed \(seed): \(search.debugDescription)")
    }
  }
}
