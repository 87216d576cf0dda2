import Offshore

/// Changes one row in its own write and waits for the disk, with and without capture for syncing.
struct CaptureDurable: Job {
  let name = "capture-durable"
  let goal = Goal.timeRatio(must: 1.2, aim: 1.1)

  private let writes = 50

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let files = try CapturedBookings(in: folder, synchronous: .full)
    let rows = Booking.rows(1000)
    for connection in [files.ours, files.baseline] {
      try connection.write { try Booking.insert(contentsOf: rows, $0) }
    }
    let measurement = try await Measurement.interleaved {
      try files.forget()
    } ours: {
      try change(rows, in: files.ours)
    } baseline: {
      try change(rows, in: files.baseline)
    }
    try files.expectCaptured(writes)
    return measurement
  }

  private func change(_ rows: [Booking], in connection: Connection) throws {
    for row in rows.prefix(writes) {
      _ = try connection.write { writer in
        try SQL("UPDATE bookings SET guests = guests + 1 WHERE id = \(row.id)").run(writer)
      }
    }
  }
}
