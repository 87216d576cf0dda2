import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// Two devices that change the same row without knowing of each other.
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

  /// Ends with both devices alike and nothing waiting.
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

  @Test func `Edits of different fields are both kept`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    try ben.run("UPDATE tasks SET note = 'old'")
    try settle()
    #expect(try values(anna) == ["Ropes old 1 {\"a\":1,\"b\":1}"])
  }

  @Test func `Edits of different keys and increments are both kept`() throws {
    try anna.run("UPDATE tasks SET items = '{\"a\":2,\"b\":1}', votes = votes + 5")
    try ben.run("UPDATE tasks SET items = '{\"a\":1,\"b\":1,\"c\":3}', votes = votes - 2")
    try settle()
    #expect(try values(anna) == ["Sails new 4 {\"a\":2,\"b\":1,\"c\":3}"])
  }

  @Test func `Who has lost is to pull what was decided, though no row has changed`() throws {
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

  @Test func `Of two edits of a field the later one stays, and the other is told of`() throws {
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

  @Test func `An edit counts as made when it was made, not when the network was back`() throws {
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

  @Test func `A deletion wins over an edit, whichever arrives first`() throws {
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
  func `An edit that is lost to a deletion is told of, whichever is first in time and on its way`(
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

  @Test func `A row that was deleted and made again is another row to edits of the first`() throws {
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

  @Test func `What was written in a long time without the network is all there`() throws {
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
  func `A clock that is a day wrong decides nothing`(error: Int64) throws {
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
