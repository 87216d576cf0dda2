package import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// The content for a state: the value, or a text while it is loading, empty or failed.
public struct StateContent<Value>: Component {
  /// The content of the current case.
  public let html: HTML

  /// Creates the content of a state.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - say: the formats in the language of the page.
  ///   - loading: a text while the value is loading; “Loading…” by default.
  ///   - address: the page's own address, for a link that retries.
  ///   - empty: the view of an empty value.
  ///   - content: returns the view of the value.
  public init(
    _ state: ViewState<Value>, _ say: Localizer, loading: LocalizedText? = nil, address: String,
    empty: EmptyView? = nil, @HTMLBuilder content: (Value) -> HTML
  ) {
    html =
      switch state {
      case .idle, .loading: LoadingView(say(loading ?? .loading)).html
      case .loaded(let value): content(value)
      case .empty: empty?.html ?? HTML()
      case .error(let error): ErrorView(error, say, address: address).html
      }
  }
}

extension ErrorView {
  /// Creates the view of an error, with its message and a suggestion.
  ///
  /// - Parameters:
  ///   - address: the page's own address, for a link that retries if that may succeed.
  ///   - suggestion: a suggestion in place of the error's own.
  public init(
    _ error: AppError, _ say: Localizer, address: String? = nil, suggestion: LocalizedText? = nil
  ) {
    self.init(
      say(error.localizedMessage),
      suggestion: (suggestion ?? error.recoverySuggestion).map { say($0) }, detail: error.detail,
      // A missing row may return by a sync or an undo, but not by an immediate retry.
      retry: error.isRetryable && error != .database(.notFound)
        ? address.map { .link(say(.tryAgain), to: $0) } : nil)
  }
}

extension AppError {
  /// The status of a response with the error.
  package var status: Response.Status {
    switch self {
    case .database(.notFound), .content(.notFound): .notFound
    case .content(.tooLarge), .content(.imageTooLarge): .contentTooLarge
    case .auth(.forbidden), .auth(.disabled), .auth(.scopeFull), .auth(.accountFull),
      .content(.limitReached):
      .forbidden
    case .auth: .unauthorized
    case .validation, .database(.refused), .content(.wrongImageType), .content(.imageDamaged),
      .content(.imageFailed), .content(.notABackup), .content(.newerBackup):
      .unprocessableContent
    case .database(.busy), .database(.full), .network, .sync: .serviceUnavailable
    case .content(.unreadable), .content(.imagesUnavailable), .database, .unknown:
      .internalServerError
    }
  }
}

extension LocalizedText {
  static let tryAgain = LocalizedText(en: "Try again", ru: "Повторить")
  /// A text while a value is loading.
  static let loading = LocalizedText(en: "Loading…", ru: "Загружаем…")
}
