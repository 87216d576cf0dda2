package import Foundation
import OffshoreFiles
package import OffshorePresentation

/// All records as one JSON file.
package struct ScheduleBackup: Equatable, Sendable, Codable {
  /// The version of the form.
  private static let currentVersion = 1

  private var version = currentVersion
  package var locations: [Location]
  package var shiftTypes: [ShiftType]
  package var shifts: [ScheduledShift]
  /// The log of changes, for readers. It is not restored.
  package var changes: [ScheduleChange]

  /// The reason why a file is not restored.
  package enum Problem: Error, Equatable {
    /// It is not a backup, or damaged.
    case unreadable
    /// It is of a newer version of the app.
    case newerVersion
  }

  /// Loads all records of a repository.
  package init(of repository: any PersistenceRepository) async throws {
    locations = try await repository.loadLocations()
    shiftTypes = try await repository.loadShiftTypes()
    shifts = try await repository.loadShifts()
    changes = try await repository.loadChanges()
  }

  /// Reads a file.
  /// - Throws: ``Problem``.
  package init(_ data: Data) throws(Problem) {
    struct Version: Decodable { let version: Int }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let version = try? decoder.decode(Version.self, from: data).version else {
      throw .unreadable
    }
    guard version <= Self.currentVersion else { throw .newerVersion }
    guard let backup = try? decoder.decode(Self.self, from: data),
      (try? ScheduleContent(
        locations: backup.locations, shiftTypes: backup.shiftTypes, shifts: backup.shifts)) != nil
    else { throw .unreadable }
    self = backup
  }

  /// The content of the file.
  /// - Throws: `EncodingError`.
  package func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// Replaces all records of a repository, as one change, which can be undone.
  package func restore(to repository: any PersistenceRepository) async throws {
    let edits =
      try await repository.loadLocations().edits(to: locations)
      + repository.loadShiftTypes().edits(to: shiftTypes)
      + repository.loadShifts().edits(to: shifts)
    try await repository.apply(edits)
  }
}

extension ScheduleBackup.Problem: AppErrorConvertible {
  package var asAppError: AppError {
    switch self {
    case .unreadable: .content(.unreadable)
    case .newerVersion: .database(.newerVersion)
    }
  }
}
