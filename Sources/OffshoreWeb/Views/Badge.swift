/// A word in a coloured frame. The word has to be clear without the colour, which only attracts
/// attention.
public struct Badge: Component {
  /// The meaning of the colour.
  public enum Tone: String, Sendable {
    /// A neutral property, in the accent colour of the app.
    case accent
    /// An active or successful state.
    case good
    /// A state that the user should check.
    case warn
    /// A failure, or a critical entry.
    case bad
    /// No meaning. The badge has no colour.
    case none
  }

  private let text: String
  private let tone: Tone
  private let label: String?
  private let language: String?

  /// Creates a badge.
  /// - Parameters:
  ///   - label: the text that a screen reader reads instead, such as “3 unread letters” for “3”.
  ///   - language: the language of the badge, as a [tag](https://www.rfc-editor.org/rfc/rfc5646), if it is not
  ///     that of the page.
  public init(
    _ text: String, tone: Tone = .accent, label: String? = nil, language: String? = nil
  ) {
    self.text = text
    self.tone = tone
    self.label = label
    self.language = language
  }

  /// The badge.
  public var html: HTML {
    span(
      .class("badge", tone.rawValue), label == nil ? .none : .role(.img),
      label.map { .ariaLabel($0) } ?? .none, language.map { .lang($0) } ?? .none
    ) { text }
  }
}

/// The tags of an entry, as badges without a colour; empty if there are no tags.
public struct TagBadges: Component {
  private let tags: [String]

  /// Creates a badge for each word.
  public init(_ tags: [String]) { self.tags = tags }

  /// The badges in a paragraph.
  public var html: HTML {
    if !tags.isEmpty {
      p(.class("tags")) {
        for tag in tags {
          Badge(tag, tone: .none)
          " "
        }
      }
    }
  }
}

/// A state in the bar, such as "Synced", after a dot whose colour and shape show its tone.
public struct StatusLabel: Component {
  /// The meaning of the dot, which determines its colour and its shape.
  public enum Tone: String, Sendable {
    /// Everything is in order.
    case good
    /// An operation is in progress.
    case busy
    /// There is no connection, or changes are pending.
    case offline
    /// The user has to act.
    case bad
    /// A neutral state, neither good nor bad, such as "Not signed in".
    case neutral = "none"
  }

  private let text: String
  private let tone: Tone
  private let link: PageLink?
  private let id: String?

  /// Creates a label without a link, whose tone is ``Tone/offline`` or ``Tone/good``.
  public init(_ text: String, isOffline: Bool = false) {
    self.init(text, tone: isOffline ? .offline : .good, link: nil)
  }

  /// Creates a label.
  ///
  /// - Parameters:
  ///   - text: the state.
  ///   - tone: the meaning of the dot.
  ///   - link: the page with details; its title is the accessible label, which has to contain the
  ///     text.
  ///   - id: an id of the label. Pass another id for each state: then a patch replaces the label by
  ///     a new one. With the same id, the label would change its width and move, which browsers
  ///     count as a layout shift.
  public init(_ text: String, tone: Tone, link: PageLink?, id: String? = nil) {
    self.text = text
    self.tone = tone
    self.link = link
    self.id = id
  }

  /// The dot and the text.
  public var html: HTML {
    if let link {
      a(
        .class("status"), kind(), .href(link.address), .ariaLabel(link.title),
        id.map { .id($0) } ?? .none
      ) { text }
    } else {
      span(.class("status"), kind(), id.map { .id($0) } ?? .none) { text }
    }
  }

  private func kind<Kind: ElementKind>() -> Attribute<Kind> {
    .class(tone.rawValue, if: tone != .good)
  }
}
