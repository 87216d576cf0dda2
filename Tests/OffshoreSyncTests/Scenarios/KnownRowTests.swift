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

  // MARK: - Several new scopes

  /// Lets Ben read c2 and c3, of which nothing was pulled.
  /// - Returns: the request of the next pull of both.
  private func requestNewScopes() throws -> PullRequest {
    for name in ["c2", "c3"] { try harbour.grant(.editor, to: ben, name) }
    try ben.pull()
    let scopes = try Set(["c2", "c3"].map { try ScopeID(kind: "charter", value: $0) })
    return try ben.device.connection.read {
      try ben.replica.nextPull($0, of: scopes, limit: 10)
    }
  }

  private func beginC3() throws {
    try harbour.grant(.editor, to: anna, "c3")
    try anna.pullAll()
    try anna.run("INSERT INTO charters VALUES ('c3', 'Cora')")
  }

  @Test func `Rows of new scopes that collide do not keep the others away`() throws {
    try ben.device.run("CREATE UNIQUE INDEX one_title ON tasks (title)")
    try beginC3()
    try anna.run(
      """
      INSERT INTO tasks (id, charterID, title, votes)
      VALUES ('a', 'c2', 'Lines', 0), ('b', 'c3', 'Lines', 0), ('c', 'c2', 'Sails', 0),
        ('d', 'c3', 'Ropes', 0), ('e', 'c2', 'Knots', 0)
      """)
    while try anna.push()?.hasMore == true {}
    let request = try requestNewScopes()
    _ = try ben.take(try harbour.answer(request, of: ben.account), to: request)
    let shown = Set(try ben.titles().keys)
    #expect(shown.isSuperset(of: ["d", "e", "m"]) && shown.count == 4)
    try anna.run("UPDATE tasks SET title = 'Flags' WHERE id IN ('b')")
    try anna.run("UPDATE tasks SET title = 'Masts' WHERE id IN ('c')")
    while try anna.push()?.hasMore == true {}
    try expectAlike()
    #expect(try ben.titles().count == 6)
  }

  @Test func `A row that is in two new scopes at once is shown once`() throws {
    try beginC3()
    try anna.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('a', 'c2', 'Lines', 0)",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('b', 'c2', 'Knots', 0)")
    while try anna.push()?.hasMore == true {}
    let request = try requestNewScopes()
    let before = try harbour.answer(request, of: ben.account)
    try anna.run("UPDATE tasks SET charterID = 'c3', title = 'Ropes' WHERE id = 'a'")
    while try anna.push()?.hasMore == true {}
    let after = try harbour.answer(request, of: ben.account)
    let both = before.with([before.scopes[0], after.scopes[1]])
    _ = try ben.take(both, to: request)
    #expect(Set(try ben.titles().keys) == ["a", "b", "m"])
    try expectAlike()
    #expect(try ben.titles()["a"] == "Ropes")
  }

  @Test func `An answer with a scope twice is applied`() throws {
    try beginC3()
    try anna.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('a', 'c2', 'Lines', 0)")
    while try anna.push()?.hasMore == true {}
    let request = try requestNewScopes()
    let answer = try harbour.answer(request, of: ben.account)
    let twice = answer.with(answer.scopes + [answer.scopes[1], answer.scopes[0]])
    _ = try ben.take(twice, to: request)
    try harbour.settle()
    #expect(try ben.content() == anna.content())
  }
}

extension PullResponse {
  /// The answer with other scopes.
  fileprivate func with(_ scopes: [ScopeAnswer]) -> PullResponse {
    PullResponse(
      serverTime: serverTime, epoch: epoch, capabilities: capabilities, grants: grants,
      scopes: scopes)
  }
}
