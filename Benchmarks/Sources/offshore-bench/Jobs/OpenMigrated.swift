import Foundation
import Offshore

/// Opens a fully migrated file that is not in memory, verifies it, and reads one row.
struct OpenMigrated: Job {
  let name = "open"
  let goal = Goal.milliseconds(must: 5)

  private static let migrations = Migrations(
    [Migration("v0_createBookings") { try SQL(raw: Booking.creation).run($0) }]
      + (1...20).map { number in
        Migration("v\(number)_createTable\(number)") {
          try SQL(raw: "CREATE TABLE t\(number) (id TEXT PRIMARY KEY, value TEXT)").run($0)
        }
      })

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let path = folder.file("migrated.sqlite")
    let rows = Booking.rows(1000)
    let first = try Database(path, migrations: Self.migrations)
    try await first.write { try Booking.insert(contentsOf: rows, $0) }
    await first.close()
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds {
      try forget(path)
      var database: Database?
      measurement.ours.append(
        try await Measurement.milliseconds {
          let opened = try Database(path, migrations: Self.migrations)
          let row = try await opened.read { try Booking.find(rows[0].id).first($0) }
          try expect(row == rows[0], "the stored row")
          database = opened
        })
      await database?.close()
    }
    return measurement
  }

  /// Makes the system drop its cached copy of a file, so that the next read uses the disk.
  private func forget(_ path: String) throws {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    try expect(fsync(file.fileDescriptor) == 0, "the file on the disk")
    let refusal = posix_fadvise(file.fileDescriptor, 0, 0, POSIX_FADV_DONTNEED)
    try expect(refusal == 0, "a file that is forgotten")
  }
}
