import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Two devices, on the second of which a large new scope arrives.
protocol ArrivingHarbour {
  var harbour: Harbour { get }
}

extension ArrivingHarbour {
  var anna: Ship { harbour.ships[0] }
  var ben: Ship { harbour.ships[1] }

  /// Returns two devices that have the charter c1 with a task. The first one has c2 with 101 tasks, which
  /// the second one has not pulled yet.
  static func makeHarbour() throws -> Harbour {
    let harbour = try Harbour(largeScopeRows: 20)
    try harbour.grant(.editor, to: harbour.ships[0], "c2")
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run(
      "INSERT INTO charters VALUES ('c1', 'Alma'), ('c2', 'Bora')",
      Task.insertion("t1", "Sails"),
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c2', 'Lines', 0 FROM c
      """)
    try harbour.settle()
    try harbour.grant(.editor, to: harbour.ships[1], "c2")
    return harbour
  }

  // MARK: - Steps

  func count(_ ship: Ship) throws -> Int {
    try ship.device.number("SELECT count(*) FROM tasks WHERE charterID = 'c2'")
  }

  /// Creates a charter with some tasks, on the server and on the first device.
  func fill(
    _ charter: String, _ numbers: ClosedRange<Int>, title: String = "Oars",
    in harbour: Harbour? = nil
  ) throws {
    let harbour = harbour ?? self.harbour
    let ship = harbour.ships[0]
    try harbour.grant(.editor, to: ship, charter)
    try ship.pullAll()
    try ship.run(
      "INSERT INTO charters VALUES (\(charter), 'Cora')",
      """
      WITH RECURSIVE c(n) AS (
        SELECT \(numbers.lowerBound) UNION ALL SELECT n + 1 FROM c WHERE n < \(numbers.upperBound))
      INSERT INTO tasks (id, charterID, title, votes)
      SELECT 't' || n, \(charter), \(title), 0 FROM c
      """)
    while try ship.push()?.hasMore == true {}
  }

  /// Pulls until everything is applied.
  /// - Returns: the number of rows before and after each pull.
  func counts(
    _ ship: Ship, _ query: SQL = "SELECT count(*) FROM tasks", limit: Int = 10
  ) throws -> [Int] {
    var counts = [0]
    for _ in 0..<200 {
      let isComplete = try ship.pull(limit: limit).isComplete
      counts.append(try ship.device.number(query))
      if isComplete { break }
    }
    return counts
  }

  func hasArrived(_ ship: Ship) throws -> Bool {
    let scope = try ScopeID(kind: "charter", value: "c2")
    return try ship.device.connection.read { reader in
      let hasArrived = try ship.replica.hasArrived(scope, reader)
      #expect(try ship.replica.status(reader).scopes[scope]?.hasArrived == hasArrived)
      return hasArrived
    }
  }

  /// Pulls until some of the tasks are shown.
  func begin(_ ship: Ship) throws {
    for _ in 0..<50 where try count(ship) == 0 { try ship.pull() }
    let shown = try count(ship)
    #expect(0 < shown && shown < 50)
    #expect(try !hasArrived(ship))
  }

  /// Pulls until everything is applied.
  /// - Parameter check: verifies the device after each pull but the last.
  /// - Returns: the number of tasks after each pull.
  func finish(_ ship: Ship, check: () throws -> Void = {}) throws -> [Int] {
    var counts: [Int] = []
    for _ in 0..<100 {
      let isComplete = try ship.pull().isComplete
      counts.append(try count(ship))
      if isComplete { break }
      try check()
    }
    return counts
  }

  func expectAlike(_ location: SourceLocation = #_sourceLocation) throws {
    try harbour.settle()
    #expect(try ben.content() == anna.content(), sourceLocation: location)
    #expect(try ben.isSettled() && hasArrived(ben), sourceLocation: location)
    let digests = try ben.device.connection.write { try ben.replica.digests($0) }
    for charter in ["c1", "c2"] {
      let scope = try ScopeID(kind: "charter", value: charter)
      #expect(digests[scope] == harbour.server.scope(scope).digest, sourceLocation: location)
    }
  }
}
