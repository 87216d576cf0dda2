import Anyfleet
import Foundation
import OffshoreLogging

/// 10,000 charters in a file: years of past ones, some in progress, some to come, some archived, and
/// an active one.
struct ChartersOnDisk: Sendable {
  static let count = 10_000
  static let archivedCount = 500

  let repository: LocalRepository
  let today: CalendarDay

  private static let week: TimeInterval = 7 * 86_400
  private static let places = ["Šibenik", "Split", "Zadar", "Лимасол", "Λευκάδα", "Marmaris"]
  private static let boats = ["Alma", "Đurđa", "Zora", "Ёлка", "Fram"]

  init(_ path: String) async throws {
    let now = Date()
    repository = LocalRepository(
      database: try AppDatabase(path: path), logger: AppLogger(.repository, to: .none))
    today = CalendarDay(containing: now)
    let charters = (0..<Self.count).map { Self.charter($0, now) }
    try await withThrowingTaskGroup(of: Void.self) { [repository] group in
      for charter in charters {
        group.addTask { try await repository.createCharter(charter) }
      }
      try await group.waitForAll()
    }
    try await repository.setActiveCharter(charters.last?.id)
  }

  /// A charter of a week. Nine in ten lie in the past, 20 a week.
  private static func charter(_ number: Int, _ now: Date) -> CharterModel {
    let start = now.addingTimeInterval(Double(number / 20 - 450) * week)
    return CharterModel(
      id: UUID(), name: "Charter number \(number)", boatName: boats[number % boats.count],
      location: places[number % places.count], startDate: start,
      endDate: start.addingTimeInterval(week), createdAt: now, checkInChecklistID: nil,
      region: "Mediterranean",
      crew: (0..<4).map { CrewMember(name: "Member number \($0)", role: .crew) },
      isArchived: number % (count / archivedCount) == 0)
  }

  /// The time of a round in which each of several things is done once: that of the slowest.
  func slowest<Case>(
    of cases: [Case], _ body: (Case) async throws -> Void
  ) async throws -> Double {
    var slowest = 0.0
    for each in cases {
      slowest = max(slowest, try await Measurement.milliseconds { try await body(each) })
    }
    return slowest
  }
}
