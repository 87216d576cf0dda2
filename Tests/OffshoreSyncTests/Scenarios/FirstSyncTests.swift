import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// A new device that pulls two charters in many pages while another device changes them.
struct FirstSyncTests {
  private let harbour: Harbour
  private let carla: Ship
  private var anna: Ship { harbour.ships[0] }

  /// Creates two charters with nine stops each, and a device that may edit both.
  init() throws {
    let tables = [Leg.creation, Stop.creation, Crew.creation]
    harbour = try Harbour(
      ships: 1, granting: ["c1", "c2"], schema: .voyages(), creating: tables)
    carla = try Ship(2, in: harbour, creating: tables)
    harbour.add(carla)
    for charter in ["c1", "c2"] { try harbour.grant(.editor, to: carla, charter) }
    try anna.pullAll()
    for (charter, first) in [("c1", 1), ("c2", 11)] {
      for number in first..<(first + 9) {
        try anna.run(
          "INSERT INTO stops VALUES (\("s\(number + 10)"), NULL, \("Stop \(number)"), \(charter))")
      }
    }
    while try anna.push()?.hasMore == true {}
  }

  private func anna(writes statements: SQL...) throws {
    for statement in statements { try anna.run(statement) }
    while try anna.push()?.hasMore == true {}
  }

  private func stops(_ ship: Ship) throws -> [String] {
    try ship.device.texts("SELECT id || ' ' || charterID || ' ' || place FROM stops ORDER BY id")
  }

  private func expectAlike(_ location: SourceLocation = #_sourceLocation) throws {
    try carla.pullAll(limit: 2)
    #expect(try stops(carla) == stops(anna), sourceLocation: location)
    #expect(try carla.isSettled(), sourceLocation: location)
    let digests = try carla.device.connection.write { try carla.replica.digests($0) }
    for charter in ["c1", "c2"] {
      let scope = try ScopeID(kind: "charter", value: charter)
      #expect(digests[scope] == harbour.server.scope(scope).digest, sourceLocation: location)
    }
  }

  @Test func `Rows changed, deleted or inserted after their page was pulled end up current`() throws
  {
    for _ in 0..<4 { try carla.pull(limit: 2) }
    try anna(
      writes: "UPDATE stops SET place = 'Changed' WHERE id IN ('s11', 's12', 's22')",
      "DELETE FROM stops WHERE id IN ('s13', 's23')",
      "INSERT INTO stops VALUES ('s05', NULL, 'New', 'c1'), ('s40', NULL, 'New', 'c1')",
      "UPDATE stops SET place = 'Changed again' WHERE id IN ('s40', 's05')")
    try expectAlike()
  }

  @Test(arguments: [("c1", "c2"), ("c2", "c1")])
  func `Rows that move while they are pulled appear once`(from: String, to: String) throws {
    for _ in 0..<4 { try carla.pull(limit: 2) }
    try anna(
      writes: "UPDATE stops SET charterID = \(to) WHERE charterID = \(from) AND id LIKE '%1'",
      "INSERT INTO stops VALUES ('s99', NULL, 'Last', \(from))",
      "UPDATE stops SET charterID = \(to) WHERE id = 's99'")
    try expectAlike()
  }

  @Test func `A row deleted and inserted again during a pull has its new values`() throws {
    for _ in 0..<4 { try carla.pull(limit: 2) }
    try anna(writes: "DELETE FROM stops WHERE id IN ('s11', 's29')")
    try anna(
      writes:
        "INSERT INTO stops VALUES ('s29', NULL, 'Another', 'c2'), ('s11', NULL, 'Another', 'c1')")
    try expectAlike()
  }
}
