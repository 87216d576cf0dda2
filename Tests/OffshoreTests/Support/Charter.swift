import Foundation
import Offshore

/// A record with a key, texts, dates and an optional, for most tests.
struct Charter: Identifiable, Equatable, Sendable {
  let id: UUID
  var name: String
  var location: String?
  var startDate: Date
  var guests: Int

  init(id: UUID, name: String, location: String?, startDate: Date, guests: Int) {
    self.id = id
    self.name = name
    self.location = location
    self.startDate = startDate
    self.guests = guests
  }

  init(_ name: String, location: String? = nil, day: Double = 0, guests: Int = 6) {
    self.init(
      id: UUID(), name: name, location: location,
      startDate: Date(timeIntervalSinceReferenceDate: day * 86_400), guests: guests)
  }
}

extension Charter: Record {
  static let table = Table(
    "charters", Charter.init(id:name:location:startDate:guests:),
    Column("id", \.id).primaryKey(),
    Column("name", \.name),
    Column("location", \.location),
    Column("startDate", \.startDate),
    Column("guests", \.guests))

  static let creation: SQL = """
    CREATE TABLE charters (
      id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, location TEXT, startDate REAL NOT NULL,
      guests INTEGER NOT NULL)
    """
}
