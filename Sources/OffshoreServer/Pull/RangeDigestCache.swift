import OffshoreWire
import Synchronization

/// The range digests of scopes at their heads.
///
/// They are computed from all rows of a scope, so they are stored until the scope changes. Requests
/// that arrive meanwhile wait for a computation instead of repeating it.
final class RangeDigestCache: Sendable {
  /// The state of a scope that determines its digests.
  private struct Key: Hashable {
    let scope: ScopeID
    let epoch: UInt64
    let head: Int64
    let digest: Digest
  }

  /// Digests that the first request computes.
  private final class Entry: Sendable {
    private let digests = Mutex<RangeDigests?>(nil)

    func value(_ compute: () throws -> RangeDigests) throws -> RangeDigests {
      try digests.withLock { digests in
        if let digests { return digests }
        let computed = try compute()
        digests = computed
        return computed
      }
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    /// The keys in the order of their last use.
    var order: [Key] = []
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: the number of scopes whose digests are stored, with 2 KiB for each.
  init(capacity: Int = 64) { self.capacity = max(1, capacity) }

  /// Returns the range digests of a scope.
  /// - Parameters:
  ///   - scope: the scope.
  ///   - state: the state of the scope in the transaction that reads its rows.
  ///   - compute: computes the digests; not called if they are stored.
  /// - Throws: the error of the computation, which the next request repeats.
  func digests(
    of scope: ScopeID, at state: ScopeState, _ compute: () throws -> RangeDigests
  ) throws -> RangeDigests {
    let key = Key(scope: scope, epoch: state.epoch, head: state.head, digest: state.digest)
    return try entry(key).value(compute)
  }

  private func entry(_ key: Key) -> Entry {
    state.withLock { state in
      state.order.removeAll { $0 == key }
      state.order.append(key)
      let entry = state.entries[key] ?? Entry()
      state.entries[key] = entry
      if state.order.count > capacity { state.entries[state.order.removeFirst()] = nil }
      return entry
    }
  }
}
