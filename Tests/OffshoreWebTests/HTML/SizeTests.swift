import Testing

@testable import OffshoreWeb

struct SizeTests {
  @Test func `Markup without anything to escape has the size that is written`() {
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

  @Test func `What escaping adds does not count, so that both sides of a comparison are alike`() {
    #expect(p { "\"&<>" }.size == p { "abcd" }.size)
    #expect(p(.id("\"")).size == p(.id("a")).size)
  }

  @Test func `Nothing has no size`() {
    #expect(HTML().size == 0 && !HTML().isLarger(than: 0) && HTML().isLarger(than: -1))
  }
}
