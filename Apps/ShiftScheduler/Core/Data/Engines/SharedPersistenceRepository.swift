public import Foundation
import Observation
import OffshoreFiles

/// Records that all repositories of a folder share in memory, and that are stored in the files of
/// ``JSONFilePersistenceRepository``.
///
/// A save returns when it is stored. If that fails, the records in memory are as before, too.
public final class SharedPersistenceRepository: PersistenceRepository {
  private let shiftTypes: SharedRecords<ShiftType>
  private let locations: SharedRecords<Location>
  private let shifts: SharedRecords<ScheduledShift>
  private let changes: Shared<[ScheduleChange]>
  private let stamp: ChangeStamp

  /// Creates a repository of the files in a folder, by default the app's data folder. Nothing is created before
  /// the first save.
  public convenience init(directory: URL? = nil) {
    self.init(directory: directory, ChangeStamp())
  }

  package init(directory: URL?, _ stamp: ChangeStamp) {
    let directory = directory ?? JSONFilePersistenceRepository.defaultDirectory
    func path(_ file: RecordKind) -> String {
      directory.appending(path: file.rawValue).path(percentEncoded: false)
    }
    self.stamp = stamp
    let configuration = JSONConfiguration(datePrecision: .seconds)
    shiftTypes = SharedRecords(.file(path(.shiftTypes), configuration: configuration))
    locations = SharedRecords(.file(path(.locations), configuration: configuration))
    shifts = SharedRecords(.file(path(.shifts), configuration: configuration))
    changes = Shared(.file(path(.changes), configuration: configuration), default: [])
  }

  // MARK: - Collections

  public func loadShiftTypes() async throws -> [ShiftType] { try await shiftTypes.load() }
  public func loadLocations() async throws -> [Location] { try await locations.load() }
  public func loadShifts() async throws -> [ScheduledShift] { try await shifts.load() }
  public func loadChanges() async throws -> [ScheduleChange] { try await changes.load() }

  public func saveShiftTypes(_ elements: [ShiftType]) async throws {
    try await replace(elements, in: shiftTypes)
  }

  public func saveLocations(_ elements: [Location]) async throws {
    try await replace(elements, in: locations)
  }

  public func saveShifts(_ elements: [ScheduledShift]) async throws {
    try await replace(elements, in: shifts)
  }

  private func replace<Element: StoredElement>(
    _ elements: [Element], in records: SharedRecords<Element>
  ) async throws {
    try await records.refresh()
    _ = try await changes.load()
    var change: ScheduleChange?
    try SharedChanges.together {
      let edits = try records.replaceLoaded(elements)
      if !edits.isEmpty { change = log(edits) }
    }
    if let change { try await store(change) }
  }

  public func perform(_ change: RecordChange) async throws {
    let kinds = change.kinds
    if kinds.contains(.shiftTypes) { try await shiftTypes.refresh() }
    if kinds.contains(.locations) { try await locations.refresh() }
    if kinds.contains(.shifts) { try await shifts.refresh() }
    _ = try await changes.load()
    var made: ScheduleChange?
    try SharedChanges.together {
      var content = try ScheduleContent(
        locations: locations.value, shiftTypes: shiftTypes.value, shifts: shifts.value)
      try change.make(in: &content, stamp)
      guard let edits = content.changes.first?.edits else { return }
      make(edits)
      made = log(edits)
    }
    guard let made else { return }
    try await store(made)
    // Another process may have stored other values meanwhile, which stay.
    let differences = made.edits.filter { !isMade($0) }
    guard differences.isEmpty else {
      try? await revert(made)
      throw EditRefusal(differences: differences)
    }
  }

  private func log(_ edits: [ScheduleEdit]) -> ScheduleChange {
    let change = stamp.change(edits)
    changes.change { $0 = $0.logging(change) }
    return change
  }

  /// Stores a change, or reverts it in memory.
  private func store(_ change: ScheduleChange) async throws {
    do {
      try await changes.flush()
    } catch {
      try? await revert(change)
      throw error
    }
  }

  private func revert(_ change: ScheduleChange) async throws {
    SharedChanges.together {
      make(change.inverse.edits)
      changes.change { $0.removeAll { $0.id == change.id } }
    }
    try await changes.flush()
  }

  private func make(_ edits: [ScheduleEdit]) {
    shiftTypes.make(edits)
    locations.make(edits)
    shifts.make(edits)
  }

  private func isMade(_ edit: ScheduleEdit) -> Bool {
    switch edit {
    case .location(let before, let after, _): locations.hasMade(before, after)
    case .shiftType(let before, let after, _): shiftTypes.hasMade(before, after)
    case .shift(let before, let after, _): shifts.hasMade(before, after)
    }
  }

  public func signals(of kind: RecordKind) -> AsyncStream<Void>? {
    switch kind {
    case .shiftTypes: shiftTypes.signals
    case .locations: locations.signals
    case .shifts: shifts.signals
    case .changes: changes.signals
    }
  }
}

/// The shared records of one type.
private struct SharedRecords<Element: StoredElement>: Sendable {
  /// The reference whose loads determine which elements the user knows.
  private let known: Shared<[Element]>
  /// A reference to the same value that the user does not load.
  private let current: Shared<[Element]>

  init(_ location: SharedLocation<[Element]>) {
    (known, current) = (Shared(location, default: []), Shared(location, default: []))
  }

  var value: [Element] { current.value }

  func load() async throws -> [Element] { try await known.load() }

  /// Loads what other processes have stored, without its being known to the user.
  func refresh() async throws { try await current.load() }

  /// Replaces the elements that are known.
  /// - Returns: The edits from the former elements to the new ones.
  func replaceLoaded(_ elements: [Element]) throws -> [ScheduleEdit] {
    let before = current.value
    try known.replaceLoaded(elements)
    return before.edits(to: current.value)
  }

  /// Makes those edits of a list that are of this type and find their records.
  func make(_ edits: [ScheduleEdit]) {
    guard edits.contains(where: { Element.sides(of: $0) != nil }) else { return }
    current.change { elements in
      guard var list = try? ElementList(elements) else { return }
      for edit in edits {
        guard let (before, after, index) = Element.sides(of: edit),
          let id = (before ?? after)?.id, list[id: id] == before
        else { continue }
        if let after { list.upsert(after, at: index ?? .max) } else { list.remove(id) }
      }
      elements = Array(list)
    }
  }

  func hasMade(_ before: Element?, _ after: Element?) -> Bool {
    current.value.first { $0.id == (before ?? after)?.id } == after
  }

  var signals: AsyncStream<Void> { current.signals }
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
