import Offshore

/// Changes a column of 100,000 rows by one statement, with and without capture for syncing.
struct CaptureUpdate: Job {
  let name = "capture-update"
  let goal = Goal.timeRatio(must: 4.0, aim: 2.8)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let files = try CapturedBookings(in: folder)
    let rows = Booking.rows(100_000)
    for connection in [files.ours, files.baseline] {
      try connection.write { try Booking.insert(contentsOf: rows, $0) }
    }
    let update: SQL = "UPDATE bookings SET guests = guests + 1"
    let measurement = try await Measurement.interleaved {
      try files.forget()
    } ours: {
      _ = try files.ours.write { try update.run($0) }
    } baseline: {
      _ = try files.baseline.write { try update.run($0) }
    }
    try files.expectCaptured(rows.count)
    return measurement
  }
}
