public import Foundation
import Offshore
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
    var legacy = try await read()
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

  private func read() async throws -> LegacyStore {
    do {
      return try await CoreDataStore(store.path(percentEncoded: false)).read { try LegacyStore($0) }
    } catch let error as DatabaseError where error.code == .notADatabase {
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

  init(_ tables: CoreDataStore.Tables) throws {
    let places = try tables.rows(of: "ZLOCATION", ["ZID", "ZNAME", "ZADDRESS"])
    let types = try tables.rows(
      of: "ZSHIFTTYPE",
      ["ZID", "ZSYMBOL", "ZTITLE", "ZSHIFTDESCRIPTION", "ZDURATION", "ZLOCATION"])
    let found = records(of: places, "ZLOCATION") { id, row throws(Report.Reason) in
      guard let name = row.text("ZNAME"), !name.isEmpty else { throw .missingName }
      return Location(id: id, name: name, address: row.text("ZADDRESS") ?? "")
    }
    locations = found.map { $0.record }
    let ids = Dictionary(found.map { ($0.key, $0.record.id) }) { first, _ in first }
    shiftTypes = records(of: types, "ZSHIFTTYPE") { id, row throws(Report.Reason) in
      guard let symbol = row.text("ZSYMBOL"), !symbol.isEmpty else { throw .missingSymbol }
      guard let title = row.text("ZTITLE"), !title.isEmpty else { throw .missingTitle }
      guard let duration = row.value("ZDURATION", as: ShiftDuration.self) else {
        throw .unreadableDuration
      }
      return ShiftType(
        id: id, symbol: symbol, duration: duration, title: title,
        description: row.text("ZSHIFTDESCRIPTION") ?? "",
        locationID: row.integer("ZLOCATION").flatMap { ids[$0] })
    }.map { $0.record }
  }

  /// Returns the records of rows with their primary keys, and reports the rows that have none.
  private mutating func records<Record: Identifiable>(
    of rows: [CoreDataStore.Row], _ table: String,
    _ makeRecord: (UUID, CoreDataStore.Row) throws(Report.Reason) -> Record
  ) -> [(key: Int, record: Record)] where Record.ID == UUID {
    var records: [(key: Int, record: Record)] = []
    var ids: Set<UUID> = []
    for row in rows {
      do throws(Report.Reason) {
        guard let id = row.uuid("ZID") else { throw .unreadableID }
        guard !ids.contains(id) else { throw .duplicateID }
        records.append((row.key, try makeRecord(id, row)))
        ids.insert(id)
      } catch {
        report.skipped.append(Report.Skipped(table: table, key: row.key, reason: error))
      }
    }
    return records
  }
}
