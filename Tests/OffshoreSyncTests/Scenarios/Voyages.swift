import Offshore
import OffshoreSync

/// A part of a voyage.
struct Leg: Record {
  let id: String
  var charterID: String
  var name: String
  static let table = Table(
    "legs", Leg.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("name", \.name))
  static let creation: SQL = """
    CREATE TABLE legs (id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, name TEXT NOT NULL)
    """
}

/// A place to stop, with an optional leg.
struct Stop: Record {
  let id: String
  var legID: String?
  var place: String
  var charterID: String
  static let table = Table(
    "stops", Stop.init, Column("id", \.id).primaryKey(),
    Column("legID", \.legID).references("legs", onDelete: .setNull), Column("place", \.place),
    Column("charterID", \.charterID))
  static let creation: SQL = """
    CREATE TABLE stops (
      id TEXT PRIMARY KEY NOT NULL, legID TEXT REFERENCES legs ON DELETE SET NULL,
      place TEXT NOT NULL, charterID TEXT NOT NULL)
    """
}

/// A person aboard on a leg, at most once for each leg.
struct Crew: Record {
  let id: String
  var legID: String
  var person: String
  var role: String
  var charterID: String
  static let table = Table(
    "crew", Crew.init, Column("id", \.id).primaryKey(),
    Column("legID", \.legID).references("legs", onDelete: .cascade), Column("person", \.person),
    Column("role", \.role), Column("charterID", \.charterID)
  ).index(\.legID, \.person, isUnique: true)
  static let creation: SQL = """
    CREATE TABLE crew (
      id TEXT PRIMARY KEY NOT NULL, legID TEXT NOT NULL REFERENCES legs ON DELETE CASCADE,
      person TEXT NOT NULL, role TEXT NOT NULL, charterID TEXT NOT NULL, UNIQUE (legID, person))
    """
}

extension SyncSchema {
  /// Returns a schema with legs, stops and crew.
  static func voyages() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Leg.self, scope: .kind("charter", \.charterID)),
      SyncTable(Stop.self, scope: .kind("charter", \.charterID)),
      SyncTable(
        Crew.self, scope: .kind("charter", \.charterID), idSource: [\.legID, \.person]))
  }
}
