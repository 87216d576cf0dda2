import Offshore

/// Updates 10,000 rows one by one, each with all its columns, in one transaction.
struct UpdateRows: Job {
  let name = "update-10k"
  let goal = Goal.timeRatio(must: 1.3, aim: 1.2)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let (ours, baseline) = try Booking.connections(in: folder)
    var rows = Booking.rows(10_000)
    try ours.write { try Booking.insert(contentsOf: rows, $0) }
    try baseline.insert(rows)
    rows.shuffle()
    return try await Measurement.interleaved {
      for index in rows.indices { rows[index].guests += 1 }
    } ours: {
      try ours.write { writer in
        for row in rows { try row.update(writer) }
      }
    } baseline: {
      try baseline.update(rows)
    }
  }
}
