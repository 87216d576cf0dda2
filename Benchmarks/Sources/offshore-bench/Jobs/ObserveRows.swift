import Offshore
import Synchronization

/// Measures 1,000 observations of one row each, and a write to one of the rows: from the call of
/// the write, which waits for the disk, to the delivery of the changed row. No other observation
/// may fetch again.
struct ObserveRows: Job {
  let name = "observe-1000"
  let goal = Goal.milliseconds(must: 1)

  private let count = 1000
  private let rounds = 200

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let database = try Database(folder.file("observed.sqlite"))
    var rows = Booking.rows(count)
    try await database.write { [rows] writer in
      try SQL(raw: Booking.creation).run(writer)
      try Booking.insert(contentsOf: rows, writer)
    }
    let fetches = FetchCounter()
    var observers = rows.map { row in
      database.values { reader in
        fetches.increment()
        return try Booking.find(row.id).first(reader)
      }.makeAsyncIterator()
    }
    for index in observers.indices {
      try expect(try await observers[index].next() == rows[index], "each row at once")
    }
    let before = fetches.value
    var measurement = Measurement()
    for round in 0..<rounds {
      let index = round * 7 % count
      rows[index].rank += 1_000_000
      let row = rows[index]
      var seen: Booking??
      measurement.ours.append(
        try await Measurement.milliseconds {
          try await database.write { try row.update($0) }
          seen = try await observers[index].next()
        })
      try expect(seen == row, "the changed row")
    }
    measurement.counts["refetches"] = .init(found: fetches.value - before, expected: rounds)
    await database.close()
    return measurement
  }
}

/// Counts fetches on the threads of the readers.
private final class FetchCounter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock(\.self) }
  func increment() { count.withLock { $0 += 1 } }
}
