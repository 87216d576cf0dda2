public import Foundation
import Offshore
import OffshoreCalendar
public import OffshorePresentation

/// The import of a store that SwiftData or Core Data has written.
///
/// The store is read with the content of its write-ahead log. It, and the files beside it, stay as they are, byte
/// for byte.
public struct SwiftDataMigration: Sendable {
  /// The number of imported records, and those that were left out.
  public struct Report: Equatable, Sendable {
    /// A row that was not imported.
    public struct Skipped: Equatable, Sendable {
      public let table: String
      /// The primary key of the row.
      public let key: Int
      public let reason: Reason
    }

    /// The reason why a row was not imported.
    public enum Reason: String, Error, Sendable {
      /// The id is not a UUID of 16 bytes, or another row has it.
      case unreadableID, duplicateID
      case missingName, missingTitle, missingSymbol
      case unreadableDuration
    }

    /// The number of locations that were added.
    public fileprivate(set) var locations = 0
    /// The number of shift types that were added.
    public fileprivate(set) var shiftTypes = 0
    public fileprivate(set) var skipped: [Skipped] = []
  }

  /// The error of a file that is not such a store.
  public enum Failure: Error, Equatable {
    /// It is not a database, or has no tables of locations and shift types.
    case notAStore
  }

  private let store: URL

  /// - Parameter store: The file of the store, such as `default.store`.
  public init(store: URL) { self.store = store }

  /// Adds the records of the store to a repository, in one change. Those with an id that exists already are
  /// left out.
  /// - Throws: ``Failure``; the error of the repository. Nothing is added then.
  public func migrate(to repository: any PersistenceRepository) async throws -> Report {
    var legacy = try read()
    let locations = Set(try await repository.loadLocations().map(\.id))
    let shiftTypes = Set(try await repository.loadShiftTypes().map(\.id))
    legacy.locations.removeAll { locations.contains($0.id) }
    legacy.shiftTypes.removeAll { shiftTypes.contains($0.id) }
    try await repository.apply(
      legacy.locations.map { .location(before: nil, after: $0) }
        + legacy.shiftTypes.map { .shiftType(before: nil, after: $0) })
    legacy.report.locations = legacy.locations.count
    legacy.report.shiftTypes = legacy.shiftTypes.count
    return legacy.report
  }

  private func read() throws -> LegacyStore {
    let (files, path) = (FileManager.default, store.path(percentEncoded: false))
    guard (try? files.attributesOfItem(atPath: path)[.type]) as? FileAttributeType == .typeRegular
    else { throw Failure.notAStore }
    let folder = files.temporaryDirectory.appending(path: "import-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    // NB: SQLite writes beside a store that it opens, even for reading, such as the index of its log. So a copy is
    // opened, with the changes that are not in the store yet.
    let copy = folder.appending(path: "store").path(percentEncoded: false)
    for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: path + suffix) {
      try files.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    do {
      let connection = try Connection(copy)
      defer { connection.close() }
      return try connection.read { reader in
        guard try LegacyStore.exists(in: reader) else { throw Failure.notAStore }
        return try LegacyStore(reader)
      }
    } catch let error as DatabaseError
      where [.notADatabase, .corrupted, .cannotOpen, .invalidSQL].contains(error.code)
    {
      throw Failure.notAStore
    }
  }
}

extension SwiftDataMigration.Failure: AppErrorConvertible {
  public var asAppError: AppError { .content(.unreadable) }
}

/// The records of a store.
private struct LegacyStore {
  typealias Report = SwiftDataMigration.Report

  var locations: [Location] = []
  var shiftTypes: [ShiftType] = []
  var report = Report()

  /// Returns whether a database has the tables of a store.
  static func exists(in reader: Reader) throws -> Bool {
    try SQL(
      """
      SELECT count(*) FROM sqlite_schema
      WHERE type = 'table' AND name IN ('ZLOCATION', 'ZSHIFTTYPE')
      """
    ).first(reader, as: Int.self) == 2
  }

  init(_ reader: Reader) throws {
    let ids = try addLocations(reader)
    try addShiftTypes(reader, ids)
  }

  /// - Returns: The ids of the locations by their primary keys.
  private mutating func addLocations(_ reader: Reader) throws -> [Int: UUID] {
    // A value of another type than expected is missing.
    let rows = try SQL(
      """
      SELECT Z_PK, iif(typeof(ZID) = 'blob', ZID, NULL), iif(typeof(ZNAME) = 'text', ZNAME, NULL),
        iif(typeof(ZADDRESS) = 'text', ZADDRESS, NULL)
      FROM ZLOCATION ORDER BY Z_PK
      """
    ).all(reader, as: Int.self, Data?.self, String?.self, String?.self)
    var ids: [Int: UUID] = [:]
    for (key, id, name, address) in rows {
      do throws(Report.Reason) {
        let id = try Self.newID(id, Set(ids.values))
        guard let name, !name.isEmpty else { throw .missingName }
        ids[key] = id
        locations.append(Location(id: id, name: name, address: address ?? ""))
      } catch {
        report.skipped.append(Report.Skipped(table: "ZLOCATION", key: key, reason: error))
      }
    }
    return ids
  }

  private mutating func addShiftTypes(_ reader: Reader, _ locationIDs: [Int: UUID]) throws {
    let rows = try SQL(
      """
      SELECT Z_PK, iif(typeof(ZID) = 'blob', ZID, NULL),
        iif(typeof(ZSYMBOL) = 'text', ZSYMBOL, NULL), iif(typeof(ZTITLE) = 'text', ZTITLE, NULL),
        iif(typeof(ZSHIFTDESCRIPTION) = 'text', ZSHIFTDESCRIPTION, NULL),
        iif(typeof(ZDURATION) IN ('blob', 'text'), CAST(ZDURATION AS BLOB), NULL),
        iif(typeof(ZLOCATION) = 'integer', ZLOCATION, NULL)
      FROM ZSHIFTTYPE ORDER BY Z_PK
      """
    ).all(
      reader, as: Int.self, Data?.self, String?.self, String?.self, String?.self, Data?.self,
      Int?.self)
    var ids: Set<UUID> = []
    for (key, id, symbol, title, description, duration, location) in rows {
      do throws(Report.Reason) {
        let id = try Self.newID(id, ids)
        guard let symbol, !symbol.isEmpty else { throw .missingSymbol }
        guard let title, !title.isEmpty else { throw .missingTitle }
        guard let duration = duration.flatMap(Self.duration) else { throw .unreadableDuration }
        ids.insert(id)
        shiftTypes.append(
          ShiftType(
            id: id, symbol: symbol, duration: duration, title: title,
            description: description ?? "", locationID: location.flatMap { locationIDs[$0] }))
      } catch {
        report.skipped.append(Report.Skipped(table: "ZSHIFTTYPE", key: key, reason: error))
      }
    }
  }

  /// Returns the UUID of 16 bytes, which no other row has.
  private static func newID(
    _ bytes: Data?, _ others: Set<UUID>
  ) throws(Report.Reason) -> UUID {
    guard let bytes, bytes.count == 16 else { throw .unreadableID }
    let id = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    guard !others.contains(id) else { throw .duplicateID }
    return id
  }

  /// Reads a duration from JSON or a property list.
  private static func duration(_ data: Data) -> ShiftDuration? {
    (try? JSONDecoder().decode(ShiftDuration.self, from: data))
      ?? (try? PropertyListDecoder().decode(ShiftDuration.self, from: data))
  }
}
