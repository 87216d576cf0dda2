import Testing

@testable import OffshoreWeb

struct SizeTests {
  @Test("Markup without anything to escape has the size that is written")
  func size() {
    let html = HTML {
      div(.id("a"), .hidden()) {
        p { "some text" }
        input(.name("b"))
        Raw("<hr>")
      }
      p { "more" }
    }
    let count = html.bytes.count
    #expect(html.size == count)
    #expect(html.isLarger(than: count - 1) && html.isLarger(than: 0) && html.isLarger(than: -1))
    #expect(!html.isLarger(than: count) && !html.isLarger(than: .max))
  }

  @Test("What escaping adds does not count, so that both sides of a comparison are alike")
  func escaping() {
    #expect(p { "\"&<>" }.size == p { "abcd" }.size)
    #expect(p(.id("\"")).size == p(.id("a")).size)
  }

  @Test("Nothing has no size")
  func nothing() {
    #expect(HTML().size == 0 && !HTML().isLarger(than: 0) && HTML().isLarger(than: -1))
  }
}
