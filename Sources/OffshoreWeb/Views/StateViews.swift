/// An action that an ``EmptyView`` or ``ErrorView`` offers: a link to a page, or a button that
/// posts a form.
public struct PageAction: Component, Sendable, Equatable {
  private let title: String
  private let address: String
  private let method: FormMethod
  private var isInNewTab = false

  /// Creates a link to a page. If it opens in a new tab, its title should say so.
  public static func link(
    _ title: String, to address: String, inNewTab: Bool = false
  ) -> PageAction {
    PageAction(title: title, address: address, method: .get, isInNewTab: inNewTab)
  }

  /// Creates a button that changes data, such as one that retries a failed action.
  ///
  /// Its form has no fields. The script may post it twice, so a second post must have the same
  /// result as the first; see `isRepeatable` of ``PostForm``.
  public static func post(_ title: String, to address: String) -> PageAction {
    PageAction(title: title, address: address, method: .post)
  }

  /// The link, or the form with its button.
  public var html: HTML {
    switch method {
    case .get:
      a(.class("button", "primary"), .href(address), .inNewTab(isInNewTab)) { title }
    case .post: PostForm(to: address) { SubmitButton(title) }
    }
  }
}

/// A message in place of content that is being loaded.
public struct LoadingView: Component {
  private let message: String

  /// Creates a view with a message about the content.
  public init(_ message: String) { self.message = message }

  /// A spinner and the message, which is read out.
  public var html: HTML {
    div(.class("state"), .role(.status)) {
      span(.class("wheel"), .ariaHidden())
      p { message }
    }
  }
}

/// A message in place of content that does not exist yet.
public struct EmptyView: Component {
  private let icon: Icon?
  private let title: String
  private let text: String
  private let action: PageAction?

  /// Creates a view with a title, an explanation, and an action.
  public init(icon: Icon? = nil, title: String, text: String, action: PageAction? = nil) {
    self.icon = icon
    self.title = title
    self.text = text
    self.action = action
  }

  /// The icon, the title, the text, and the action.
  public var html: HTML {
    div(.class("state")) {
      icon?.html
      h2 { title }
      p { text }
      action?.html
    }
  }
}

/// A message about a failure, for example in place of content that could not be loaded.
public struct ErrorView: Component {
  private let message: String
  private let suggestion: String?
  private let detail: String?
  private let retry: PageAction?

  /// Creates a view.
  /// - Parameters:
  ///   - message: the failure, without technical details.
  ///   - suggestion: the remedy for the user.
  ///   - detail: technical details for support, such as the place of the failure; shown as code.
  ///   - retry: the action that retries: ``PageAction/post(_:to:)``, or a link to the same page. If
  ///     a retry cannot help, a link to another page.
  public init(
    _ message: String, suggestion: String? = nil, detail: String? = nil, retry: PageAction? = nil
  ) {
    self.message = message
    self.suggestion = suggestion
    self.detail = detail
    self.retry = retry
  }

  /// The message, which is read out at once, the suggestion, the detail, and the button.
  public var html: HTML {
    div(.class("state", "failed"), .role(.alert)) {
      Icon("exclamation-triangle", text: "!")
      p { strong { message } }
      if let suggestion { p { suggestion } }
      if let detail { p(.class("hint")) { code { detail } } }
      retry?.html
    }
  }
}
