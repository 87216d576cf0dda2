import Offshore
import OffshoreSync

/// Initial states that several suites share.
extension Harbour {
  /// Returns a harbour with the charters c1 and c2, with a task each, on both devices.
  static func withTwoCharters() throws -> Harbour {
    let harbour = try Harbour(granting: ["c1", "c2"])
    try harbour.ships[0].pullAll()
    for charter in ["c1", "c2"] {
      try harbour.ships[0].run(
        "INSERT INTO charters VALUES (\(charter), 'Alma')",
        """
        INSERT INTO tasks (id, charterID, title, votes)
        VALUES ('t-' || \(charter), \(charter), 'Sails', 0)
        """)
    }
    try harbour.settle()
    return harbour
  }

  /// Returns a harbour with a charter's leg on both devices.
  static func withLeg() throws -> Harbour {
    let harbour = try Harbour(
      schema: .voyages(), creating: [Leg.creation, Stop.creation, Crew.creation])
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run("INSERT INTO legs VALUES ('l1', 'c1', 'Out')")
    try harbour.settle()
    return harbour
  }
}
