import Foundation
import OffshoreCalendar
import OffshorePresentation
import ShiftScheduler

/// Measures both engines of ShiftScheduler with a number of shifts, in turn. The time is that of one
/// saved change in the database, against that in files; the figures are microseconds and bytes.
struct CompareEngines: Job {
  let count: Int
  let name: String
  let goal = Goal.known

  init(_ count: Int, _ name: String) {
    (self.count, self.name) = (count, "engines-\(name)")
  }

  private var rounds: Int { count > 1_000 ? 5 : 15 }

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await StoredShifts(count: count, in: folder)
    let files = stored.openFiles()
    _ = try await (files.loadShifts(), stored.database.loadShifts())
    var measurement = try await change(stored, files)
    measurement.figures["files-bytes"] = try size(of: stored.files.path)
    measurement.figures["db-bytes"] = try size(of: folder.file("shifts.sqlite"))
    let path = folder.file("shifts.sqlite")
    try await compare("load", &measurement) {
      _ = try await stored.openFiles().loadShifts()
    } _: {
      let database = DatabaseRepository(database: try ShiftDatabase(path: path))
      _ = try await database.loadShifts()
    }
    let month = CalendarMonth(containing: StoredShifts.day).days
    try await compare("month", &measurement) {
      _ = try await files.loadShifts(in: month)
    } _: {
      _ = try await stored.database.loadShifts(in: month)
    }
    try await compare("search", &measurement) {
      try await search(files)
    } _: {
      try await search(stored.database)
    }
    try await compareSaves(stored.shifts, in: folder, &measurement)
    return measurement
  }

  private func change(
    _ stored: StoredShifts, _ files: JSONFilePersistenceRepository
  ) async throws -> Measurement {
    var shift = stored.shifts[count / 2]
    return try await Measurement.interleaved(rounds: rounds) {
      shift.overtimeMinutes = (shift.overtimeMinutes + 1) % 1_000
    } ours: {
      try await stored.database.saveShift(shift)
    } baseline: {
      try await files.saveShift(shift)
    }
  }

  /// Saves all shifts to empty engines. The log of 100,000 insertions is too large for a file.
  private func compareSaves(
    _ shifts: [ScheduledShift], in folder: BenchFolder, _ measurement: inout Measurement
  ) async throws {
    guard count <= 10_000 else { return }
    try await compare("save-all", &measurement, rounds: 3) {
      let directory = URL(filePath: folder.file(UUID().uuidString), directoryHint: .isDirectory)
      try await JSONFilePersistenceRepository(directory: directory).saveShifts(shifts)
    } _: {
      let database = try ShiftDatabase(path: folder.file(UUID().uuidString))
      try await DatabaseRepository(database: database).saveShifts(shifts)
    }
  }

  @MainActor
  private func search(_ repository: any PersistenceRepository) async throws {
    var search = ScheduleSearch()
    search.text = "ward 7"
    let store = StoredShifts.makeStore(PersistenceClient(repository: repository))
    await store.send(.searchChanged(search)).finish()
    try expect(store.error == nil, "results of a search")
  }

  /// Times an operation on files and on the database, and reports the medians in microseconds.
  private func compare(
    _ operation: String, _ measurement: inout Measurement, rounds: Int? = nil,
    files: () async throws -> Void, _ database: () async throws -> Void
  ) async throws {
    let times = try await Measurement.interleaved(
      rounds: rounds ?? self.rounds, ours: database, baseline: files)
    measurement.figures["files-\(operation)"] = times.baseline.median * 1_000
    measurement.figures["db-\(operation)"] = times.ours.median * 1_000
  }

  /// The bytes of a file, or of the files in a folder.
  private func size(of path: String) throws -> Double {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let paths = names.isEmpty ? [path] : names.map { path + "/" + $0 }
    return try paths.reduce(0) { sum, path in
      sum + Double(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
    }
  }
}
