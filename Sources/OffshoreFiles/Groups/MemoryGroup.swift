import Synchronization

/// A ``CollectionGroup`` in the memory of this process, for tests and previews.
public final class MemoryGroup<Change: LoggedChange>: CollectionGroup {
  private typealias Content = GroupContent<Change>

  private struct State {
    var content: Content
    /// Functions that are called with the content before and after each change.
    var observers: [Int: @Sendable (Content, Content) -> Void] = [:]
    var lastNumber = 0
  }

  private let state: Mutex<State>
  private let stamp: ChangeStamp

  /// Creates a group with elements and changes.
  public init(
    _ content: GroupContent<Change> = GroupContent(), stamp: ChangeStamp = ChangeStamp()
  ) {
    state = Mutex(State(content: content))
    self.stamp = stamp
  }

  public func load<Element: LoggedElement<Change.Edit>>(_ type: Element.Type) throws -> [Element] {
    try Self.check(type)
    return Array(content()[type])
  }

  public func loadChanges() -> [Change] { Array(content().changes) }

  public func replaceLoaded<Element: LoggedElement<Change.Edit>>(_ elements: [Element]) throws {
    try Self.check(Element.self)
    try change { try $0.replace(by: elements, stamp) }
  }

  @discardableResult
  public func perform(_ change: ElementChange<Change.Edit>) throws -> Change? {
    for type in change.types { try Self.check(type) }
    return try self.change { try $0.perform(change, stamp) }
  }

  public func content() -> GroupContent<Change> { state.withLock { $0.content } }

  public func replaceAll(_ content: GroupContent<Change>) { change { $0 = content } }

  /// Checks that the group has elements of a type.
  private static func check(_ type: any LoggedElement<Change.Edit>.Type) throws {
    guard Change.Edit.elementTypes.contains(where: { $0 == type }) else {
      throw FileError(missing: type)
    }
  }

  private func change<Result: Sendable>(
    _ body: (inout Content) throws -> Result
  ) rethrows -> Result {
    let (result, before, after, observers) = try state.withLock { state in
      let before = state.content
      var content = before
      let result = try body(&content)
      state.content = content
      return (result, before, content, state.observers.values)
    }
    for notify in observers { notify(before, after) }
    return result
  }

  public func signals<Element: LoggedElement<Change.Edit>>(
    of type: Element.Type
  ) -> StoredValues<Void> {
    StoredValues {
      try Self.check(type)
      return signals { $0[type] != $1[type] }
    }
  }

  public func changeSignals() -> StoredValues<Void> { signals { $0.changes != $1.changes } }

  private func signals(
    after isSignalled: @escaping @Sendable (_ before: Content, _ after: Content) -> Bool
  ) -> StoredValues<Void> {
    StoredValues { send in
      let number = state.withLock { state in
        state.lastNumber += 1
        state.observers[state.lastNumber] = { if isSignalled($0, $1) { send(.success(())) } }
        return state.lastNumber
      }
      send(.success(()))
      return { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
    }
  }
}
