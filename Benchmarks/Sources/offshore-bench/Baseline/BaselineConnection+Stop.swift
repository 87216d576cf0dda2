import CSQLite

extension BaselineConnection {
  /// Fetches all stops with their bookings, inside a read transaction.
  func fetchStops() throws -> [(stop: Stop, booking: Booking)] {
    let columns = Self.columns.split(separator: ", ").map { "bookings.\($0)" }
    return try fetch(
      """
      SELECT \(columns.joined(separator: ", ")), stops.id, stops.bookingID, stops.harbor, stops.nights
      FROM stops JOIN bookings ON bookings.id = stops.bookingID
      """
    ) { row in
      let stop = Stop(
        id: try row.integer(10), bookingID: try row.uuid(11), harbor: try row.text(12),
        nights: try row.integer(13))
      return (stop, try booking(row))
    }
  }

  /// Sums the nights by harbor and by guests, inside a read transaction.
  func nights() throws -> [Nights] {
    try fetch(
      """
      SELECT stops.harbor, bookings.guests, sum(stops.nights), count(*)
      FROM stops JOIN bookings ON bookings.id = stops.bookingID
      GROUP BY stops.harbor, bookings.guests HAVING count(*) > 1
      """
    ) { row in
      Nights(
        harbor: try row.text(0), guests: try row.integer(1), nights: try row.integer(2),
        count: try row.integer(3))
    }
  }

  private func fetch<Value>(_ sql: String, _ read: (BaselineRow) throws -> Value) throws -> [Value]
  {
    try transaction("BEGIN") {
      try withStatement(sql) { statement in
        let row = BaselineRow(statement: statement)
        var values: [Value] = []
        while true {
          let code = sqlite3_step(statement)
          if code == SQLITE_DONE { return values }
          guard code == SQLITE_ROW else { throw BaselineError(code: code, column: nil) }
          values.append(try read(row))
        }
      }
    }
  }

  /// Inserts stops in one transaction.
  func insert(_ stops: [Stop]) throws {
    try transaction("BEGIN IMMEDIATE") {
      try withStatement("INSERT INTO stops VALUES (?, ?, ?, ?)") { statement in
        let parameters = BaselineParameters(statement: statement)
        for stop in stops {
          try parameters.bind(stop.id, 1)
          try parameters.bind(stop.bookingID, 2)
          try parameters.bind(stop.harbor, 3)
          try parameters.bind(stop.nights, 4)
          let code = sqlite3_step(statement)
          guard code == SQLITE_DONE else { throw BaselineError(code: code, column: nil) }
          sqlite3_reset(statement)
        }
      }
    }
  }
}
