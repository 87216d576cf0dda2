import Synchronization

/// A ``CollectionGroup`` whose functions fail on request, for tests of the code that uses one.
///
/// ```swift
/// let group = FailingGroup(MemoryGroup<FleetChange>())
/// group.failure = { access in access == .change ? StorageError.full : nil }
/// ```
public final class FailingGroup<Change: LoggedChange>: CollectionGroup {
  /// A use of a group.
  public enum Access: Sendable {
    /// Elements or changes are loaded.
    case load
    /// Elements are changed.
    case change
  }

  private let base: any CollectionGroup<Change>
  private let chosen = Mutex<(@Sendable (Access) -> (any Error)?)?>(nil)

  /// Creates a group with the elements of another one, which does not fail yet.
  public init(_ base: any CollectionGroup<Change>) { self.base = base }

  /// Returns the error of a use, or `nil` if it does not fail.
  public var failure: (@Sendable (Access) -> (any Error)?)? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }

  private func check(_ access: Access) throws {
    if let error = failure?(access) { throw error }
  }

  public func load<Element: LoggedElement<Change.Edit>>(
    _ type: Element.Type
  ) async throws -> [Element] {
    try check(.load)
    return try await base.load(type)
  }

  public func loadChanges() async throws -> [Change] {
    try check(.load)
    return try await base.loadChanges()
  }

  public func content() async throws -> GroupContent<Change> {
    try check(.load)
    return try await base.content()
  }

  public func replaceLoaded<Element: LoggedElement<Change.Edit>>(
    _ elements: [Element]
  ) async throws {
    try check(.change)
    try await base.replaceLoaded(elements)
  }

  @discardableResult
  public func perform(_ change: ElementChange<Change.Edit>) async throws -> Change? {
    try check(.change)
    return try await base.perform(change)
  }

  public func replaceAll(_ content: GroupContent<Change>) async throws {
    try check(.change)
    try await base.replaceAll(content)
  }

  public func signals<Element: LoggedElement<Change.Edit>>(
    of type: Element.Type
  ) -> StoredValues<Void> {
    base.signals(of: type)
  }

  public func changeSignals() -> StoredValues<Void> { base.changeSignals() }
}
