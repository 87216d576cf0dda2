/// Tells that a scope has changes up to a number, as an event of `GET /v1/events`.
///
/// Nothing depends on hints: who misses one finds the changes with the next pull.
public struct Hint: Hashable, Sendable {
  /// The scope.
  public let scope: ScopeID
  /// The number of its last change.
  public let head: Int64

  /// Tells of changes.
  public init(_ scope: ScopeID, head: Int64) {
    self.scope = scope
    self.head = head
  }

  /// Whether it tells of a changed grant or of changed members: its head is the largest that there can be.
  public var isAboutMembers: Bool { head == WireLimits.number }

  /// Reads the data of an event.
  /// - Throws: `WireError` with the code `malformed` for a text that ``text`` does not make.
  public init(_ text: String) throws(WireError) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let head = Int64(parts[0]), 0...WireLimits.number ~= head,
      String(head) == parts[0],
      let scope = try? ScopeID(String(parts[1]))
    else { throw WireError(.malformed, "A hint is a number, a space and a scope.") }
    self.init(scope, head: head)
  }

  /// The data of the event: the number, a space and the scope, for example `57 charter/7`.
  public var text: String { "\(head) \(scope.text)" }
}
