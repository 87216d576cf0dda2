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
    var change: Change?
    try SharedChanges.together {
      let before = shared.current.value
      try shared.known.replaceLoaded(elements)
      let edits = before.edits(to: shared.current.value)
      if !edits.isEmpty { change = log(stamp.change(edits)) }
    }
    if let change { try await store(change) }
  }

  public func perform(_ change: ElementChange<Change.Edit>) async throws {
    try await refresh(change.types)
    var made: Change?
    try SharedChanges.together {
      var content = try current(change.types)
      try content.perform(change, stamp)
      guard let logged = content.changes.first else { return }
      try make(logged.edits, in: change.types)
      made = log(logged)
    }
    guard let made else { return }
    try await store(made)
    // Another process may have stored other values meanwhile, which stay.
    let missing = try missing(made.edits, in: change.types)
    guard missing.isEmpty else {
      try? await revert(made)
      throw RefusedEdits(differences: missing)
    }
  }

  public func replaceAll(_ content: GroupContent<Change>) async throws {
    let before = try await self.content()
    try replace(by: content)
    do {
      try await log.flush()
    } catch {
      try? replace(by: before)
      throw error
    }
    for type in Change.Edit.elementTypes { _ = try await load(type) }
  }

  private func replace(by content: GroupContent<Change>) throws {
    try SharedChanges.together {
      for type in Change.Edit.elementTypes { try replace(type, by: content) }
      log.change { $0 = Array(content.changes) }
    }
  }

  private func replace<Element: LoggedElement>(
    _ type: Element.Type, by content: GroupContent<Change>
  ) throws {
    try elements(type).current.change { $0 = Array(content[type]) }
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
      try? await revert(change)
      throw error
    }
  }

  private func revert(_ change: Change) async throws {
    let types = ElementChange.apply(change.edits).types
    try SharedChanges.together {
      try make(change.inverseEdits, in: types)
      log.change { $0.removeAll { $0.id == change.id } }
    }
    try await log.flush()
  }

  private func make(
    _ edits: [Change.Edit], in types: [any LoggedElement<Change.Edit>.Type]
  ) throws {
    for type in types { try make(edits, type) }
  }

  private func make<Element: LoggedElement<Change.Edit>>(
    _ edits: [Change.Edit], _ type: Element.Type
  ) throws {
    try elements(type).make(edits.compactMap { Element.values(of: $0) })
  }

  /// Returns the edits whose values are not the present ones.
  private func missing(
    _ edits: [Change.Edit], in types: [any LoggedElement<Change.Edit>.Type]
  ) throws -> [Change.Edit] {
    let content = try current(types)
    return edits.filter { !content.hasMade($0.typed) }
  }

  // MARK: - Observation

  public func signals<Element: LoggedElement<Change.Edit>>(
    of type: Element.Type
  ) -> StoredValues<Void> {
    StoredValues { try elements(type).current.signals }
  }

  public func changeSignals() -> StoredValues<Void> { StoredValues { log.signals } }
}

/// The shared elements of one type.
private struct SharedElements<Element: LoggedElement>: Sendable {
  /// The reference whose loads determine which elements the user knows.
  let known: Shared<[Element]>
  /// A reference to the same value that the user does not load.
  let current: Shared<[Element]>

  init(_ location: SharedLocation<[Element]>) {
    (known, current) = (Shared(location, default: []), Shared(location, default: []))
  }

  /// Makes those edits that find their elements.
  func make(_ edits: [ElementEdit<Element>]) {
    current.change { elements in
      guard var list = try? ElementList(elements) else { return }
      for edit in edits {
        guard let id = edit.id, list[id: id] == edit.before else { continue }
        if let after = edit.after {
          list.upsert(after, at: edit.index ?? .max)
        } else {
          list.remove(id)
        }
      }
      elements = Array(list)
    }
  }
}

extension GroupContent {
  /// Returns whether an element has the value after an edit.
  fileprivate func hasMade<Edit: TypedEdit>(_ edit: Edit) -> Bool {
    guard let id = edit.values.id else { return true }
    return self[Edit.Element.self][id: id] == edit.values.after
  }
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
