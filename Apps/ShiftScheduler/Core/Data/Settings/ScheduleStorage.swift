package import Foundation
import Offshore
package import OffshoreFiles
import OffshoreSync
import Synchronization

/// The data folder of the app: its settings, and the records in files or in a database.
package final class ScheduleStorage: Sendable {
  package let settings: JSONDocument<AppSettings>
  package let files: JSONFilePersistenceRepository
  private let directory: URL
  private let stamp: ChangeStamp
  private let opened = Mutex<ShiftDatabase?>(nil)

  /// - Parameter directory: The folder; by default the app's data folder. Nothing is created before the first
  ///   save.
  package init(directory: URL? = nil, stamp: ChangeStamp = ChangeStamp()) {
    self.directory = directory ?? JSONFilePersistenceRepository.defaultDirectory
    self.stamp = stamp
    let folder = DocumentFolder(self.directory.path(percentEncoded: false))
    settings = folder.document("settings.json", default: AppSettings())
    files = JSONFilePersistenceRepository(folder, stamp)
  }

  /// Returns the database, which is opened and created when it is first used.
  /// - Throws: `DatabaseError`.
  package func database() throws -> ShiftDatabase {
    try opened.withLock { opened in
      if let opened { return opened }
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let path = directory.appending(path: "shifts.sqlite").path(percentEncoded: false)
      let database = try ShiftDatabase(path: path)
      opened = database
      return database
    }
  }

  /// Returns the repository of an engine.
  /// - Throws: `DatabaseError`.
  package func repository(of engine: StorageEngine) throws -> any PersistenceRepository {
    switch engine {
    case .files: files
    case .shared: SharedPersistenceRepository(directory: directory, stamp)
    case .database: DatabaseRepository(try database(), stamp)
    }
  }

  /// Returns the repository of the chosen engine.
  /// - Throws: `FileError`, `DatabaseError`.
  package func repository() async throws -> any PersistenceRepository {
    try repository(of: try await settings.load().engine)
  }

  /// Copies all records to another engine, proves the copy by loading it, and chooses the engine. The records of
  /// the former engine stay.
  /// - Returns: The numbers of copied records; zero if the engines have the same files.
  /// - Throws: ``MoveError/accountLinked`` if the database belongs to an account; `FileError`, with the code
  ///   `unproven` if the copy differs; `DatabaseError`. The former engine is still the chosen one then.
  package func move(to engine: StorageEngine) async throws -> RecordCounts {
    let former = try await settings.load().engine
    var counts = RecordCounts()
    if (former == .database) != (engine == .database) {
      let store = try database().store
      let identity = try await store.identity()
      guard engine == .database || identity.account == nil else { throw MoveError.accountLinked }
      let (from, to) =
        engine == .database
        ? (RecordStores(files), RecordStores(store.database, userID: identity.userID))
        : (RecordStores(store.database, userID: identity.userID), RecordStores(files))
      counts = try await from.copy(to: to)
    }
    try await settings.update { $0.engine = engine }
    return counts
  }
}

/// The reason why records are not moved.
package enum MoveError: Error, Equatable {
  /// The database belongs to an account, and only a database is synced.
  case accountLinked
}

extension PersistenceRepository {
  /// Counts the records.
  package func counts() async throws -> RecordCounts {
    var counts = RecordCounts()
    counts.locations = try await loadLocations().count
    counts.shiftTypes = try await loadShiftTypes().count
    counts.shifts = try await loadShifts().count
    counts.changes = try await loadChanges().count
    return counts
  }
}

/// All records of an engine as collections.
private struct RecordStores {
  let locations: any ElementStore<Location>
  let shiftTypes: any ElementStore<ShiftType>
  let shifts: any ElementStore<ScheduledShift>
  let changes: any ElementStore<ScheduleChange>

  init(_ files: JSONFilePersistenceRepository) {
    (locations, shiftTypes) = (files.locations, files.shiftTypes)
    (shifts, changes) = (files.shifts, files.changes)
  }

  init(_ database: Database, userID: UUID) {
    func table<Element: StoredElement>() -> TableCollection<Element, StoredRow<Element>> {
      TableCollection(
        database, position: \.position,
        makeRow: { StoredRow(element: $0, position: $1, userID: userID) }, makeElement: \.element)
    }
    (locations, shiftTypes, shifts) = (table(), table(), table())
    changes = TableCollection(
      database, position: \.position,
      makeRow: { ChangeRow($0, position: $1, userID: userID) }, makeElement: \.change)
  }

  /// Replaces the records of another engine by these, and proves the copy.
  func copy(to other: RecordStores) async throws -> RecordCounts {
    var counts = RecordCounts()
    counts.locations = try await locations.copy(to: other.locations, replacesExisting: true)
    counts.shiftTypes = try await shiftTypes.copy(to: other.shiftTypes, replacesExisting: true)
    counts.shifts = try await shifts.copy(to: other.shifts, replacesExisting: true)
    counts.changes = try await changes.copy(to: other.changes, replacesExisting: true)
    return counts
  }
}
