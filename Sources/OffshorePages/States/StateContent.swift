package import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// Content for each case of a state: the value, or in its place that it is loading, empty or failed.
public struct StateContent<Value>: Component {
  /// The content of the present case.
  public let html: HTML

  /// Shows a state.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - say: the language of the page.
  ///   - loading: a text while the value is loading.
  ///   - address: the page's own address, for a link that tries again.
  ///   - empty: stands in place of an empty value.
  ///   - content: shows the value.
  public init(
    _ state: ViewState<Value>, _ say: Speaker, loading: LocalizedText = .loading, address: String,
    empty: EmptyView? = nil, @HTMLBuilder content: (Value) -> HTML
  ) {
    html =
      switch state {
      case .idle, .loading: LoadingView(say(loading)).html
      case .loaded(let value): content(value)
      case .empty: empty?.html ?? HTML()
      case .error(let error): ErrorView(error, say, address: address).html
      }
  }
}

extension ErrorView {
  /// Shows an error in words, with what can be done about it.
  ///
  /// - Parameters:
  ///   - address: the page's own address, for a link that tries again if that may help.
  ///   - suggestion: replaces the error's own suggestion.
  public init(
    _ error: AppError, _ say: Speaker, address: String? = nil, suggestion: LocalizedText? = nil
  ) {
    self.init(
      say(error.localizedMessage),
      suggestion: (suggestion ?? error.recoverySuggestion).map { say($0) }, detail: error.detail,
      // A missing row may come back by a sync or an undo, but not by asking again at once.
      retry: error.isRetryable && error != .database(.notFound)
        ? address.map { .link(say(.tryAgain), to: $0) } : nil)
  }
}

extension AppError {
  /// The status of a response that presents the error.
  package var status: Response.Status {
    switch self {
    case .database(.notFound), .content(.notFound): .notFound
    case .content(.tooLarge): .contentTooLarge
    case .auth(.forbidden), .content(.limitReached): .forbidden
    case .auth: .unauthorized
    case .validation, .database(.refused): .unprocessableContent
    case .database(.busy), .database(.full), .network, .sync: .serviceUnavailable
    case .content(.unreadable), .database, .unknown: .internalServerError
    }
  }
}

extension LocalizedText {
  static let tryAgain = LocalizedText(en: "Try again", ru: "Повторить")
  /// A text while a value is loading.
  public static let loading = LocalizedText(en: "Loading…", ru: "Загружаем…")
}
