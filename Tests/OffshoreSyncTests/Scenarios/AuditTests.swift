import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// The digests of a device's rows, computed again from its tables.
struct AuditTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour()
    try anna.pullAll()
    try anna.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')",
      """
      INSERT INTO tasks (id, charterID, title, votes, items)
      VALUES ('t1', 'c1', 'Sails', 2, '{"a":1}')
      """)
    try harbour.settle()
  }

  /// Returns the digest of the only scope on a device and on the server.
  private func sums(_ ship: Ship) throws -> (device: Digest?, server: Digest) {
    let scope = try ScopeID("charter/c1")
    let digests = try ship.device.connection.write { try ship.replica.digests($0) }
    return (digests[scope], harbour.server.scope(scope).digest)
  }

  @Test func `The digest equals the server's if nothing is pending`() throws {
    for ship in [anna, ben] {
      let sums = try sums(ship)
      #expect(sums.device == sums.server)
    }
  }

  @Test func `A sealed change that is not confirmed does not count`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes'", "DELETE FROM charters WHERE id = 'c9'")
    _ = try ben.nextPush()
    let sums = try sums(ben)
    #expect(sums.device == sums.server)
  }

  @Test func `A row that was changed without the library's knowledge is detected`() throws {
    try ben.device.connection.write { writer in
      try SQL("UPDATE _state SET applying = 1").run(writer)
      try SQL("UPDATE tasks SET title = 'Ropes'").run(writer)
      try SQL("UPDATE _state SET applying = 0").run(writer)
    }
    let sums = try sums(ben)
    #expect(sums.device != sums.server)
  }

  @Test func `A refused edit of a column unknown to the row's author is reverted`() throws {
    let stranger = DeviceID(Ship.uuid(1, 9))
    let op = Op(
      .put, RowID(table: "tasks", id: "t2"),
      fields: ["charterID": "c1", "title": "Ropes", "votes": 0],
      stamp: Stamp(milliseconds: harbour.now, device: stranger))
    let batch = Batch(try ScopeID("charter/c1"), number: 1, id: Ship.uuid(4, 1), ops: [op])
    let request = PushRequest(
      device: stranger, epoch: 0, manifestVersion: 1, batches: [batch])
    _ = try harbour.answer(request, of: anna.account)
    try ben.pullAll()
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.run("UPDATE tasks SET note = 'mine' WHERE id = 't2'")
    try ben.push()
    #expect(try ben.device.texts("SELECT quote(note) FROM tasks WHERE id = 't2'") == ["NULL"])
    let sums = try sums(ben)
    #expect(sums.device == sums.server)
  }
}
