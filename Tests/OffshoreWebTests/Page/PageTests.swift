import Testing

@testable import OffshoreWeb

struct PageTests {
  private func markup(_ page: Page) -> String { String(decoding: page.bytes, as: UTF8.self) }

  private var page: Page {
    Page(
      "Charters", appName: "Anyfleet", subtitle: "Two", back: PageLink("Apps", to: "/"),
      status: StatusLabel("Synced").html
    ) { p { "Content" } }
  }

  @Test
  func `A page has a language, landmarks, one heading, a way past the bar, and a live region`() {
    let markup = markup(page)
    #expect(markup.hasPrefix(#"<!doctype html><html lang="en"><head><meta charset="utf-8">"#))
    for part in ["<h1 ", "<main ", "<header ", "aria-live=\"polite\"", "<title ", "href=\"#main\""]
    {
      #expect(markup.count(of: part) == 1, "\(part)")
    }
    #expect(markup.contains(#"<main id="main" tabindex="-1">"#))
    #expect(markup.contains(#"<a href="/">‹ Apps</a>"#))
  }

  @Test func `The browser's title names the page and the app, or the page alone`() {
    #expect(markup(page).contains(#"<title id="page-title">Charters – Anyfleet</title>"#))
    #expect(markup(Page("Alone")).contains(#"<title id="page-title">Alone</title>"#))
  }

  @Test
  func `Nothing within the page would need another content policy: no script and no style in it`() {
    let markup = markup(page)
    #expect(markup.count(of: "<script") == 1)
    #expect(markup.contains(#"<script src="/assets/live-"#))
    #expect(!markup.contains("style=") && !markup.contains("<style") && !markup.contains(" on"))
  }

  @Test func `Names are escaped wherever they stand`() {
    let markup = markup(
      Page("<i>", appName: "\"&", subtitle: "<b>", back: PageLink("<u>", to: "javascript:x")))
    #expect(!markup.contains("<i>") && !markup.contains("<b>") && !markup.contains("<u>"))
    #expect(!markup.contains("javascript:"))
  }

  @Test func `A page in another language says so, and speaks it`() {
    let texts = PageTexts.russian
    let markup = markup(Page("Чартеры", texts: texts))
    #expect(markup.contains(#"<html lang="ru">"#))
    for text in [texts.skip, texts.disconnected, texts.notSent] { #expect(markup.contains(text)) }
    #expect(!markup.contains("Skip to content"))
  }

  @Test func `The parts of the app have a bar of their own, and the current one is marked`() {
    let bar = PageNavigation(
      "Parts of the app",
      [
        .init("Home", to: "/home", icon: Icon("house", text: "⌂"), isCurrent: false),
        .init("Charters", to: "/charters", icon: Icon("compass", text: "⛵"), isCurrent: true),
      ])
    let markup = markup(Page("Charters", navigation: bar))
    #expect(
      markup.contains(#"<nav id="navigation" class="navigation" aria-label="Parts of the app">"#))
    #expect(markup.contains(#"<a href="/charters" aria-current="page">"#))
    #expect(markup.count(of: "aria-current") == 1)
    #expect(!self.markup(page).contains("<nav"))
  }

  @Test func `A wide page is marked, and others are not`() {
    var wide = page
    wide.isWide = true
    #expect(markup(wide).contains(#"<main id="main" class="wide" tabindex="-1">"#))
    #expect(!markup(page).contains("wide"))
  }

  @Test func `All ids of a page differ, so that each patch has one target`() {
    let ids = markup(page).matches(of: /\sid="([^"]*)"/).map { String($0.output.1) }
    #expect(ids.count == Set(ids).count && ids.count > 5)
  }
}

extension String {
  /// The number of occurrences of a text.
  func count(of text: String) -> Int { ranges(of: text).count }
}
