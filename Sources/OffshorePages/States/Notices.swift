public import OffshorePresentation
public import OffshoreWeb

/// Notices above the content of a page, for example about outdated content or unreadable entries.
public struct Notices: Component {
  private let notices: [Notice]
  private let say: Localizer
  private let address: String
  private let link: (StoredPlace) -> String?

  /// Creates notices.
  ///
  /// - Parameters:
  ///   - notices: the notices, from `Notice.all(of:unreadableEntries:)`.
  ///   - address: the page's own address, for a link that reads again if that may succeed.
  ///   - link: returns the address of the page on which an unreadable entry can be deleted, or
  ///     `nil`.
  public init(
    _ notices: [Notice], _ say: Localizer, address: String,
    link: @escaping (StoredPlace) -> String? = { _ in nil }
  ) {
    self.notices = notices
    self.say = say
    self.address = address
    self.link = link
  }

  /// The notices, or nothing without any.
  public var html: HTML {
    if !notices.isEmpty {
      div(.class("notices")) {
        div(.role(.status)) {
          for notice in notices { p { say(notice.text) } }
        }
        if notices.contains(where: \.isRetryable) { RefreshLink(to: address, say) }
        places
      }
    }
  }

  /// The places of unreadable entries, collapsed, because they are for support.
  @HTMLBuilder private var places: HTML {
    let places = notices.flatMap(\.places)
    if !places.isEmpty {
      details(.class("places")) {
        summary { say(.details) }
        ul {
          for place in places { li { entry(place) } }
        }
      }
    }
  }

  private func entry(_ place: StoredPlace) -> HTML {
    let text = code { "\(place)" }
    return link(place).map { address in a(.href(address)) { text } } ?? text
  }
}

/// A link that reads a page again.
struct RefreshLink: Component {
  private let address: String
  private let title: String

  /// Creates a link to the page's own address.
  init(to address: String, _ say: Localizer) {
    self.address = address
    title = say(.refresh)
  }

  /// The link.
  var html: HTML {
    a(.class("refresh"), .href(address)) { RefreshLabel(title: title) }
  }
}

/// A button that pulls from the server, and reads a page again. Its form sends the action
/// `refresh`.
public struct RefreshButton: Component {
  private let address: String
  private let title: String

  /// Creates a button.
  /// - Parameter address: the address to which it posts.
  public init(to address: String, _ say: Localizer) {
    self.address = address
    title = say(.refresh)
  }

  /// The button.
  public var html: HTML {
    PostForm(to: address) {
      button(.type(.submit), .class("refresh"), .name("action"), .value("refresh")) {
        RefreshLabel(title: title)
      }
    }.html
  }
}

private struct RefreshLabel: Component {
  let title: String

  var html: HTML {
    Icon("arrow-clockwise", text: "↻")
    span { title }
  }
}

extension LocalizedText {
  /// The label of a button that pulls from the server.
  public static let refresh = LocalizedText(en: "Refresh", ru: "Обновить")
  fileprivate static let details = LocalizedText(en: "Details", ru: "Подробности")
}
