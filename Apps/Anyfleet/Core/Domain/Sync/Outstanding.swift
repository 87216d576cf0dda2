/// How much a device has not got through to the server, and whether it has heard from it.
public struct Outstanding: Hashable, Sendable {
  /// How many changes wait, as a person counts them; see ``UnsentChanges``.
  public var waiting = 0
  /// How many changes were set aside.
  public var refused = 0
  /// Whether all that the server had of the library was here once.
  public var hasLibrary = false

  /// Nothing waits, and nothing was heard.
  public init() {}
}
