import Foundation
import Testing

@testable import Anyfleet

struct SearchTextTests {
  @Test(
    "A text is found however it is written",
    arguments: [
      ("Šibenik", "sibenik"), ("ŽĐRELAC", "zdrelac"), ("Ærø", "aero"), ("Łódź", "lodz"),
      ("Straße", "strasse"), ("İzmir", "izmir"), ("Ёлка", "елка"), ("ЙОД", "иод"),
      ("Κέρκυρα", "κερκυρα"), ("e\u{301}t\u{e9}", "ete"), ("Ａｌｍａ", "alma"), ("Nº 5", "no 5"),
      ("", ""),
    ])
  func folding(_ text: String, _ folded: String) {
    #expect(SearchText.folded(text) == folded)
    #expect(SearchText.folded(folded) == folded)
  }

  @Test func `What is searched for is words, whatever stands between them`() {
    #expect(SearchText.words(of: "  Split\n ŽUT\t") == ["split", "zut"])
    #expect(SearchText.words(of: " ") == [])
  }

  @Test
  func `A charter is found by name, boat, location and region, and by no two of them together`() {
    var charter = CharterModel.sample("Kornati")
    #expect(charter.searchText == "kornati")
    charter.boatName = "Đurđa"
    charter.location = "Split"
    charter.region = "Далмация"
    #expect(charter.searchText == "kornati\ndurda\nsplit\nдалмация")
  }
}
