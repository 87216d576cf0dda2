import Offshore

/// Passes 100,000 rows of ten mixed columns to a closure, one at a time, in one read.
struct IterateRows: Job {
  let name = "iterate-100k"
  let goal = Goal.timeRatio(must: 1.20, aim: 1.10)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let (ours, baseline) = try Booking.connections(in: folder)
    let rows = Booking.rows(100_000)
    try ours.write { try Booking.insert(contentsOf: rows, $0) }
    try baseline.insert(rows)
    let expected = rows.reduce(0) { $0 + $1.guests }
    return try await Measurement.interleaved {
      var guests = 0
      try ours.read { reader in try Booking.all.forEach(reader) { guests += $0.guests } }
      try expect(guests == expected, "all rows")
    } baseline: {
      var guests = 0
      try baseline.forEachBooking { guests += $0.guests }
      try expect(guests == expected, "all rows")
    }
  }
}
