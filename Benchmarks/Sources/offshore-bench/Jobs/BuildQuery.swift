import Offshore

/// Fetches 20 rows 2,000 times by a query that is built each time, compared with the same SQL as a
/// literal.
struct BuildQuery: Job {
  let name = "query-20"
  let goal = Goal.timeRatio(must: 1.5, aim: 1.3)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let ours = try Booking.connections(in: folder).ours
    let rows = Booking.rows(100_000)
    try ours.write { try Booking.insert(contentsOf: rows, $0) }
    try ours.execute("CREATE INDEX bookings_rank ON bookings (rank, id)")
    func query(_ rank: Int) -> Query<Booking> {
      Booking.where { $0.rank >= rank && $0.isActive }.order { $0.rank }.limit(20)
    }
    try expect(Self.literal(0).text == query(0).sql.text, "the literal to be the query's SQL")
    return try await Measurement.interleaved {
      let count = try ours.read { reader in
        try Self.ranks.reduce(0) { try $0 + query($1).all(reader).count }
      }
      try expect(count == Self.ranks.count * 20, "20 rows each")
    } baseline: {
      let count = try ours.read { reader in
        try Self.ranks.reduce(0) {
          try $0 + Self.literal($1).all(reader, as: Booking.self).count
        }
      }
      try expect(count == Self.ranks.count * 20, "20 rows each")
    }
  }

  private static func literal(_ rank: Int) -> SQL {
    """
    SELECT "id", "name", "place", "note", "start", "end", "guests", "rank", "isActive", "isArchived" \
    FROM "bookings" WHERE "bookings"."rank" >= \(rank) AND "bookings"."isActive" \
    ORDER BY "bookings"."rank", "bookings"."id" LIMIT \(20)
    """
  }

  private static let ranks = (0..<2_000).map { $0 * 40 }
}
