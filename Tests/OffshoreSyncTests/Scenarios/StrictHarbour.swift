import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// A harbour with two ships. The second has tables with more constraints than the first's.
struct StrictHarbour {
  let harbour: Harbour
  var anna: Ship { harbour.ships[0] }
  var ben: Ship { harbour.ships[1] }

  private static let strictLegs: SQL = """
    CREATE TABLE legs (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, name TEXT NOT NULL UNIQUE)
    """
  /// All columns are optional: a row without known values would be accepted.
  private static let strictStops: SQL = """
    CREATE TABLE stops (
      id TEXT PRIMARY KEY NOT NULL, legID TEXT REFERENCES legs ON DELETE SET NULL,
      place TEXT NOT NULL DEFAULT 'Sea' UNIQUE CHECK (place <> 'Atlantis'),
      charterID TEXT NOT NULL DEFAULT '')
    """

  /// Creates the leg l1 and the stops s1 at Vis and s2 at Hvar on both ships.
  init() throws {
    harbour = try Harbour(
      ships: 1, granting: ["c1", "c2"], schema: .voyages(),
      creating: [Leg.creation, Stop.creation, Crew.creation])
    harbour.add(
      try Ship(2, in: harbour, creating: [Self.strictLegs, Self.strictStops, Crew.creation]))
    for charter in ["c1", "c2"] { try harbour.grant(.editor, to: ben, charter) }
    try anna.pullAll()
    try anna.run(
      "INSERT INTO legs VALUES ('l1', 'c1', 'Out')",
      "INSERT INTO stops VALUES ('s1', 'l1', 'Vis', 'c1'), ('s2', NULL, 'Hvar', 'c1')")
    try harbour.settle()
  }

  /// Writes on Anna's ship, pushes, and pulls on Ben's.
  func anna(writes statements: SQL...) throws {
    try anna.device.connection.write { writer in
      for sql in statements { try sql.run(writer) }
    }
    while try anna.push()?.hasMore == true {}
    try ben.pullAll()
  }

  /// Returns the stops on Ben's ship, with their places.
  func stops() throws -> [String] {
    try ben.device.texts("SELECT id || ' ' || place FROM stops ORDER BY id")
  }

  func content(_ ship: Ship) throws -> [String] {
    try ship.device.texts(
      """
      SELECT 'leg ' || id || ' ' || charterID || ' ' || name FROM legs
      UNION ALL SELECT 'stop ' || id || ' ' || charterID || ' ' || ifnull(legID, '-') || ' '
        || place FROM stops
      UNION ALL SELECT 'crew ' || id || ' ' || legID || ' ' || person || ' ' || role FROM crew
      ORDER BY 1
      """)
  }

  /// Expects the confirmed rows of Ben's ship, shown or hidden, to equal the server's.
  func expectConfirmed(_ location: SourceLocation = #_sourceLocation) throws {
    let digests = try ben.device.connection.write { try ben.replica.digests($0) }
    for scope in [try ScopeID("charter/c1"), try ScopeID("charter/c2")] {
      #expect(
        digests[scope] ?? Digest() == harbour.server.scope(scope).digest,
        sourceLocation: location)
    }
  }

  /// Expects both ships to have the same rows, with nothing hidden or pending.
  func expectAlike(_ location: SourceLocation = #_sourceLocation) throws {
    try harbour.settle()
    #expect(try content(ben) == content(anna), sourceLocation: location)
    #expect(try ben.isSettled(), sourceLocation: location)
    try expectConfirmed(location)
  }
}
