import OffshorePresentation
import OffshoreWeb

/// What a page shows of a state: the value, or in its place what is going on.
struct StateContent<Value>: Component {
  let html: HTML

  /// Shows a state.
  /// - Parameters:
  ///   - state: what there is.
  ///   - loading: what is being loaded, in words.
  ///   - address: the page's own, to try again by.
  ///   - empty: stands where there is nothing.
  ///   - content: shows the value.
  init(
    _ state: ViewState<Value>, loading: String, address: String, empty: EmptyView? = nil,
    @HTMLBuilder content: (Value) -> HTML
  ) {
    html =
      switch state {
      case .idle, .loading: LoadingView(loading).html
      case .loaded(let value): content(value)
      case .empty: empty?.html ?? HTML()
      case .error(let error): ErrorView(error, address: address).html
      }
  }
}

extension ErrorView {
  /// Shows an error of the app's; where trying again may help, by a link to the page itself.
  init(_ error: AppError, address: String) {
    self.init(
      error.localizedMessage.in(.english), suggestion: error.recoverySuggestion?.in(.english),
      retry: error.isRetryable ? .link("Try Again", to: address) : nil)
  }
}

/// Says, above what is shown, that it may be out of date or that something was left out.
struct Notices: Component {
  private let sentences: [String]

  /// Takes what to say; what would be said twice is said once.
  init(_ errors: [AppError]) {
    sentences = errors.map { $0.localizedMessage.in(.english) }.reduce(into: []) {
      sentences, sentence in
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
  }

  var html: HTML {
    if !sentences.isEmpty {
      div(.class("notices"), .role(.status)) {
        for sentence in sentences { p { sentence } }
      }
    }
  }
}
