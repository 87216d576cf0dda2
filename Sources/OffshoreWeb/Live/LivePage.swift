/// A page that follows its view models for as long as a tab shows it.
///
/// ```swift
/// struct CounterPage: LivePage {
///   let counter: Counter  // @MainActor @Observable
///
///   func page(_ tab: Tab) -> Page {
///     Page("Counter") {
///       tab.region("count") { p { "\(counter.count)" } }
///       PostForm(to: "/counter/increment") { SubmitButton("Add one") }
///     }
///   }
/// }
/// ```
///
/// A page holds the view models of one tab and goes when the tab does; stores that tabs share come from
/// outside. View models are bound to the main actor.
@MainActor public protocol LivePage {
  /// Gets what the page shows first. Where it throws, there is no page, and the error is presented.
  func load() async throws

  /// Keeps the view models current. It is cancelled when the tab goes, and has to return then.
  func run() async

  /// What the page looks like. What it reads is followed, each region on its own.
  func page(_ tab: Tab) -> Page
}

extension LivePage {
  /// Loads nothing.
  public func load() async throws {}

  /// Follows nothing by itself.
  public func run() async {}
}

/// What became of something that a person asked for.
public enum Outcome: Sendable, Equatable {
  /// It is done, and the page stays.
  case done
  /// It is done, and the reader goes on to another page.
  case go(to: String)
  /// Nothing is stored yet: the page holds a draft, such as a form to which a row was added, or asks
  /// something before.
  case drafted
  /// A rule refused it. The page says why beside the fields, with what was typed.
  case invalid
}
