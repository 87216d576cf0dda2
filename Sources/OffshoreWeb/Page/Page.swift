/// A whole page: its heading, a link back, a status, and its content.
///
/// ```swift
/// Page("Charters", appName: "Anyfleet", back: PageLink("Home", to: "/")) {
///   Card { for charter in charters { LinkRow(charter.name, to: "/charters/\(charter.id)") } }
/// }
/// ```
///
/// It has a language, landmarks, one `h1`, a bar at the upper edge, a link that skips the bar, a
/// place for notices, and a message while the device cannot be reached.
///
/// A notice is a short text that the script shows over the page and that screen readers read: the
/// confirmation of a ``PostForm``, the message of a ``SortList``, or the reason why a post failed or
/// was refused. No function shows a notice.
public struct Page: Sendable, Equatable {
  /// The title: the `h1`, and the first part of the browser's title.
  public var title: String
  /// The app's name, the second part of the browser's title; if empty, the title has one part.
  public var appName: String
  /// A line below the heading.
  public var subtitle: String?
  /// The link back, in the bar.
  public var back: PageLink?
  /// Content at the end of the bar, such as a ``StatusLabel``.
  public var status: HTML
  /// The page's own actions in the bar, such as a button that adds an entry.
  public var actions: HTML
  /// A list at the side of the page, such as the list of all entries on the page of one entry. Only
  /// windows of 64 rem and more show it.
  public var sidebar: HTML
  /// The stylesheets of this page only.
  public var stylesheets: [Stylesheet] = []
  /// The mark of the app, the icon of the page in the browser. `Router.addMark(_:)` serves it.
  public var mark: AppMark?
  /// Whether the content uses the whole width of a wide window, as that of a calendar does, instead of
  /// the width in which texts are easy to read. `false` by default.
  public var isWide = false
  /// Whether the page appears only after the script has run, because the script scrolls to a place in
  /// a long list. `false` by default.
  public var waitsForScript = false
  /// The links to the parts of the app, at the lower edge.
  public var navigation: PageNavigation?
  /// The content below the heading.
  public var content: HTML
  /// The texts that every page has, and their language.
  public var texts: PageTexts

  /// Creates a page, with the initial values of some properties. The others are empty.
  public init(
    _ title: String, appName: String = "", subtitle: String? = nil, back: PageLink? = nil,
    texts: PageTexts = .english, status: HTML = HTML(), navigation: PageNavigation? = nil,
    @HTMLBuilder content: () -> HTML = { HTML() }
  ) {
    self.title = title
    self.appName = appName
    self.subtitle = subtitle
    self.back = back
    self.texts = texts
    self.status = status
    actions = HTML()
    sidebar = HTML()
    self.navigation = navigation
    self.content = content()
  }
}

/// The title and the address of a link.
public struct PageLink: Sendable, Equatable {
  /// The text of the link.
  public var title: String
  /// The address to which it leads.
  public var address: String

  /// Creates a link.
  public init(_ title: String, to address: String) {
    self.title = title
    self.address = address
  }
}

/// The texts that every page has, in the language of the page.
public struct PageTexts: Sendable, Equatable {
  /// The language, as a [tag](https://www.rfc-editor.org/rfc/rfc5646).
  public var language: String
  /// The text of the link that skips the bar.
  public var skip: String
  /// The message while the device cannot be reached.
  public var disconnected: String
  /// The message after a form could not be sent.
  public var notSent: String
  /// The label of the button that closes a notice.
  public var dismiss: String

  /// Creates the texts of a language. Each parameter is the value of the property with its name.
  public init(
    language: String, skip: String, disconnected: String, notSent: String, dismiss: String
  ) {
    self.language = language
    self.skip = skip
    self.disconnected = disconnected
    self.notSent = notSent
    self.dismiss = dismiss
  }

  /// The English texts. For a page in another language, the app provides the texts.
  public static let english = PageTexts(
    language: "en", skip: "Skip to content",
    disconnected: "The app cannot be reached. Trying again…",
    notSent: "That did not work. Try again.", dismiss: "Dismiss")
}

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
  package var bytes: [UInt8] { document(nil) }

  /// Returns the whole document without a tab, for an app that is mounted at a path.
  /// - Parameter base: the path, such as `/anyfleet`; empty if the app is not mounted.
  package func bytes(below base: String) -> [UInt8] {
    document(nil, for: RenderContext(base: base))
  }

  /// Returns the whole document in UTF-8.
  func document(
    _ tab: TabReference?, for context: RenderContext = RenderContext()
  ) -> [UInt8] {
    var bytes = Array("<!doctype html>".utf8)
    root(.lang(texts.language), .class("framed", if: context.isFramed)) {
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
        linkElement(.rel("stylesheet"), .href(WebAsset.look.address))
        for sheet in stylesheets { linkElement(.rel("stylesheet"), .href(sheet.address)) }
        script(.src(WebAsset.live.address), .defer(), .blockingRender(if: waitsForScript))
        for sheet in stylesheets {
          if let asset = sheet.script { script(.src(asset.address), .defer()) }
        }
      }
      OffshoreWeb.body(
        .data("tab", tab?.id ?? ""),
        .data("address", tab.map { context.base + $0.address } ?? ""),
        .data("revision", "\(tab?.revision ?? 0)"), .data("not-sent", texts.notSent)
      ) { screen }
    }.write(to: &bytes, for: context)
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
    titleElement(.id("page-title")) { appName.isEmpty ? title : "\(title) – \(appName)" }
  }

  @HTMLBuilder private var screen: HTML {
    // Also has the language, which the script copies to the document when it changes.
    a(
      .id("skip"), .class("skip"), .lang(texts.language), .data("not-sent", texts.notSent),
      .href("#main")
    ) { texts.skip }
    p(.id("connection"), .class("connection"), .hidden()) { texts.disconnected }
    header(.id("bar"), .class("bar")) {
      if let back { a(.href(back.address)) { "‹ \(back.title)" } }
      span(.class("spacer"))
      actions
      status
    }
    if !sidebar.isEmpty { aside(.id("beside"), .class("beside")) { sidebar } }
    main(.id("main"), .class("wide", if: isWide), .tabindex(-1)) {
      h1(.id("heading")) { title }
      if let subtitle { p(.id("subtitle"), .class("sub")) { subtitle } }
      div(.id("content")) { content }
    }
    navigation?.html
    div(.class("notice")) {
      p(.id("notice"), .role(.status), .ariaLivePolite())
      button(.type(.button), .id("dismiss"), .class("dismiss"), .ariaLabel(texts.dismiss)) { "×" }
    }
  }
}
