import Foundation
import Offshore

/// A row that refers to a booking.
struct Stop: Identifiable, Equatable, Sendable {
  let id: Int
  let bookingID: UUID
  var harbor: String
  var nights: Int
}

extension Stop: Record {
  static let table = Table(
    "stops", Stop.init, Column("id", \.id).primaryKey(),
    Column("bookingID", \.bookingID).references("bookings", column: "id"),
    Column("harbor", \.harbor), Column("nights", \.nights))

  static let creation = """
    CREATE TABLE stops (
      id INTEGER PRIMARY KEY NOT NULL, bookingID TEXT NOT NULL REFERENCES bookings(id),
      harbor TEXT NOT NULL, nights INTEGER NOT NULL)
    """

  /// Opens a file of ours and one of the baseline's, each with bookings and ten times as many
  /// stops.
  static func connections(
    in folder: BenchFolder, bookings count: Int
  ) throws -> (ours: Connection, baseline: BaselineConnection) {
    let (ours, baseline) = try Booking.connections(in: folder)
    let bookings = Booking.rows(count)
    let stops = (0..<count * 10).map {
      Stop(
        id: $0, bookingID: bookings[$0 % count].id, harbor: "Harbor \($0 % 50)", nights: $0 % 4)
    }
    try ours.write { writer in
      try SQL(raw: creation).run(writer)
      try Booking.insert(contentsOf: bookings, writer)
      try Stop.insert(contentsOf: stops, writer)
    }
    try baseline.execute(creation)
    try baseline.insert(bookings)
    try baseline.insert(stops)
    return (ours, baseline)
  }
}
