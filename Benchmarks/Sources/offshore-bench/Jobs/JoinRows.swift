import Offshore

/// Fetches 10,000 rows, each with the row that it refers to, in a query.
struct JoinRows: Job {
  let name = "join-10k"
  let goal = Goal.timeRatio(must: 1.2, aim: 1.1)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let (ours, baseline) = try Stop.connections(in: folder, bookings: 1_000)
    return try await Measurement.interleaved {
      let pairs = try ours.read { try Stop.joining(Booking.self).all($0) }
      try expect(pairs.count == 10_000, "every stop")
    } baseline: {
      let pairs = try baseline.fetchStops()
      try expect(pairs.count == 10_000, "every stop")
    }
  }
}
