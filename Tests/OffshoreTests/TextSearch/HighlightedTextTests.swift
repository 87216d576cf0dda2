import Testing

@testable import Offshore

struct HighlightedTextTests {
  private func marked(_ text: String, _ search: String, words match: WordMatch = .lastBegins)
    -> String
  {
    HighlightedText(text, matching: search, words: match).marked
  }

  @Test func `The words of a search are marked, the last one as a prefix`() {
    #expect(marked("Sour bread, sour rye", "sour bre") == "[Sour] [bread], [sour] rye")
    #expect(marked("bread bre", "bre", words: .whole) == "bread [bre]")
    #expect(marked("bread", "?") == "bread")
    #expect(marked("", "a") == "")
  }

  @Test func `Letters keep their diacritics`() {
    #expect(marked("Ёлка и чай", "елка чай") == "[Ёлка] и [чай]")
    #expect(marked("чаи\u{306} крепкий", "чай") == "[чаи\u{306}] крепкий")
    #expect(marked("🙂 Cre\u{300}me brûlée", "creme brulee") == "🙂 [Cre\u{300}me] [brûlée]")
    #expect(marked("Καλημέρα", "καλημερα") == "[Καλημέρα]")
  }

  @Test func `A snippet contains most of the matches, and shows that text is left out`() {
    let text = HighlightedText(
      "one two three four five six seven", matching: "five six", words: .whole)
    #expect(text.snippet(words: 3).marked == "…four [five] [six]…")
    #expect(text.snippet(words: 7) == text)
    #expect(text.snippet(words: 0).marked == "…[five]…")
    let first = HighlightedText("one two three", matching: "one")
    #expect(first.snippet(words: 2).marked == "[one] two…")
    #expect(first.snippet(words: 2).snippet(words: 1).marked == "[one]…")
  }

  @Test func `Ranges are whole characters among emoji and diacritics, also in a snippet`() throws {
    let family = "👩‍👩‍👧"
    let text = "\(family) fresh \(family)brea\u{301}d 🇩🇪 and 👍🏽 salt, then e\u{301}clair \(family)"
    let whole = HighlightedText(text, matching: "fresh eclair bread")
    #expect(whole.ranges.map { String(text[$0]) } == ["fresh", "brea\u{301}d", "e\u{301}clair"])
    for count in 1...12 {
      let snippet = whole.snippet(words: count)
      #expect(snippet.parts.map(\.text).joined() == snippet.text)
      for range in snippet.ranges {
        #expect(["fresh", "brea\u{301}d", "e\u{301}clair"].contains(String(snippet.text[range])))
      }
      let piece = snippet.text.trimmingPrefix("…")
      #expect(text.contains(piece.hasSuffix("…") ? piece.dropLast() : piece))
    }
    #expect(whole.snippet(words: 100).text == text)
  }

  @Test func `A word that begins with the last word of a search is marked as a whole`() {
    #expect(marked("breads", "br") == "[breads]")
    #expect(marked("Ёлочный ёж", "е") == "[Ёлочный] [ёж]")
    #expect(marked("a\u{0}b a", "b") == "a\u{0}[b] a")
  }

  @Test func `Words are the same as those that FTS5 indexes`() throws {
    let test = try TestConnection()
    try test.connection.change(
      "CREATE VIRTUAL TABLE temp.words USING fts5(text, tokenize = '\(SQL(raw: TextTokenizer.declaration))')"
    )
    let texts = [
      "Über-größe, 12.5 km", "don't", "漢字 かな", "a_b", "naïve 𝒳 x²", "e\u{301}te\u{301}",
      "\u{1F1E9} ©",
    ]
    try test.connection.write { writer throws in
      try writer.run("CREATE VIRTUAL TABLE temp.list USING fts5vocab(temp, words, instance)")
      for text in texts {
        try writer.run("DELETE FROM temp.words")
        try writer.run("INSERT INTO temp.words VALUES (\(text))")
        let indexed = try writer.connection.texts("SELECT term FROM temp.list ORDER BY offset")
        #expect(TextTokenizer.shared?.words(Array(text.utf8)).map(\.text) == indexed, "\(text)")
      }
    }
  }

  @Test func `SQL and Swift replace the same letters`() throws {
    let test = try TestConnection()
    var random = SystemRandomNumberGenerator()
    let letters =
      TextFolding.pairs.flatMap { [$0.from, $0.to] } + ["a", "\u{306}", "\u{308}", "\u{301}", "é"]
    for _ in 0..<200 {
      let text = (0..<12).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
      let folded = try test.connection.texts(
        "SELECT \(SQL(raw: TextFolding.sql("value"))) FROM (SELECT \(text) AS value)")
      #expect(folded == [String(decoding: TextFolding.fold(text).bytes, as: UTF8.self)])
    }
  }
}

extension HighlightedText {
  /// The text with brackets around the matches.
  fileprivate var marked: String {
    parts.map { $0.isHit ? "[\($0.text)]" : String($0.text) }.joined()
  }
}
