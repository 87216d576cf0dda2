import Testing

@testable import OffshoreWeb

struct LengthTests {
  @Test("An element is longer than one byte less than it has, and no longer than it has")
  func length() throws {
    let html = div(.id("a"), .hidden()) {
      p { "some text" }
      input(.name("b"))
      Raw("<hr>")
    }
    let node = try #require(html.nodes.first)
    let count = html.bytes.count
    #expect(node.isLonger(than: count - 1) && node.isLonger(than: 0) && node.isLonger(than: -1))
    #expect(!node.isLonger(than: count) && !node.isLonger(than: .max))
  }
}
