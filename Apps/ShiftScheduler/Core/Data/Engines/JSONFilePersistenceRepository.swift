public import Foundation
package import OffshoreFiles
import OffshorePresentation
import OffshoreSync

/// Records in JSON files that people can read: `shift_types.json`, `locations.json`, `shifts.json` and, for the
/// changes, `changes.json`.
///
/// A change of several files is stored whole or not at all. A file that cannot be read is set aside, and loading
/// it throws `FileError` with the code `corrupted` until it is restored or saved.
public final class JSONFilePersistenceRepository: PersistenceRepository {
  package let folder: DocumentFolder
  let shiftTypes: JSONCollection<ShiftType>
  let locations: JSONCollection<Location>
  let shifts: JSONCollection<ScheduledShift>
  let changes: JSONCollection<ScheduleChange>
  private let stamp: ChangeStamp

  /// The folder of the app in the home of the user.
  package static var defaultDirectory: URL {
    URL(filePath: UserDataFolder(of: "shiftscheduler").path, directoryHint: .isDirectory)
  }

  /// Creates a repository of the files in a folder, by default the app's data folder. Nothing is created before
  /// the first save.
  public convenience init(directory: URL? = nil) {
    let directory = directory ?? Self.defaultDirectory
    self.init(DocumentFolder(directory.path(percentEncoded: false)), ChangeStamp())
  }

  package init(_ folder: DocumentFolder, _ stamp: ChangeStamp) {
    let configuration = JSONConfiguration(datePrecision: .seconds)
    self.folder = folder
    self.stamp = stamp
    shiftTypes = folder.collection(RecordKind.shiftTypes.rawValue, configuration: configuration)
    locations = folder.collection(RecordKind.locations.rawValue, configuration: configuration)
    shifts = folder.collection(RecordKind.shifts.rawValue, configuration: configuration)
    changes = folder.collection(RecordKind.changes.rawValue, configuration: configuration)
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
    _ elements: [Element], in collection: JSONCollection<Element>
  ) async throws {
    try await folder.update { [changes, stamp] update in
      // A damaged file that was set aside has no elements to compare with.
      let before = (try? update.elements(of: collection)) ?? ElementList()
      try update.replaceLoaded(elements, in: collection)
      let edits = before.edits(to: try update.elements(of: collection))
      guard !edits.isEmpty else { return }
      try update.log(stamp.change(edits), in: changes)
    }
  }

  public func perform(_ change: RecordChange) async throws {
    let kinds = change.kinds
    try await folder.update { [shiftTypes, locations, shifts, changes, stamp] update in
      var content = ScheduleContent()
      if kinds.contains(.shiftTypes) { content.shiftTypes = try update.elements(of: shiftTypes) }
      if kinds.contains(.locations) { content.locations = try update.elements(of: locations) }
      if kinds.contains(.shifts) { content.shifts = try update.elements(of: shifts) }
      try change.make(in: &content, stamp)
      if kinds.contains(.shiftTypes) { try update.change(shiftTypes) { $0 = content.shiftTypes } }
      if kinds.contains(.locations) { try update.change(locations) { $0 = content.locations } }
      if kinds.contains(.shifts) { try update.change(shifts) { $0 = content.shifts } }
      for change in content.changes { try update.log(change, in: changes) }
    }
  }

  // MARK: - Damaged files

  /// Puts the last good copy in the place of a damaged file.
  /// - Throws: `FileError` with the code `noCopy` if there is no good copy.
  package func restoreLastGoodCopy(of file: RecordKind) async throws {
    switch file {
    case .shiftTypes: _ = try await shiftTypes.restoreLastGoodCopy()
    case .locations: _ = try await locations.restoreLastGoodCopy()
    case .shifts: _ = try await shifts.restoreLastGoodCopy()
    case .changes: _ = try await changes.restoreLastGoodCopy()
    }
  }

  /// Stores an empty file in the place of a damaged one, which stays aside.
  package func restart(_ file: RecordKind) async throws {
    switch file {
    case .shiftTypes: try await shiftTypes.replaceAll([])
    case .locations: try await locations.replaceAll([])
    case .shifts: try await shifts.replaceAll([])
    case .changes: try await changes.replaceAll([])
    }
  }

  public func signals(of kind: RecordKind) -> AsyncStream<Void>? {
    switch kind {
    case .shiftTypes: AsyncStream(following: shiftTypes.values())
    case .locations: AsyncStream(following: locations.values())
    case .shifts: AsyncStream(following: shifts.values())
    case .changes: AsyncStream(following: changes.values())
    }
  }
}

extension FolderUpdate {
  /// Adds a change to the log, and removes the oldest ones beyond its limit.
  fileprivate func log(
    _ change: ScheduleChange, in changes: JSONCollection<ScheduleChange>
  ) throws {
    try self.change(changes) { $0 = try ElementList(Array($0).logging(change)) }
  }
}
