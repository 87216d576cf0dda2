import Offshore

/// Fetches 10,000 rows one by one, each by its key, inside one read.
struct FetchByKey: Job {
  let name = "fetch-key"
  let goal = Goal.timeRatio(must: 1.2, aim: 1.1)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let (ours, baseline) = try Booking.connections(in: folder)
    let rows = Booking.rows(10_000)
    try ours.write { try Booking.insert(contentsOf: rows, $0) }
    try baseline.insert(rows)
    let ids = rows.map(\.id).shuffled()
    return try await Measurement.interleaved {
      let count = try ours.read { reader in
        try ids.count { try Booking.find($0).first(reader)?.id == $0 }
      }
      try expect(count == ids.count, "every row")
    } baseline: {
      let found = try baseline.fetchBookings(ids)
      try expect(found == ids.count, "every row")
    }
  }
}
