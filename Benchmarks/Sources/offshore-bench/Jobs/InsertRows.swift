import Offshore

/// Inserts 100,000 rows of ten mixed columns in one transaction.
struct InsertRows: Job {
  let name = "insert-100k"
  let goal = Goal.timeRatio(must: 1.05, aim: 1.0)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let (ours, baseline) = try Booking.connections(in: folder)
    let rows = Booking.rows(100_000)
    return try await Measurement.interleaved {
      try ours.execute("DELETE FROM bookings")
      try baseline.execute("DELETE FROM bookings")
    } ours: {
      try ours.write { try Booking.insert(contentsOf: rows, $0) }
    } baseline: {
      try baseline.insert(rows)
    }
  }
}
