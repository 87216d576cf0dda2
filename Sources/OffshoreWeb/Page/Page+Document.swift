extension Page {
  /// The tab of a live page.
  struct TabReference {
    let id: String
    /// The address from which the page is fetched again, below the base.
    let address: String
    /// The number of the last change in the page.
    let revision: Int
  }

  /// The whole document without a tab, with the icons that are installed in the system.
  public var bytes: [UInt8] { document(nil) }

  /// Returns the whole document without a tab, for an app that is mounted at a path.
  /// - Parameter base: the path, such as `/anyfleet`; empty if the app is not mounted.
  package func bytes(below base: String) -> [UInt8] {
    document(nil, for: HTML.Surroundings(base: base))
  }

  /// Returns the whole document in UTF-8.
  func document(
    _ tab: TabReference?, for surroundings: HTML.Surroundings = .init()
  ) -> [UInt8] {
    var bytes = Array("<!doctype html>".utf8)
    root(.lang(words.language), .class("framed", if: surroundings.isFramed)) {
      head {
        meta(.charset("utf-8"))
        meta(.name("viewport"), .content("width=device-width, initial-scale=1"))
        meta(.name("color-scheme"), .content("light dark"))
        browserTitle
        meta(
          .name("theme-color"), .content(AppMark.paper.light),
          .media("(prefers-color-scheme: light)"))
        meta(
          .name("theme-color"), .content(AppMark.paper.dark), .media("(prefers-color-scheme: dark)")
        )
        if mark != nil {
          linkElement(.rel("icon"), .type("image/svg+xml"), .href(AppMark.iconAddress))
          linkElement(.rel("manifest"), .withCredentials(), .href(AppMark.manifestAddress))
        }
        linkElement(.rel("stylesheet"), .href(WebAssets.look.address))
        for sheet in stylesheets { linkElement(.rel("stylesheet"), .href(sheet.address)) }
        script(.src(WebAssets.live.address), .defer())
      }
      OffshoreWeb.body(
        .data("tab", tab?.id ?? ""),
        .data("address", tab.map { surroundings.base + $0.address } ?? ""),
        .data("revision", "\(tab?.revision ?? 0)"), .data("not-sent", words.notSent)
      ) { screen }
    }.write(to: &bytes, for: surroundings)
    return bytes
  }

  /// The parts that may change while the page is open, including the browser's title.
  var body: HTML {
    HTML {
      browserTitle
      screen
    }
  }

  private var browserTitle: HTML {
    titleElement(.id("page-title")) { site.isEmpty ? title : "\(title) – \(site)" }
  }

  @HTMLBuilder private var screen: HTML {
    // Also has the language, which the script copies to the document when it changes.
    a(
      .id("skip"), .class("skip"), .lang(words.language), .data("not-sent", words.notSent),
      .href("#main")
    ) { words.skip }
    p(.id("connection"), .class("connection"), .hidden()) { words.disconnected }
    header(.id("bar"), .class("bar")) {
      if let back { a(.href(back.address)) { "‹ \(back.title)" } }
      span(.class("spacer"))
      actions
      status
    }
    if !beside.isEmpty { aside(.id("beside"), .class("beside")) { beside } }
    main(.id("main"), .tabindex(-1)) {
      h1(.id("heading")) { title }
      if let subtitle { p(.id("subtitle"), .class("sub")) { subtitle } }
      div(.id("content")) { content }
    }
    navigation?.html
    div(.class("notice")) {
      p(.id("notice"), .role(.status), .ariaLive(.polite))
      button(.type(.button), .id("dismiss"), .class("dismiss"), .ariaLabel(words.dismiss)) { "×" }
    }
  }
}
