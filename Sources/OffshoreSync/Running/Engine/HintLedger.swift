import OffshoreWire

/// The heads that pulls have reached, to find out which hints are news.
///
/// A device receives hints about its own pushes, too, and has usually pulled their changes by then.
struct HintLedger: Hashable {
  /// The heads that the last pull of all scopes, and those of single scopes after it, have reached.
  private var reached: [ScopeID: Int64] = [:]
  /// The heads of hints since the last complete pull. One that is under way, or has rounds behind it,
  /// may or may not reach them.
  private var open: [ScopeID: Int64] = [:]

  /// The most scopes in ``open``. A healthy server does not send hints for more.
  private static let limit = 10_000

  /// The scopes with hints since the last complete pull.
  var scopes: Set<ScopeID> { Set(open.keys) }

  /// Records a hint.
  /// - Returns: whether the hint requires another pull. While a pull is under way, that is left to
  ///   ``complete(with:)``.
  mutating func record(_ hint: Hint, isPulling: Bool) -> Bool {
    if let head = reached[hint.scope], hint.head <= head { return false }
    guard open.count < Self.limit else { return true }
    open[hint.scope] = max(open[hint.scope] ?? hint.head, hint.head)
    return !isPulling
  }

  /// Records the heads that a complete pull has reached.
  /// - Parameter isWhole: whether it was a pull of all scopes, so that others are unknown.
  /// - Returns: the scopes whose recorded hints go beyond the heads.
  mutating func complete(with heads: [ScopeID: Int64], isWhole: Bool) -> Set<ScopeID> {
    let behind = open.filter { scope, head in heads[scope].map { $0 < head } ?? true }
    reached = isWhole ? heads : reached.merging(heads) { $1 }
    open = [:]
    return Set(behind.keys)
  }
}
