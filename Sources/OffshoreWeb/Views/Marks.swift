/// A word in a coloured frame. The word says all; the colour only helps to find it.
public struct Badge: Component {
  /// What the colour stands for.
  public enum Tone: String, Sendable {
    case accent, good, warn, bad, none
  }

  private let text: String
  private let tone: Tone

  /// Makes a badge.
  public init(_ text: String, tone: Tone = .accent) {
    self.text = text
    self.tone = tone
  }

  /// The badge.
  public var html: HTML { span(.class("badge", tone.rawValue)) { text } }
}

/// The tags of an entry, each a badge without a colour; nothing if there are none.
public struct Tags: Component {
  private let tags: [String]

  /// Makes badges of words.
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

/// How much of something is done.
public struct ProgressBar: Component {
  private let value: Int
  private let total: Int
  private let label: String

  /// Makes a bar.
  /// - Parameters:
  ///   - value: How much is done; what lies outside of 0 to the total counts as the nearer end.
  ///   - total: How much there is to do; an empty bar where that is nothing.
  ///   - label: What is done.
  public init(_ value: Int, of total: Int, label: String) {
    self.value = value
    self.total = total
    self.label = label
  }

  /// The bar.
  public var html: HTML {
    progress(.value(min(max(0, value), max(0, total))), .max(total), .ariaLabel(label)) {
      "\(value)/\(total)"
    }
  }
}

/// A ring that shows how much of something is done, as an ornament: the numbers stand beside it.
public struct ProgressRing: Component {
  private let percent: Int

  /// Makes a ring.
  /// - Parameter percent: how much is done, 0 to 100; what lies outside counts as the nearer end.
  public init(percent: Int) { self.percent = min(max(0, percent), 100) }

  /// The ring, with a check mark if all is done.
  public var html: HTML {
    let check = percent == 100 ? #"<path d="m11 18.5 5 5 9.5-10.5"/>"# : ""
    return Raw(
      """
      <svg class="ring" viewBox="0 0 36 36" aria-hidden="true"><circle cx="18" cy="18" r="15.5"/>\
      <circle cx="18" cy="18" r="15.5" pathLength="100" stroke-dasharray="\(percent) 100"/>\(check)</svg>
      """
    ).html
  }
}

/// A state in the bar, such as "Synced", with a dot whose colour helps to find it.
public struct StatusLabel: Component {
  /// What the dot stands for. Each has a form of its own besides its colour.
  public enum Tone: String, Sendable {
    /// All is well.
    case good
    /// Something is under way.
    case busy
    /// There is no connection, or something waits.
    case offline
    /// Somebody has to do something.
    case bad
    /// Nothing is expected.
    case none
  }

  private let text: String
  private let tone: Tone
  private let link: PageLink?
  private let id: String?

  /// Says how things are.
  public init(_ text: String, isOffline: Bool = false) {
    self.init(text, tone: isOffline ? .offline : .good, link: nil)
  }

  /// Says how things are.
  ///
  /// - Parameters:
  ///   - link: the page with more about it; its title is the label, which has to contain the text.
  ///   - id: an id of the label. With another id for each state, the label is put in place of the former one
  ///     rather than changed and moved.
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
