import OffshorePresentation
import OffshoreWeb

/// What a page shows of a state: the value, or in its place what is going on.
struct StateContent<Value>: Component {
  let html: HTML

  /// Shows a state.
  /// - Parameters:
  ///   - state: what there is.
  ///   - say: the language to say it in.
  ///   - loading: what is being loaded, in words.
  ///   - address: the page's own, to try again by.
  ///   - empty: stands where there is nothing.
  ///   - content: shows the value.
  init(
    _ state: ViewState<Value>, _ say: Speaker, loading: LocalizedText, address: String,
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
  /// Shows an error of the app's.
  /// - Parameters:
  ///   - address: the page's own, to try again by where that may help.
  ///   - suggestion: what to do, where the page knows better than the error.
  init(
    _ error: AppError, _ say: Speaker, address: String? = nil, suggestion: LocalizedText? = nil
  ) {
    self.init(
      say(error.localizedMessage),
      suggestion: (suggestion ?? error.recoverySuggestion).map { say($0) }, detail: error.detail,
      // What is missing may come back, by a sync or an undo, but not by asking again at once.
      retry: error.isRetryable && error != .database(.notFound)
        ? address.map { .link(say(.tryAgain), to: $0) } : nil)
  }
}
