import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// Reading and writing guides.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GuidePagesTests {
  private let pages: Pages
  private var repository: any LibraryRepository { pages.dependencies.libraryRepository }
  private let new = "/library/guides/new"

  init() async throws { pages = try await Pages() }

  /// A page's form, filled in.
  private func form(_ page: String) throws -> Fields {
    var fields = try pages.sent(by: page)
    fields.set("title", "Stern-to")
    fields.set("tags", "Med, harbour")
    fields.set("body", "# Before\r\n\r\nLines **ready**.\r\n- one\r\n- two")
    return fields
  }

  @Test func `A guide is written, and shows with its structure`() async throws {
    let sent = try form(await pages.get(new).text)
    let saved = await pages.post(new, sent)
    #expect(saved.status == .seeOther)
    let path = try #require(saved.headers["Location"])
    let page = await pages.get(path).text
    #expect(
      page.contains(
        """
        <article class="prose"><h2>Before</h2><p>Lines <strong>ready</strong>.</p>\
        <ul><li>one</li><li>two</li></ul></article>
        """))
    #expect(page.contains("harbour</span>"))
    #expect(await pages.post(new, sent).headers["Location"] == path)
    #expect(try await repository.fetchUserGuides().count == 1)
  }

  @Test func `A guide is changed`() async throws {
    let guide = PracticeGuide.sample()
    try await repository.saveGuide(guide)
    let path = Address.editEntry(guide.id, in: .guides)
    let page = await pages.get(path).text
    #expect(page.contains("# Stern-to") && page.contains(#"value="Med, harbour""#))
    var sent = try form(page)
    sent.set("title", "Renamed")
    #expect(
      await pages.post(path, sent).headers["Location"] == Address.entry(guide.id, in: .guides))
    #expect(try await repository.fetchGuide(guide.id)?.title == "Renamed")
  }

  @Test(arguments: Language.allCases)
  func `What is wrong stands beside its field, and what was typed stays`(language: Language)
    async throws
  {
    pages.dependencies.language.use(language)
    var sent = try form(await pages.get(new).text)
    sent.set("title", " ")
    sent.set("tags", String(repeating: "x", count: 31))
    let response = await pages.post(new, sent)
    #expect(response.status == .unprocessableContent)
    #expect(
      response.text.contains("field-title-error") && response.text.contains("field-tags-error"))
    #expect(!response.text.contains("field-body-error"))
    #expect(response.text.contains("Lines **ready**."))
    #expect(response.text.contains(language == .russian ? "Введите название." : "Enter a title."))
    #expect(try pages.sent(by: response.text)["draft"] == sent["draft"])
    #expect(try await repository.fetchUserGuides().isEmpty)
  }

  @Test func `A form without an id is no form of this app`() async throws {
    #expect(await pages.post(new, ["title": "x", "body": "x"]).status == .badRequest)
  }

  @Test func `In an open page saving leads on, and what is wrong shows there`() async throws {
    let page = await pages.get(new).text
    let tab = try pages.tabID(page)
    var sent = try form(page)
    sent.set("title", "")
    #expect(await pages.post(new, sent, tab: tab).status == .unprocessableContent)
    sent.set("title", "Stern-to")
    let saved = await pages.post(new, sent, tab: tab)
    #expect(saved.headers["Offshore-Location"]?.hasPrefix("/library/guides/") == true)
  }

  // MARK: - Markup

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
