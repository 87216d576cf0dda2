import Foundation
import Observation

/// A ``CollectionGroup`` whose elements all groups of a folder share in memory, and that is stored in the
/// files of a ``FileGroup``.
///
/// A change returns when it is stored. If that fails, the elements in memory are as before, too.
public final class SharedGroup<Change: LoggedChange>: CollectionGroup {
  private let members: GroupMembers
  private let log: Shared<[Change]>
  private let stamp: ChangeStamp

  /// Creates a group of the files in a folder. Nothing is created before the first change.
  /// - Parameter folder: The path of the folder.
  public init(
    _ folder: String, configuration: JSONConfiguration = JSONConfiguration(),
    stamp: ChangeStamp = ChangeStamp()
  ) {
    func elements<Element: LoggedElement>(_ type: Element.Type) -> any Sendable {
      SharedElements<Element>(
        .file(folder + "/" + type.fileName, configuration: configuration))
    }
    self.stamp = stamp
    members = GroupMembers(Change.Edit.self) { elements($0) }
    log = Shared(.file(folder + "/" + Change.fileName, configuration: configuration), default: [])
  }

  private func elements<Element: LoggedElement>(
    _ type: Element.Type
  ) throws -> SharedElements<Element> {
    try members.store(of: type, as: SharedElements<Element>.self)
  }

  // MARK: - Loading

  public func load<Element: LoggedElement<Change.Edit>>(
    _ type: Element.Type
  ) async throws -> [Element] {
    try await elements(type).known.load()
  }

  public func loadChanges() async throws -> [Change] { try await log.load() }

  public func content() async throws -> GroupContent<Change> {
    try await refresh(Change.Edit.elementTypes)
    return try SharedChanges.locked {
      var content = try current(Change.Edit.elementTypes)
      content.changes = try ElementList(log.value)
      return content
    }
  }

  /// Loads what other processes have stored, without its being known to the user.
  private func refresh(_ types: [any LoggedElement<Change.Edit>.Type]) async throws {
    for type in types { try await refresh(type) }
    try await log.load()
  }

  private func refresh<Element: LoggedElement>(_ type: Element.Type) async throws {
    try await elements(type).current.load()
  }

  /// Returns the elements of types in memory.
  private func current(
    _ types: [any LoggedElement<Change.Edit>.Type]
  ) throws -> GroupContent<Change> {
    var content = GroupContent<Change>()
    for type in types { try read(type, into: &content) }
    return content
  }

  private func read<Element: LoggedElement>(
    _ type: Element.Type, into content: inout GroupContent<Change>
  ) throws {
    content[type] = try ElementList(elements(type).current.value)
  }

  // MARK: - Changing

  public func replaceLoaded<Element: LoggedElement<Change.Edit>>(
    _ elements: [Element]
  ) async throws {
    try await refresh([Element.self])
    let shared = try self.elements(Element.self)
    var (before, after, known): ([Element], [Element], [Element]?) = ([], [], nil)
    var change: Change?
    try SharedChanges.together {
      (before, known) = (shared.current.value, shared.known.withLoaded { $0 })
      try shared.known.replaceLoaded(elements)
      after = shared.current.value
      let edits = before.edits(to: after)
      if !edits.isEmpty { change = log(stamp.change(edits)) }
    }
    guard before != after else { return }
    do {
      try await log.flush()
    } catch {
      shared.known.withLoaded { $0 = known }
      if let change { try? revert(change, change.edits) }
      shared.restoreOrder(of: before)
      try? await log.flush()
      throw error
    }
  }

  @discardableResult
  public func perform(_ change: ElementChange<Change.Edit>) async throws -> Change? {
    try await refresh(change.types)
    let missed = MissedEdits<Change.Edit>()
    var made: Change?
    try SharedChanges.together {
      var content = try current(change.types)
      guard let logged = try content.make(change, stamp) else { return }
      try make(logged.edits, missed)
      made = log(logged)
    }
    guard let made else { return nil }
    try await store(made)
    // Another process may have stored other values meanwhile, which stay.
    let differences = missed.differences
    guard differences.isEmpty else {
      try revert(made, missed.others(of: made.edits))
      try? await log.flush()
      throw RefusedEdits(differences: differences)
    }
    for type in change.types { try record(made.edits, type) }
    return made
  }

  private func record<Element: LoggedElement<Change.Edit>>(
    _ edits: [Change.Edit], _ type: Element.Type
  ) throws {
    try elements(type).record(edits)
  }

  public func replaceAll(_ content: GroupContent<Change>) async throws {
    try await refresh(Change.Edit.elementTypes)
    var restorations: [@Sendable () -> Void] = []
    try SharedChanges.together {
      restorations = try Change.Edit.elementTypes.map { try replaceAll($0, by: content) }
      restorations.append(log.replaceLog(by: Array(content.changes)))
    }
    do {
      try await log.flush()
    } catch {
      SharedChanges.together { for restore in restorations { restore() } }
      try? await log.flush()
      throw error
    }
    for type in Change.Edit.elementTypes { _ = try await load(type) }
  }

  private func replaceAll<Element: LoggedElement>(
    _ type: Element.Type, by content: GroupContent<Change>
  ) throws -> @Sendable () -> Void {
    try elements(type).replaceAll(by: Array(content[type]))
  }

  private func log(_ change: Change) -> Change {
    log.change { log in log = (log + [change]).suffix(Change.logLimit) }
    return change
  }

  /// Stores a change, or reverts it in memory.
  private func store(_ change: Change) async throws {
    do {
      try await log.flush()
    } catch {
      try? revert(change, change.edits)
      try? await log.flush()
      throw error
    }
  }

  /// Reverts edits of a change in memory, and removes the change from the log.
  private func revert(_ change: Change, _ edits: [Change.Edit]) throws {
    try SharedChanges.together {
      try make(edits.reversed().map(\.inverse), MissedEdits())
      log.change { $0.removeAll { $0.id == change.id } }
    }
  }

  private func make(_ edits: [Change.Edit], _ missed: MissedEdits<Change.Edit>) throws {
    for type in ElementChange.apply(edits).types { try make(edits, type, missed) }
  }

  private func make<Element: LoggedElement<Change.Edit>>(
    _ edits: [Change.Edit], _ type: Element.Type, _ missed: MissedEdits<Change.Edit>
  ) throws {
    try elements(type).make(edits, missed)
  }

  // MARK: - Observation

  public func signals<Element: LoggedElement<Change.Edit>>(
    of type: Element.Type
  ) -> StoredValues<Void> {
    StoredValues { try elements(type).current.signals }
  }

  public func changeSignals() -> StoredValues<Void> { StoredValues { log.signals } }
}

extension SharedChanges {
  /// Runs a closure while no change is made elsewhere.
  fileprivate static func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try SharedPlaces.locked(body)
  }
}

extension Shared {
  /// A signal after the first load, and after each change, whichever process makes it.
  fileprivate var signals: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        // Changes by other processes are noticed after the first load.
        _ = try? await load()
        for await _ in Observations({ self.value }) { continuation.yield() }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
