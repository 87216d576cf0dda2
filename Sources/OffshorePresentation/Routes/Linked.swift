/// A destination of links, such as a screen or a tab.
public protocol Linked: Hashable, Sendable {
  /// Creates the destination of a link, or `nil` if the link leads to another kind of destination.
  init?(_ link: DeepLink)

  /// The link to this destination. Its destination is an equal value.
  var link: DeepLink { get }
}
