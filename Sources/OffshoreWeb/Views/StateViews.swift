/// Something to do, as a link or as a button that posts.
public struct PageAction: Component, Sendable, Equatable {
  private let title: String
  private let address: String
  private let method: FormMethod
  private var isInNewTab = false

  /// Leads to a page, where stated in a tab of its own; let the title say so.
  public static func link(
    _ title: String, to address: String, inNewTab: Bool = false
  ) -> PageAction {
    PageAction(title: title, address: address, method: .get, isInNewTab: inNewTab)
  }

  /// Changes something.
  public static func post(_ title: String, to address: String) -> PageAction {
    PageAction(title: title, address: address, method: .post)
  }

  /// The link or the form.
  public var html: HTML {
    switch method {
    case .get:
      a(.class("button", "primary"), .href(address), .inNewTab(isInNewTab)) { title }
    case .post: PostForm(to: address) { SubmitButton(title) }
    }
  }
}

/// What stands where something is still being loaded.
public struct LoadingView: Component {
  private let message: String

  /// Says what is being loaded.
  public init(_ message: String) { self.message = message }

  /// A wheel and the message, which is read out.
  public var html: HTML {
    div(.class("state"), .role(.status)) {
      span(.class("wheel"), .ariaHidden())
      p { message }
    }
  }
}

/// What stands where there is nothing yet.
public struct EmptyView: Component {
  private let icon: Icon?
  private let title: String
  private let text: String
  private let action: PageAction?

  /// Says that there is nothing, why that may be, and what to do.
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

/// What stands where something failed.
public struct ErrorView: Component {
  private let message: String
  private let suggestion: String?
  private let detail: String?
  private let retry: PageAction?

  /// Says what failed.
  /// - Parameters:
  ///   - message: What failed, without technical details.
  ///   - suggestion: What the reader can do.
  ///   - detail: The place of the failure, for who looks after the data; no sentence.
  ///   - retry: Tries again, only where that may help; or leads to where one can go on.
  public init(
    _ message: String, suggestion: String? = nil, detail: String? = nil, retry: PageAction? = nil
  ) {
    self.message = message
    self.suggestion = suggestion
    self.detail = detail
    self.retry = retry
  }

  /// The message, which is read out at once, the suggestion, and the button.
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
