import Foundation
import Offshore

/// A row of ten columns of the usual types, three of them optional or long enough to be on the
/// heap.
struct Booking: Identifiable, Equatable, Sendable {
  let id: UUID
  var name: String
  var place: String?
  var note: String
  var start: Date
  var end: Date?
  var guests: Int
  var rank: Int
  var isActive: Bool
  var isArchived: Bool
}

extension Booking: Record {
  static let table = Table(
    "bookings", Booking.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name),
    Column("place", \.place),
    Column("note", \.note),
    Column("start", \.start),
    Column("end", \.end),
    Column("guests", \.guests),
    Column("rank", \.rank),
    Column("isActive", \.isActive),
    Column("isArchived", \.isArchived))

  static let creation = """
    CREATE TABLE bookings (
      id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, place TEXT, note TEXT NOT NULL,
      start REAL NOT NULL, "end" REAL, guests INTEGER NOT NULL, rank INTEGER NOT NULL,
      isActive INTEGER NOT NULL, isArchived INTEGER NOT NULL)
    """

  /// Creates rows that differ from each other.
  static func rows(_ count: Int) -> [Booking] {
    (0..<count).map { index in
      Booking(
        id: UUID(), name: "Booking number \(index)",
        place: index.isMultiple(of: 3) ? nil : "Biograd na Moru",
        note: "a note that is longer than what fits in a string itself, \(index)",
        start: Date(timeIntervalSinceReferenceDate: Double(index) * 1000.5),
        end: index.isMultiple(of: 2) ? nil : Date(timeIntervalSinceReferenceDate: Double(index)),
        guests: index % 12, rank: index, isActive: index.isMultiple(of: 2), isArchived: false)
    }
  }
}
