import CSQLite
import Foundation

extension BaselineConnection {
  static let columns =
    "id, name, place, note, start, \"end\", guests, rank, isActive, isArchived"

  /// Fetches all rows, inside a read transaction.
  func fetchBookings() throws -> [Booking] {
    try transaction("BEGIN") {
      try withStatement("SELECT \(Self.columns) FROM bookings") { statement in
        let row = BaselineRow(statement: statement)
        var bookings: [Booking] = []
        while true {
          let code = sqlite3_step(statement)
          if code == SQLITE_DONE { return bookings }
          guard code == SQLITE_ROW else { throw BaselineError(code: code, column: nil) }
          bookings.append(try booking(row))
        }
      }
    }
  }

  /// Passes all rows to a closure, inside a read transaction.
  func forEachBooking(_ body: (Booking) throws -> Void) throws {
    try transaction("BEGIN") {
      try withStatement("SELECT \(Self.columns) FROM bookings") { statement in
        let row = BaselineRow(statement: statement)
        while true {
          let code = sqlite3_step(statement)
          if code == SQLITE_DONE { return }
          guard code == SQLITE_ROW else { throw BaselineError(code: code, column: nil) }
          try body(try booking(row))
        }
      }
    }
  }

  /// Fetches rows one by one by their keys, with a statement prepared once, inside a read
  /// transaction.
  /// - Returns: The number of rows.
  func fetchBookings(_ ids: [UUID]) throws -> Int {
    try transaction("BEGIN") {
      try withStatement("SELECT \(Self.columns) FROM bookings WHERE id = ?") { statement in
        let (row, parameters) = (
          BaselineRow(statement: statement), BaselineParameters(statement: statement)
        )
        return try ids.count { id in
          defer { sqlite3_reset(statement) }
          try parameters.bind(id, 1)
          let code = sqlite3_step(statement)
          if code == SQLITE_DONE { return false }
          guard code == SQLITE_ROW else { throw BaselineError(code: code, column: nil) }
          return try booking(row).id == id
        }
      }
    }
  }

  /// Inserts rows in one transaction.
  func insert(_ bookings: [Booking]) throws {
    try transaction("BEGIN IMMEDIATE") {
      let sql = "INSERT INTO bookings (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
      try withStatement(sql) { statement in
        let parameters = BaselineParameters(statement: statement)
        for booking in bookings {
          try bind(booking, parameters)
          let code = sqlite3_step(statement)
          guard code == SQLITE_DONE else { throw BaselineError(code: code, column: nil) }
          sqlite3_reset(statement)
        }
      }
    }
  }

  @inline(__always)
  func booking(_ row: BaselineRow) throws -> Booking {
    Booking(
      id: try row.uuid(0), name: try row.text(1), place: try row.optionalText(2),
      note: try row.text(3), start: try row.date(4), end: try row.optionalDate(5),
      guests: try row.integer(6), rank: try row.integer(7), isActive: try row.boolean(8),
      isArchived: try row.boolean(9))
  }

  /// Writes all columns of rows one by one, with a statement prepared once, in one transaction.
  func update(_ bookings: [Booking]) throws {
    try transaction("BEGIN IMMEDIATE") {
      let sql = """
        UPDATE bookings SET name = ?2, place = ?3, note = ?4, start = ?5, "end" = ?6, guests = ?7,
        rank = ?8, isActive = ?9, isArchived = ?10 WHERE id = ?1
        """
      try withStatement(sql) { statement in
        let parameters = BaselineParameters(statement: statement)
        for booking in bookings {
          try bind(booking, parameters)
          let code = sqlite3_step(statement)
          guard code == SQLITE_DONE else { throw BaselineError(code: code, column: nil) }
          guard sqlite3_changes(handle) == 1 else { throw BaselineError(code: 0, column: nil) }
          sqlite3_reset(statement)
        }
      }
    }
  }

  @inline(__always)
  private func bind(_ booking: Booking, _ parameters: BaselineParameters) throws {
    try parameters.bind(booking.id, 1)
    try parameters.bind(booking.name, 2)
    try parameters.bind(booking.place, 3)
    try parameters.bind(booking.note, 4)
    try parameters.bind(booking.start, 5)
    try parameters.bind(booking.end, 6)
    try parameters.bind(booking.guests, 7)
    try parameters.bind(booking.rank, 8)
    try parameters.bind(booking.isActive, 9)
    try parameters.bind(booking.isArchived, 10)
  }
}
