import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Rows of a new scope that the device already has in another one.
struct KnownRowTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  /// Two devices have charter c1 with the task m. The account of the second one is about to read c2,
  /// to which the first one has moved the task, between others.
  init() throws {
    harbour = try Harbour()
    try harbour.grant(.editor, to: harbour.ships[0], "c2")
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run(
      "INSERT INTO charters VALUES ('c1', 'Alma'), ('c2', 'Bora')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('m', 'c1', 'Sails', 0)")
    try harbour.settle()
  }

  private func moveBetweenOthers() throws {
    try anna.run(
      "UPDATE tasks SET charterID = 'c2', title = 'Ropes' WHERE id = 'm'",
      """
      INSERT INTO tasks (id, charterID, title, votes)
      VALUES ('a', 'c2', 'Lines', 0), ('b', 'c2', 'Lines', 0), ('y', 'c2', 'Lines', 0),
        ('z', 'c2', 'Lines', 0)
      """)
    while try anna.push()?.hasMore == true {}
    try harbour.grant(.editor, to: ben, "c2")
  }

  /// Pulls c2 before c1, whose copy on the device still has the task.
  private func pullNewScope() throws {
    try ben.pull()
    let scope = try ScopeID(kind: "charter", value: "c2")
    let request = try ben.device.connection.read {
      try ben.replica.nextPull($0, of: [scope], limit: 10)
    }
    _ = try ben.take(try harbour.answer(request, of: ben.account), to: request)
  }

  private func expectAlike(_ location: SourceLocation = #_sourceLocation) throws {
    try harbour.settle()
    #expect(try ben.content() == anna.content(), sourceLocation: location)
    let digests = try ben.device.connection.write { try ben.replica.digests($0) }
    for charter in ["c1", "c2"] {
      let scope = try ScopeID(kind: "charter", value: charter)
      #expect(digests[scope] == harbour.server.scope(scope).digest, sourceLocation: location)
    }
    #expect(try ben.device.number("SELECT sum(repairs) FROM _cursor") == 0)
  }

  @Test func `A row that the device shows in another scope does not keep the others away`() throws {
    try moveBetweenOthers()
    try pullNewScope()
    // Until c1 is pulled, the row is in both scopes.
    #expect(Set(try ben.titles().keys) == ["a", "b", "m", "y", "z"])
    try expectAlike()
    #expect(try ben.titles()["m"] == "Ropes")
  }

  @Test func `A row that the device has hidden in another scope is shown once`() throws {
    try ben.device.run("CREATE UNIQUE INDEX one_title ON tasks (title)")
    try anna.run("INSERT INTO tasks (id, charterID, title, votes) VALUES ('n', 'c1', 'Sails', 0)")
    while try anna.push()?.hasMore == true {}
    try ben.pullAll()
    #expect(try ben.device.number("SELECT count(*) FROM _shadow WHERE reason IS NOT NULL") == 1)
    try anna.run("UPDATE tasks SET charterID = 'c2', title = 'Ropes' WHERE id IN ('m')")
    try anna.run("UPDATE tasks SET charterID = 'c2', title = 'Knots' WHERE id IN ('n')")
    while try anna.push()?.hasMore == true {}
    try harbour.grant(.editor, to: ben, "c2")
    try pullNewScope()
    try expectAlike()
    #expect(try ben.titles() == ["m": "Ropes", "n": "Knots"])
  }

  @Test func `A row that left the device is new again in a later scope`() throws {
    try anna.run("UPDATE tasks SET charterID = 'c2' WHERE id = 'm'")
    while try anna.push()?.hasMore == true {}
    try ben.pullAll()
    #expect(try ben.titles() == [:])
    try harbour.grant(.editor, to: ben, "c2")
    try pullNewScope()
    #expect(try ben.titles() == ["m": "Sails"])
    try expectAlike()
  }
}
