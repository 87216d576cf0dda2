import Offshore

/// Sums by two keys over 10,000 rows and the rows that they refer to, in a query.
struct GroupRows: Job {
  let name = "group-10k"
  let goal = Goal.timeRatio(must: 1.2, aim: 1.1)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let (ours, baseline) = try Stop.connections(in: folder, bookings: 1_000)
    func sorted(_ nights: [Nights]) -> [Nights] {
      nights.sorted { ($0.harbor, $0.guests) < ($1.harbor, $1.guests) }
    }
    let query = Stop.joining(Booking.self)
      .group { stop, booking in
        stop.harbor
        booking.guests
      }
      .having { stop, _ in stop.id.count() > 1 }
      .select(Nights.init) { stop, booking in
        stop.harbor
        booking.guests
        stop.nights.sum()
        stop.id.count()
      }
    let expected = sorted(try baseline.nights())
    try expect(sorted(try ours.read { try query.all($0) }) == expected, "equal sums")
    return try await Measurement.interleaved {
      let nights = try ours.read { try query.all($0) }
      try expect(nights.count == expected.count, "every group")
    } baseline: {
      try expect(try baseline.nights().count == expected.count, "every group")
    }
  }
}

/// The nights of parties of one size in a harbor.
struct Nights: Equatable {
  let harbor: String
  let guests: Int
  let nights: Int
  let count: Int
}
