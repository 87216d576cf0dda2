import OffshoreWire

/// The heads that pulls have reached, to find out which hints are news.
///
/// A device receives hints about its own pushes, too, and has usually pulled their changes by then.
struct HintLedger: Hashable {
  /// The heads that the last complete pull has reached.
  private var reached: [ScopeID: Int64] = [:]
  /// The heads of hints that arrived during a pull, which may or may not reach them.
  private var open: [ScopeID: Int64] = [:]

  /// The most scopes in ``open``. A healthy server does not send hints for more.
  private static let limit = 10_000

  /// Records a hint.
  /// - Returns: whether the hint requires another pull. While a pull is under way, that is left to
  ///   ``complete(with:)``.
  mutating func record(_ hint: Hint, isPulling: Bool) -> Bool {
    if let head = reached[hint.scope], hint.head <= head { return false }
    guard isPulling, open.count < Self.limit else { return true }
    open[hint.scope] = max(open[hint.scope] ?? hint.head, hint.head)
    return false
  }

  /// Records the heads that a complete pull has reached.
  /// - Returns: whether a recorded hint goes beyond them.
  mutating func complete(with heads: [ScopeID: Int64]) -> Bool {
    let isBehind = open.contains { scope, head in heads[scope].map { $0 < head } ?? true }
    reached = heads
    open = [:]
    return isBehind
  }
}
