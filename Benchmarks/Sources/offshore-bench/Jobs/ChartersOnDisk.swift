import Anyfleet
import Foundation
import OffshoreCalendar
import OffshoreLogging

/// 10,000 charters in a file: several years of past ones, some in progress, some upcoming, some
/// archived, and an active one.
///
/// The contents of each list are computed without a query, to verify the screens.
struct ChartersOnDisk: Sendable {
  static let count = 10_000
  static let places = ["Šibenik", "Split", "Zadar", "Лимасол", "Λευκάδα", "Marmaris"]
  static let boats = ["Alma", "Đurđa", "Zora", "Ёлка", "Fram"]

  let repository: LocalRepository
  /// All charters by their numbers.
  let charters: [CharterModel]
  private let now: Date
  private let calendar = Calendar(identifier: .gregorian)

  private static let archivedCount = 500
  private static let week: TimeInterval = 7 * 86_400

  init(_ path: String) async throws {
    let now = Date()
    repository = LocalRepository(
      database: try AppDatabase(path: path), logger: AppLogger(.repository, to: .none))
    self.now = now
    charters = (0..<Self.count).map { Self.charter($0, now) }
    try await withThrowingTaskGroup(of: Void.self) { [repository, charters] group in
      for charter in charters {
        group.addTask { try await repository.createCharter(charter) }
      }
      try await group.waitForAll()
    }
    try await repository.setActiveCharter(charters.last { $0.isActive }?.id)
  }

  /// A charter of a week. Nine in ten lie in the past, 20 a week; the last is the active one.
  private static func charter(_ number: Int, _ now: Date) -> CharterModel {
    let start = now.addingTimeInterval(Double(number / 20 - 450) * week)
    return CharterModel(
      id: UUID(), name: "Charter number \(number)", boatName: boats[number % boats.count],
      location: places[number % places.count], startDate: start,
      endDate: start.addingTimeInterval(week), createdAt: now, checkInChecklistID: nil,
      region: "Mediterranean",
      crew: (0..<4).map { CrewMember(name: "Member number \($0)", role: .crew) },
      isArchived: number % (count / archivedCount) == 0, isActive: number == count - 1)
  }

  /// Creates the store that all screens of an app share, not loaded yet.
  @MainActor
  func makeStore() -> CharterStore {
    CharterStore(repository: repository, now: { now }, calendar: { calendar })
  }

  /// Returns the time of the slowest of several measurements.
  @MainActor
  func slowest<Case>(
    of cases: [Case], _ body: @MainActor (Case) async throws -> Double
  ) async throws -> Double {
    var slowest = 0.0
    for each in cases { slowest = max(slowest, try await body(each)) }
    return slowest
  }
}

// MARK: - Expected contents

extension ChartersOnDisk {
  /// Returns the charters of a screen's filter, in its order.
  func expected(_ filter: CharterListFilter) -> [CharterModel] {
    switch filter {
    case .all:
      charters.filter(\.isActive) + phase(.inProgress) + phase(.upcoming) + phase(.past)
    case .past: phase(.past, withActive: true)
    case .upcoming: phase(.upcoming, withActive: true)
    case .inProgress: phase(.inProgress, withActive: true)
    case .archived:
      charters.filter(\.isArchived)
        .sorted { ($0.endDate, $0.id.uuidString) > ($1.endDate, $1.id.uuidString) }
    }
  }

  /// All charters that are not archived, by their start.
  var notArchived: [CharterModel] {
    charters.filter { !$0.isArchived }
      .sorted { ($0.startDate, $0.id.uuidString) < ($1.startDate, $1.id.uuidString) }
  }

  /// Returns the charters of a phase. A store lists them without the active one, a screen's filter
  /// with it.
  func phase(_ phase: CharterPhase, withActive: Bool = false) -> [CharterModel] {
    let today = CalendarDay(civilDayOf: now, in: calendar)
    let found = charters.filter {
      !$0.isArchived && (withActive || !$0.isActive) && $0.phase(on: today) == phase
    }
    return phase == .past
      ? found.sorted { ($0.endDate, $0.id.uuidString) > ($1.endDate, $1.id.uuidString) }
      : found.sorted { ($0.startDate, $0.id.uuidString) < ($1.startDate, $1.id.uuidString) }
  }
}
