import OffshoreWire

/// Tells which hints are news.
///
/// A device is told of its own pushes, too, and mostly has pulled them by then.
struct HintLedger: Hashable {
  /// What the last complete pull has brought.
  private var reached: [ScopeID: Int64] = [:]
  /// What was heard while a pull was under way, which may or may not bring it.
  private var open: [ScopeID: Int64] = [:]

  /// The scopes of ``open`` at the most; no server that is well means more.
  private static let limit = 10_000

  /// Takes a hint, and tells whether a pull has to come after those that are under way.
  mutating func hear(_ hint: Hint, isPulling: Bool) -> Bool {
    if let head = reached[hint.scope], hint.head <= head { return false }
    guard isPulling, open.count < Self.limit else { return true }
    open[hint.scope] = max(open[hint.scope] ?? hint.head, hint.head)
    return false
  }

  /// Takes what a complete pull has brought, and tells whether a hint goes beyond it.
  mutating func complete(with heads: [ScopeID: Int64]) -> Bool {
    let isBehind = open.contains { scope, head in heads[scope].map { $0 < head } ?? true }
    reached = heads
    open = [:]
    return isBehind
  }
}
