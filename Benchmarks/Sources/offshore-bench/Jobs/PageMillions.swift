import Offshore

/// Fetches pages of 20 rows of a list of 5,000,000 with UUID keys, sorted by a column of 10 values,
/// in both directions. The time is that of the slowest page.
struct PageMillions: Job {
  let name = "page-5m"
  let goal = Goal.milliseconds(must: 1)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let ours = try NumberedEntry.connection(in: folder)
    let pages = try ours.read { try Self.pages($0) }
    var result = Measurement()
    for round in -1..<Measurement.rounds {
      var slowest = 0.0
      for page in pages {
        let time = try await Measurement.milliseconds {
          let rows = try ours.read { try page.query.all($0) }
          try expect(rows.count == 20, "a whole page \(page.name)")
        }
        slowest = max(slowest, time)
      }
      if round >= 0 { result.ours.append(slowest) }
    }
    return result
  }

  /// Returns the first page, one in the middle of a group, and one at its end, in either direction.
  private static func pages(_ reader: Reader) throws -> [(
    name: String, query: Query<NumberedEntry>
  )] {
    let ascending = NumberedEntry.order { $0.kind }.limit(20)
    let descending = NumberedEntry.order { $0.kind.descending }.limit(20)
    return try [ascending, descending].flatMap { list in
      try [0, 250_000, 499_990].map { depth in
        let start = try NumberedEntry.where { $0.kind == 5 }.order { $0.id }.offset(depth).first(
          reader)
        guard let start else { throw WrongResult(description: "There is no row \(depth).") }
        return ("after row \(depth) of a group", list.after(start))
      } + [("at the start", list)]
    }
  }
}
