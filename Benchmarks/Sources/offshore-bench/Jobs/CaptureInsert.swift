import Offshore

/// Inserts 100,000 rows in one transaction, with and without capture for syncing.
struct CaptureInsert: Job {
  let name = "capture-insert"
  let goal = Goal.timeRatio(must: 2.0, aim: 1.65)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let files = try CapturedBookings(in: folder)
    let rows = Booking.rows(100_000)
    let measurement = try await Measurement.interleaved {
      try files.empty()
    } ours: {
      try files.ours.write { try Booking.insert(contentsOf: rows, $0) }
    } baseline: {
      try files.baseline.write { try Booking.insert(contentsOf: rows, $0) }
    }
    try files.expectCaptured(rows.count)
    return measurement
  }
}
