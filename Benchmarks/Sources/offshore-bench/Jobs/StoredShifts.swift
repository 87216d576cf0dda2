import Foundation
import OffshoreCalendar
import OffshoreFiles
import OffshorePresentation
import ShiftScheduler

/// Shifts on the days around a month, in both engines of ShiftScheduler.
struct StoredShifts {
  static let types = (0..<5).map {
    ShiftType(symbol: "\($0)", duration: .standard, title: "Type \($0)")
  }
  /// The day in whose month most measurements are made.
  static let day = CalendarMonth(containing: .first).advanced(by: 2026 * 12 + 5).firstDay

  let shifts: [ScheduledShift]
  let files: URL
  let database: DatabaseRepository

  /// Stores shifts without a log of their insertion in files, and with one in a database.
  /// - Parameter count: The number of shifts, three a day, half of them before the day.
  init(count: Int, in folder: BenchFolder) async throws {
    shifts = (0..<count).map { number in
      ScheduledShift(
        shiftTypeID: Self.types[number % Self.types.count].id,
        date: Self.day + (number / 3 - count / 6), note: "Ward \(number % 40)")
    }
    files = URL(filePath: folder.file("files"), directoryHint: .isDirectory)
    var content = GroupContent<ScheduleChange>()
    content[ScheduledShift.self] = try ElementList(shifts)
    content[ShiftType.self] = try ElementList(Self.types)
    let group = FileGroup<ScheduleChange>(
      DocumentFolder(files.path(percentEncoded: false)),
      configuration: JSONConfiguration(datePrecision: .seconds))
    try await group.replaceAll(content)
    database = DatabaseRepository(
      database: try ShiftDatabase(path: folder.file("shifts.sqlite")))
    try await database.saveShiftTypes(Self.types)
    for start in stride(from: 0, to: count, by: 10_000) {
      // The engine replaces all that it knows, so the shifts so far are saved with the next ones.
      try await database.saveShifts(Array(shifts.prefix(start + 10_000)))
    }
  }

  /// Opens the files anew, as a start of the app does.
  func openFiles() -> JSONFilePersistenceRepository {
    JSONFilePersistenceRepository(directory: files)
  }

  /// Creates the store of the calendar, not loaded yet.
  @MainActor
  static func makeStore(
    _ client: PersistenceClient
  ) -> Store<ScheduleFeature.State, ScheduleFeature.Action> {
    var state = AppFeature.State(day: day)
    state.schedule.shiftTypes = types
    return Store(initialState: state.schedule) {
      ScheduleFeature()
    } withDependencies: {
      $0.persistence = client
    }
  }

  /// Loads the month and builds its view.
  @MainActor
  static func showMonth(_ repository: any PersistenceRepository) async throws {
    let store = makeStore(PersistenceClient(repository: repository))
    await store.send(.onAppear).finish()
    let view = store.state.view(in: Calendar(identifier: .gregorian))
    try expect(!view.shifts.isEmpty && store.error == nil, "a month with shifts")
  }
}
