import Offshore

/// Opens a file that has all of its migrations, verifies that, and reads one row.
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
      var database: Database?
      measurement.ours.append(
        try await Measurement.milliseconds {
          let opened = try Database(path, migrations: Self.migrations)
          let row = try await opened.read { try Booking.find(rows[0].id).one($0) }
          try expect(row == rows[0], "the stored row")
          database = opened
        })
      await database?.close()
    }
    return measurement
  }
}
