public import Observation

/// What was removed last, for as long as the app runs, so that any screen can put it back.
@MainActor
public final class RecentRemovals<Removed: Identifiable>: Observable {
  private struct Entry {
    let number: Int
    let removed: Removed
  }

  /// The newest last.
  @Observed private var entries: [Entry] = []
  private var nextNumber = 0
  private var restorations: [Removed.ID: Task<Void, any Error>] = [:]
  private let limit: Int

  /// Creates an empty list.
  ///
  /// - Parameter limit: how many are kept; beyond, the oldest goes.
  /// - Precondition: `limit` is at least 1.
  public init(limit: Int = 20) {
    precondition(limit >= 1, "Keep at least one removal, so that the last can be undone.")
    self.limit = limit
  }

  /// What was removed last of all that a condition holds for, and is not back yet.
  public func last(where condition: (Removed) -> Bool = { _ in true }) -> Removed? {
    entries.last { condition($0.removed) }?.removed
  }

  /// What was removed under an id, and is not back yet.
  public subscript(id: Removed.ID) -> Removed? { last { $0.id == id } }

  /// Keeps what was removed, in place of what was removed under the same id before.
  public func add(_ removed: Removed) {
    let others = entries.filter { $0.removed.id != removed.id }
    entries = others.suffix(limit - 1) + [Entry(number: nextNumber, removed: removed)]
    nextNumber += 1
  }

  /// Keeps what a condition holds for no more.
  public func dismiss(where condition: (Removed) -> Bool) {
    entries.removeAll { condition($0.removed) }
  }

  /// Puts something back, once, however often that is asked for at the same time.
  ///
  /// - Parameter body: stores it again. While it fails, it can be tried again.
  /// - Returns: whether there was anything to put back.
  /// - Throws: what `body` throws.
  @discardableResult
  public func restore(
    _ id: Removed.ID, by body: @escaping @MainActor (Removed) async throws -> Void
  ) async throws -> Bool {
    guard let entry = entries.last(where: { $0.removed.id == id }) else { return false }
    let restoration = restorations[id] ?? Task { try await restore(entry, by: body) }
    restorations[id] = restoration
    try await restoration.value
    return true
  }

  private func restore(
    _ entry: Entry, by body: @MainActor (Removed) async throws -> Void
  ) async throws {
    defer { restorations[entry.removed.id] = nil }
    try await body(entry.removed)
    // What was removed under the id meanwhile is another one.
    entries.removeAll { $0.number == entry.number }
  }
}
