import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// Concurrent changes of two devices to the same row.
struct ConcurrentEditTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour()
    try anna.pullAll()
    try anna.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')",
      """
      INSERT INTO tasks (id, charterID, title, note, votes, items)
      VALUES ('t1', 'c1', 'Sails', 'new', 1, '{"a":1,"b":1}')
      """)
    try harbour.settle()
  }

  /// Syncs, and expects both devices to be equal, with nothing pending.
  private func settle() throws {
    try harbour.settle()
    #expect(try anna.content() == ben.content())
    #expect(try anna.isSettled() && ben.isSettled())
    #expect(try anna.dead() == [] && ben.dead() == [])
  }

  private func values(_ ship: Ship) throws -> [String] {
    try ship.device.texts(
      "SELECT title || ' ' || ifnull(note, '-') || ' ' || votes || ' ' || items FROM tasks")
  }

  @Test func `Edits of different fields both apply`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    try ben.run("UPDATE tasks SET note = 'old'")
    try settle()
    #expect(try values(anna) == ["Ropes old 1 {\"a\":1,\"b\":1}"])
  }

  @Test func `Edits of different keys and increments both apply`() throws {
    try anna.run("UPDATE tasks SET items = '{\"a\":2,\"b\":1}', votes = votes + 5")
    try ben.run("UPDATE tasks SET items = '{\"a\":1,\"b\":1,\"c\":3}', votes = votes - 2")
    try settle()
    #expect(try values(anna) == ["Sails new 4 {\"a\":2,\"b\":1,\"c\":3}"])
  }

  @Test func `A device whose edit loses must pull, although no row has changed`() throws {
    try ben.run("UPDATE tasks SET title = 'Lines'")
    harbour.now += 1000
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    try anna.push()
    let request = try #require(try ben.nextPush())
    try ben.pullAll()
    let report = try ben.take(try harbour.answer(request, of: ben.account), to: request)
    #expect(report.applied == 1 && report.heads.count == 1)
    try settle()
    #expect(try ben.titles() == ["t1": "Ropes"])
  }

  @Test func `Of two edits of a field the later one wins, and the conflict is reported`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    try anna.push()
    harbour.now += 1000
    try ben.run("UPDATE tasks SET title = 'Lines'")
    try settle()
    #expect(try anna.titles() == ["t1": "Lines"])
    for ship in harbour.ships {
      let conflicts = try ship.device.connection.read {
        try ship.replica.conflicts(of: RowID(table: "tasks", id: "t1"), $0)
      }
      #expect(conflicts.map(\.losing) == ["Ropes"] && conflicts.map(\.reason) == [.later])
    }
  }

  @Test func `An edit has the time of its write, not the time of its push`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    harbour.now += 3_600_000
    try ben.run("UPDATE tasks SET title = 'Lines'")
    try ben.push()
    harbour.now += 3_600_000
    #expect(try anna.oldest() == harbour.now - 7_200_001)
    try settle()
    #expect(try anna.titles() == ["t1": "Lines"])
    #expect(try anna.oldest() == nil)
  }

  @Test func `A deletion wins over an edit, in any order of arrival`() throws {
    try anna.run("DELETE FROM tasks")
    try ben.run("UPDATE tasks SET title = 'Lines'")
    try ben.push()
    try settle()
    #expect(try anna.titles() == [:])
    try anna.run("INSERT INTO tasks (id, charterID, title, votes) VALUES ('t2', 'c1', 'Sails', 0)")
    try settle()
    try anna.run("DELETE FROM tasks")
    try ben.run("UPDATE tasks SET title = 'Lines'")
    try anna.push()
    try settle()
    #expect(try ben.titles() == [:])
  }

  @Test(arguments: [0, 1], [0, 1])
  func `A conflict of an edit with a deletion is reported in any order of writing and arrival`(
    earlier: Int, sooner: Int
  ) throws {
    let statements = ["UPDATE tasks SET title = 'Lines'", "DELETE FROM tasks"] as [SQL]
    try ben.run("UPDATE tasks SET note = 'old'")
    try settle()
    for number in [earlier, 1 - earlier] {
      harbour.now += 1000
      try harbour.ships[number].run(statements[number])
    }
    try harbour.ships[sooner].push()
    try settle()
    #expect(try anna.titles() == [:])
    for ship in harbour.ships {
      let conflicts = try ship.device.connection.read {
        try ship.replica.conflicts(of: RowID(table: "tasks", id: "t1"), $0)
      }
      #expect(conflicts.map(\.losing) == ["Lines"] && conflicts.map(\.winning) == [nil])
      #expect(conflicts.map(\.reason) == [.ended])
    }
  }

  @Test func `Edits of a deleted row do not apply to a row inserted again under its id`() throws {
    try ben.run("UPDATE tasks SET title = 'Lines', votes = 9")
    try anna.run("DELETE FROM tasks")
    try anna.push()
    try anna.run("INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c1', 'Oars', 0)")
    try settle()
    #expect(try ben.titles() == ["t1": "Oars"])
    #expect(try ben.device.number("SELECT votes FROM tasks") == 0)
    try ben.run("UPDATE tasks SET title = 'Oar'")
    try settle()
    #expect(try anna.titles() == ["t1": "Oar"])
  }

  @Test func `All writes of a long time without the network are applied`() throws {
    for number in 0..<60 {
      let (a, b) = ("a\(number)", "b\(number)")
      try anna.run(
        "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(a), 'c1', 'Sails', 0)",
        "UPDATE tasks SET votes = votes + 1 WHERE id = 't1'")
      try ben.run(
        "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(b), 'c1', 'Ropes', 0)",
        "UPDATE tasks SET votes = votes + 1 WHERE id = 't1'")
      harbour.now += 3_600_000
    }
    try settle()
    #expect(try anna.titles().count == 121)
    #expect(try anna.device.number("SELECT votes FROM tasks WHERE id = 't1'") == 121)
  }

  @Test(arguments: [-86_400_000, 86_400_000] as [Int64])
  func `A clock that is a day off does not decide a conflict`(error: Int64) throws {
    harbour.now += 100_000_000
    ben.clockError = error
    try ben.pullAll()
    try anna.pullAll()
    try ben.run("UPDATE tasks SET title = 'Lines'")
    _ = try ben.nextPush()
    harbour.now += 5000
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    try settle()
    #expect(try ben.titles() == ["t1": "Ropes"])
    try ben.run("UPDATE tasks SET title = 'Knots'")
    try settle()
    #expect(try anna.titles() == ["t1": "Knots"])
  }
}
