import Testing

@testable import OffshorePresentation

struct SearchTextTests {
  @Test(arguments: [
    ("Šibenik", "sibenik"), ("ŽĐRELAC", "zdrelac"), ("Ærø", "aero"), ("Łódź", "lodz"),
    ("Straße", "strasse"), ("İzmir", "izmir"), ("Ёлка", "елка"), ("ЙОД", "иод"),
    ("Κέρκυρα", "κερκυρα"), ("e\u{301}t\u{e9}", "ete"), ("Ａｌｍａ", "alma"), ("Nº 5", "no 5"),
    ("", ""),
  ]) func `A text is found in any spelling`(_ text: String, _ folded: String) {
    #expect(SearchText.folded(text) == folded)
    #expect(SearchText.folded(folded) == folded)
  }

  @Test func `A search is split into words at any white space`() {
    #expect(SearchText.words(of: "  Split\n ŽUT\t") == ["split", "zut"])
    #expect(SearchText.words(of: " ") == [])
  }

  @Test func `No word spans two fields`() {
    #expect(SearchText.joined(["Kornati", nil, "Đurđa"]) == "kornati\ndurda")
  }
}
