/// A notification of a scope's changes up to a number, sent as an event of `GET /v1/events`.
///
/// Correctness does not depend on hints: a device that misses one finds the changes in its next
/// pull.
public struct Hint: Hashable, Sendable {
  /// The scope.
  public let scope: ScopeID
  /// The number of its last change.
  public let head: Int64

  /// Creates a hint.
  public init(_ scope: ScopeID, head: Int64) {
    self.scope = scope
    self.head = head
  }

  /// Whether roles or members changed. Such a hint has the largest possible head.
  public var isAboutMembers: Bool { head == WireLimits.number }

  /// Parses the data of an event.
  /// - Throws: `WireError` with the code `malformed` if the text does not have the form of
  ///   ``text``.
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
