import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// A search field with conditions.
@MainActor struct FilterFormTests {
  private func markup(_ query: Fields) -> String {
    FilterForm(
      LocalizedText(verbatim: "Search"),
      [
        .choice("harbor", LocalizedText(verbatim: "Harbor"), [.init("k", "Kotor")]),
        .day("from", LocalizedText(verbatim: "From")),
      ], query: query, to: "/charters", Localizer(.english, calendar: .utc)
    ).html.description
  }

  @Test func `The conditions are collapsed unless one is set`() {
    #expect(!markup(["q": "bura"]).contains(" open"))
    #expect(markup(["harbor": "k"]).contains(" open"))
  }

  @Test func `The fields have the values of the query`() {
    let markup = markup(["q": "bura", "harbor": "k", "from": "2027-06-12"])
    #expect(markup.contains(#"value="bura""#) && markup.contains(#"value="2027-06-12""#))
    #expect(markup.contains(#"<option value="k" selected>Kotor</option>"#))
    #expect(markup.contains(#"action="/charters""#) && markup.contains("Any"))
  }

  @Test func `A day that does not exist is explained`() {
    #expect(markup(["from": "2027-02-30"]).contains("There is no such day."))
    #expect(!markup(["from": "2027-02-28"]).contains("There is no such day."))
  }
}
