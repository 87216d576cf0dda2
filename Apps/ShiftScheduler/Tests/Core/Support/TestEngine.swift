import Foundation
import OffshoreFiles
import TestSupport

@testable import ShiftScheduler

/// The engines, all of which pass the same tests.
enum TestEngine: CaseIterable {
  case files, database, shared, memory, mock

  /// Whether several repositories can have the same records, as those of several processes do.
  var isStored: Bool { self == .files || self == .database }

  /// Returns a place without records.
  func makePlace() throws -> EnginePlace {
    switch self {
    case .files:
      let folder = try TemporaryFolder()
      return EnginePlace(keeping: folder) {
        JSONFilePersistenceRepository(DocumentFolder(folder.path), ChangeStamp())
      }
    case .database:
      let database = try ShiftDatabase.makeEmpty()
      return EnginePlace(keeping: database) { DatabaseRepository(database: database) }
    case .shared:
      let folder = try TemporaryFolder()
      return EnginePlace(keeping: folder) {
        SharedPersistenceRepository(directory: URL(filePath: folder.path))
      }
    case .memory:
      let repository = InMemoryRepository()
      return EnginePlace(keeping: repository) { repository }
    case .mock:
      let repository = MockPersistenceRepository()
      return EnginePlace(keeping: repository) { repository }
    }
  }
}

/// A place of records.
struct EnginePlace {
  /// Opens the place, as another process does if the engine is stored.
  let open: () -> any PersistenceRepository
  private let owner: Any

  init(keeping owner: Any, open: @escaping () -> any PersistenceRepository) {
    (self.owner, self.open) = (owner, open)
  }
}

/// A repository that has the six functions alone.
actor SixFunctions: PersistenceRepository {
  private var shiftTypes: [ShiftType] = []
  private var locations: [Location] = []
  private var shifts: [ScheduledShift] = []

  func loadShiftTypes() -> [ShiftType] { shiftTypes }
  func saveShiftTypes(_ shiftTypes: [ShiftType]) { self.shiftTypes = shiftTypes }
  func loadLocations() -> [Location] { locations }
  func saveLocations(_ locations: [Location]) { self.locations = locations }
  func loadShifts() -> [ScheduledShift] { shifts }
  func saveShifts(_ shifts: [ScheduledShift]) { self.shifts = shifts }
}
