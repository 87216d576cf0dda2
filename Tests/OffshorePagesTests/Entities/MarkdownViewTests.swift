import OffshorePages
import OffshorePresentation
import OffshoreWeb
import Testing

/// Markdown on a page.
@MainActor struct MarkdownViewTests {
  private func html(_ text: String) -> String {
    String(decoding: Page("x") { MarkdownView(Markdown(text)) }.bytes, as: UTF8.self)
  }

  @Test func `Styles, links and lists are elements, and all else is escaped`() {
    let text = """
      ## A <b>
      1. ***x*** `<i>` [l](https://a.b/?c="d&e)
      2. [k](https://a.b/?c&d) [j](javascript:alert(1))
      """
    #expect(
      html(text).contains(
        """
        <h3>A &lt;b&gt;</h3><ol><li><strong><em>x</em></strong> <code>&lt;i&gt;</code> \
        [l](https://a.b/?c=&quot;d&amp;e)</li><li><a href="https://a.b/?c&amp;d">k</a> \
        [j](javascript:alert(1))</li></ol>
        """))
  }

  @Test func `No text becomes markup of its own`() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "<script>", "</article>", "<img src=x onerror=y>", "\"", "'", ">", "<", "&lt;", "&", "*",
      "**",
      "_", "`", "[a](", "https://b", "http://c\"", ")", "[", "]", "\n", "# ", "- ", "1. ", "\\",
      "-->",
    ]
    let known =
      /<\/?(article class="prose"|article|h2|h3|p|ul|ol|li|strong|em|code|a|a href="https?:\/\/[^"<>]*")>/
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...30, using: &random))
        .compactMap { _ in pieces.randomElement(using: &random) }.joined()
      let html = html(text)
      let article = html.firstMatch(of: /(?s)<div id="content">(.*)<\/div><\/main>/).map { $0.1 }
      let rest = (article ?? "<").replacing(known, with: "")
      #expect(!rest.contains("<") && !rest.contains(">"), "\(text.debugDescription)")
    }
  }
}
