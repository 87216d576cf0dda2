import TestSupport
import Testing

@testable import OffshoreWeb

struct HTMLTests {
  private func markup(@HTMLBuilder _ content: () -> HTML) -> String { content().description }

  @Test func `Elements nest, and texts and attributes keep their order`() {
    let list = ul(.class("card"), .id("list")) {
      li { "One" }
      li {
        strong { "Two" }
        " and more"
      }
    }
    #expect(
      list.description
        == #"<ul class="card" id="list"><li>One</li><li><strong>Two</strong> and more</li></ul>"#)
  }

  @Test func `What is not there is not written: nil, an if that fails, and an empty loop`() {
    let name: String? = nil
    let items: [String] = []
    let text = markup {
      p {
        name
        if !items.isEmpty { "never" }
        for item in items { item }
      }
    }
    #expect(text == "<p></p>")
  }

  @Test(arguments: [true, false])
  func `Both branches of a condition and all turns of a loop are written`(isFirst: Bool) {
    let text = markup {
      if isFirst { em { "a" } } else { strong { "b" } }
      for number in 1...3 { "\(number)" }
    }
    #expect(text == (isFirst ? "<em>a</em>123" : "<strong>b</strong>123"))
  }

  @Test func `A void element has no end tag, an empty one does`() {
    #expect(br().description == "<br>")
    #expect(input(.type(.date), .name("day")).description == #"<input type="date" name="day">"#)
    #expect(div().description == "<div></div>")
  }

  @Test func `An attribute without a value stands there by its name alone, or not at all`() {
    #expect(input(.required(), .disabled(false)).description == "<input required>")
    #expect(details(.open()) { "x" }.description == "<details open>x</details>")
  }

  @Test func `Classes add up, and of another attribute the last one counts`() {
    let element = div(.class("row", "done"), .id("a"), .class("late", if: true), .id("b"))
    #expect(element.description == #"<div class="row done late" id="b"></div>"#)
    #expect(div(.class("late", if: false), .none).description == "<div></div>")
  }

  @Test func `Text is escaped in content and in attributes`() {
    #expect(
      p(.ariaLabel(#"a"b<c>&'d"#)) { #"<b>"Tom" & Ann's</b>"# }.description
        == #"<p aria-label="a&quot;b&lt;c&gt;&amp;'d">&lt;b&gt;&quot;Tom&quot; &amp; Ann's&lt;/b&gt;</p>"#
    )
  }

  @Test func `Raw markup is written as it is`() {
    #expect(p { Raw("<b>&amp;</b>") }.description == "<p><b>&amp;</b></p>")
  }

  @Test func `What a parser would drop or change is written so that it survives`() {
    #expect(p { "a\0b\rc" }.description == "<p>a\u{FFFD}b&#13;c</p>")
    #expect(textarea { "\nline" }.description == "<textarea>\n\nline</textarea>")
    #expect(textarea { "line" }.description == "<textarea>line</textarea>")
    #expect(pre { "\nx" }.description == "<pre>\n\nx</pre>")
  }

  @Test func `Whatever text and attributes contain, no character of theirs becomes markup`() {
    var generator = SeededRandom(seed: 11)
    for _ in 0..<10_000 {
      let text = nastyText(&generator)
      let value = nastyText(&generator)
      let bytes = p(.title(value), .class(value)) { text }.bytes
      #expect(bytes.count { $0 == UInt8(ascii: "<") } == 2)
      #expect(bytes.count { $0 == UInt8(ascii: ">") } == 2)
      #expect(bytes.count { $0 == UInt8(ascii: "\"") } == 4)
      #expect(!bytes.contains(0) && !bytes.contains(UInt8(ascii: "\r")))
      let read = Unescaping.text(String(decoding: bytes, as: UTF8.self))
      let expected = [value, value, text].map { $0.replacing("\0", with: "\u{FFFD}") }
      #expect(read == expected, "seed 11")
    }
  }

  @Test func `A component is used like an element`() {
    struct Greeting: Component {
      let name: String
      var html: HTML {
        p { "Hello" }
        p { name }
      }
    }
    #expect(
      div { Greeting(name: "<you>") }.description == "<div><p>Hello</p><p>&lt;you&gt;</p></div>")
  }
}

/// Reads the two attributes and the content of a paragraph back, as a parser would.
private enum Unescaping {
  static func text(_ markup: String) -> [String] {
    let quoted = markup.split(separator: "\"", omittingEmptySubsequences: false)
    let content = markup.split(separator: ">", omittingEmptySubsequences: false)[1].dropLast(3)
    return [quoted[1], quoted[3], content].map(decoded)
  }

  private static func decoded(_ text: Substring) -> String {
    String(decoding: Array(text.utf8), as: UTF8.self)
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#13;", with: "\r").replacing("&amp;", with: "&")
  }
}

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
