package import Foundation
import Offshore
package import OffshoreCalendar
package import OffshoreFiles
import OffshorePresentation
package import OffshoreSync
import Synchronization

/// The data folder of the app: its settings, and the records in files or in a database.
package final class ScheduleStorage: Sendable {
  package let settings: JSONDocument<AppSettings>
  package let files: JSONFilePersistenceRepository
  private let directory: URL
  private let stamp: ChangeStamp
  private let opened: Mutex<ShiftDatabase?>

  /// - Parameters:
  ///   - directory: The folder; by default the app's data folder. Nothing is created before the first save.
  ///   - store: The file of the database; by default one in the folder.
  package init(
    directory: URL? = nil, store: SyncedStore? = nil, stamp: ChangeStamp = ChangeStamp()
  ) {
    self.directory = directory ?? JSONFilePersistenceRepository.defaultDirectory
    self.stamp = stamp
    opened = Mutex(store.map { ShiftDatabase($0) })
    let folder = DocumentFolder(self.directory.path(percentEncoded: false))
    settings = folder.document("settings.json", default: AppSettings())
    files = JSONFilePersistenceRepository(folder, stamp)
  }

  /// Creates the storage of a host's file: the files of records are in a folder with its name.
  package convenience init(beside store: SyncedStore, stamp: ChangeStamp = ChangeStamp()) {
    let file = URL(filePath: store.database.path)
    self.init(directory: file.deletingPathExtension(), store: store, stamp: stamp)
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
  package func repository(of engine: StorageEngine) throws -> any GroupRepository {
    switch engine {
    case .files: files
    case .shared: SharedPersistenceRepository(directory: directory, stamp)
    case .database: DatabaseRepository(try database(), stamp)
    }
  }

  /// Returns the repository of the chosen engine.
  /// - Throws: `FileError`, `DatabaseError`.
  package func repository() async throws -> any GroupRepository {
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
      let account = try await database().store.identity().account
      guard engine == .database || account == nil else { throw MoveError.accountLinked }
      let target = try repository(of: engine)
      try await repository(of: former).group.copy(to: target.group, replacesExisting: true)
      counts = try await target.counts()
    }
    try await settings.update { $0.engine = engine }
    return counts
  }

  /// Chooses the database because it belongs to an account, and copies the records of the former engine to it.
  /// - Parameter merges: Whether they are added to records that the database has; otherwise these stay as they
  ///   are.
  package func useDatabase(merges: Bool) async throws {
    let (source, target) = (try await repository().group, try repository(of: .database).group)
    var content = try await target.content()
    if content == ScheduleContent() {
      try await source.copy(to: target)
    } else if merges {
      content.upsert(try await source.content())
      try await target.restore(content)
    }
    try await settings.update { $0.engine = .database }
  }
}

extension ScheduleStorage: LanguageStorage {
  package func languageCode() async throws -> String? {
    try await settings.loadRestoring().language
  }

  package func storeLanguage(code: String) async throws {
    try await settings.update { $0.language = code }
  }

  package func store(firstWeekday: Weekday?) async throws {
    try await settings.update { $0.firstWeekday = firstWeekday }
  }

  /// Removes the files of records with their copies. The settings stay.
  package func removeFiles() {
    let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
    for name in names ?? []
    where RecordKind.allCases.contains(where: { name.contains($0.rawValue) }) {
      try? FileManager.default.removeItem(at: directory.appending(path: name))
    }
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
    counts.shifts = try await loadShifts().count
    counts.records = counts.shifts
    counts.records += try await loadLocations().count + loadShiftTypes().count
    return counts
  }
}
