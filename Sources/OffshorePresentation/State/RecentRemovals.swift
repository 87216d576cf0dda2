public import Observation

/// The latest removals since the app was started, so that any screen can undo them.
@MainActor
public final class RecentRemovals<Removal: Identifiable>: Observable {
  private struct Entry {
    let number: Int
    let removed: Removal
  }

  /// The removals that were not undone, the newest last.
  @Observed private var entries: [Entry] = []
  private var nextNumber = 0
  private var restorations: [Removal.ID: Task<Void, any Error>] = [:]
  private let limit: Int

  /// Creates an empty list.
  ///
  /// - Parameter limit: the maximum number of removals; the oldest are dropped.
  /// - Precondition: `limit` is at least 1.
  public init(limit: Int = 20) {
    precondition(limit >= 1, "Keep at least one removal, so that the last can be undone.")
    self.limit = limit
  }

  /// Returns the latest removal that satisfies a condition and was not undone.
  public func last(where condition: (Removal) -> Bool = { _ in true }) -> Removal? {
    entries.last { condition($0.removed) }?.removed
  }

  /// The latest removal with an id that was not undone.
  public subscript(id: Removal.ID) -> Removal? { last { $0.id == id } }

  /// Adds a removal, in place of an earlier one with the same id.
  public func add(_ removed: Removal) {
    let others = entries.filter { $0.removed.id != removed.id }
    entries = others.suffix(limit - 1) + [Entry(number: nextNumber, removed: removed)]
    nextNumber += 1
  }

  /// Drops the removals that satisfy a condition.
  public func dismiss(where condition: (Removal) -> Bool) {
    entries.removeAll { condition($0.removed) }
  }

  /// Undoes a removal. Concurrent calls for the same id run it once.
  ///
  /// - Parameter body: stores the removed value again. After a failure it can be retried.
  /// - Returns: `false` if there is no such removal.
  /// - Throws: the error of `body`.
  @discardableResult
  public func restore(
    _ id: Removal.ID, by body: @escaping @MainActor (Removal) async throws -> Void
  ) async throws -> Bool {
    guard let entry = entries.last(where: { $0.removed.id == id }) else { return false }
    let restoration = restorations[id] ?? Task { try await restore(entry, by: body) }
    restorations[id] = restoration
    try await restoration.value
    return true
  }

  private func restore(
    _ entry: Entry, by body: @MainActor (Removal) async throws -> Void
  ) async throws {
    defer { restorations[entry.removed.id] = nil }
    try await body(entry.removed)
    // A value that was removed under the same id meanwhile stays in the list.
    entries.removeAll { $0.number == entry.number }
  }
}
