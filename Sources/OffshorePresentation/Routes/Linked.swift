/// Something that an address leads to.
public protocol Linked: Hashable, Sendable {
  /// What a link leads to, or `nil` where it leads to nothing of this kind.
  init?(_ link: DeepLink)

  /// The link that leads here. Reading it gives the same value.
  var link: DeepLink { get }
}
