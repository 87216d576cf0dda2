import Offshore

/// Fetches 100,000 rows of ten mixed columns in one read.
struct FetchRows: Job {
  let name = "fetch-100k"
  let goal = Goal.timeRatio(must: 1.0, aim: 0.95)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let (ours, baseline) = try Booking.connections(in: folder)
    let rows = Booking.rows(100_000)
    try ours.write { try Booking.insert(contentsOf: rows, $0) }
    try baseline.insert(rows)
    try expect(try ours.read { try Booking.all.all($0) } == rows, "our rows to load as stored")
    try expect(try baseline.fetchBookings() == rows, "the baseline's rows to load as stored")
    return try await Measurement.interleaved {
      let fetched = try ours.read { try Booking.all.all($0) }
      try expect(fetched.count == rows.count, "all rows")
    } baseline: {
      let fetched = try baseline.fetchBookings()
      try expect(fetched.count == rows.count, "all rows")
    }
  }
}
