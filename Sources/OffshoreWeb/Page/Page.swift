/// A whole page: its heading, the way back, a status, and what it is about.
///
/// ```swift
/// Page("Charters", site: "Anyfleet", back: PageLink("Apps", to: "/")) {
///   Card { for charter in charters { LinkRow(charter.name, to: "/charters/\(charter.id)") } }
/// }
/// ```
///
/// It has a language, landmarks, one `h1`, a link past the bar, one polite live region for notices, and
/// a bar that says when the connection to the device is lost.
public struct Page: Sendable, Equatable {
  /// What the page is called: its `h1`, and the first part of the browser's title.
  public var title: String
  /// The app's name, the second part of the browser's title.
  public var site: String
  /// A line below the heading.
  public var subtitle: String?
  /// The way back, in the bar.
  public var back: PageLink?
  /// What stands at the end of the bar, such as a ``StatusLabel``.
  public var status: HTML
  /// The page's own actions in the bar, such as a button that adds an entry.
  public var actions: HTML
  /// A list beside the page in wide windows, such as the list that the shown entry is in.
  public var beside: HTML
  /// The stylesheets of this page alone.
  public var stylesheets: [Stylesheet] = []
  /// The mark of the app.
  public var mark: AppMark?
  /// The parts of the app, at the lower edge.
  public var navigation: PageNavigation?
  /// What the page is about.
  public var content: HTML
  /// The sentences that the page itself says, and their language.
  public var words: PageWords

  /// Makes a page.
  public init(
    _ title: String, site: String = "", subtitle: String? = nil, back: PageLink? = nil,
    words: PageWords = .english, status: HTML = HTML(), navigation: PageNavigation? = nil,
    @HTMLBuilder content: () -> HTML = { HTML() }
  ) {
    self.title = title
    self.site = site
    self.subtitle = subtitle
    self.back = back
    self.words = words
    self.status = status
    actions = HTML()
    beside = HTML()
    self.navigation = navigation
    self.content = content()
  }
}

/// Where a link leads and what it is called.
public struct PageLink: Sendable, Equatable {
  /// What the link is called.
  public var title: String
  /// Where it leads.
  public var address: String

  /// Makes a link.
  public init(_ title: String, to address: String) {
    self.title = title
    self.address = address
  }
}

/// What every page says by itself, in the language of the page.
public struct PageWords: Sendable, Equatable {
  /// The language, as a [tag](https://www.rfc-editor.org/rfc/rfc5646).
  public var language: String
  /// The link past the bar.
  public var skip: String
  /// Said while the device cannot be reached.
  public var disconnected: String
  /// Said when something could not be sent.
  public var notSent: String
  /// What the button is called that takes away what was said.
  public var dismiss: String

  /// Names the sentences of a language.
  public init(
    language: String, skip: String, disconnected: String, notSent: String, dismiss: String
  ) {
    self.language = language
    self.skip = skip
    self.disconnected = disconnected
    self.notSent = notSent
    self.dismiss = dismiss
  }

  /// English. A page in another language gets its words from the app.
  public static let english = PageWords(
    language: "en", skip: "Skip to content",
    disconnected: "The app cannot be reached. Trying again…",
    notSent: "That did not work. Try again.", dismiss: "Dismiss")
}
