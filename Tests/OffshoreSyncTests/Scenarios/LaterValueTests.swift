import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Edits that are sent or made again after the user of the device has changed the same columns again.
struct LaterValueTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour.withTask(attemptLimits: [.forbidden: 4])
  }

  /// Lets the server refuse what a ship sends now, because it may only read for a moment.
  private func refuse(_ ship: Ship, in harbour: Harbour) throws {
    try harbour.grant(.viewer, to: ship, "c1")
    #expect(try ship.push()?.rejected == 1)
    try harbour.grant(.editor, to: ship, "c1")
  }

  private static let edit: SQL =
    "UPDATE tasks SET title = 'Lines', note = 'Dry', votes = votes + 1 WHERE id = 't1'"
  private static let laterEdit: SQL = "UPDATE tasks SET title = 'Knots' WHERE id = 't1'"

  // MARK: - Postponed edits

  /// Lets the server refuse an edit of anna for a moment, and then anna see that ben has changed the title.
  private func postpone() throws {
    try anna.run(Self.edit)
    try refuse(anna, in: harbour)
    harbour.now += 10
    try ben.run("UPDATE tasks SET title = 'Cords' WHERE id = 't1'")
    try ben.push()
    try anna.pullAll()
    #expect(try anna.titles() == ["t1": "Cords"])
  }

  /// Checks that all devices get the later title, and the other values of the postponed edit.
  private func expectBoth() throws {
    #expect(try anna.titles() == ["t1": "Knots"])
    harbour.now += 10_000
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.device.texts("SELECT title || note || votes FROM tasks") == ["KnotsDry1"])
      #expect(try ship.isSettled() && ship.dead() == [])
    }
  }

  /// The progress of the later edit when the postponed one is sent again.
  enum Progress: CaseIterable {
    case answered, pulled, pulledWithoutAnswer, fetchedAgain, unanswered
  }

  @Test(arguments: Progress.allCases)
  func `A postponed edit does not replace a later one`(progress: Progress) throws {
    try postpone()
    try anna.run(Self.laterEdit)
    switch progress {
    case .answered: try anna.push()
    case .pulled:
      try anna.push()
      try anna.pullAll()
    case .pulledWithoutAnswer:
      try anna.push(losingAnswer: true)
      try anna.pullAll()
    case .fetchedAgain:
      try anna.push(losingAnswer: true)
      try harbour.collect()
      // The device was away for longer than the retention.
      try anna.run("UPDATE _cursor SET seq = 0")
      try anna.pullAll()
    case .unanswered:
      _ = try anna.nextPush()
      harbour.now += 10_000
      let request = try #require(try anna.nextPush())
      #expect(request.batches.flatMap(\.ops).map(\.fields) == [["title": "Knots"]])
      _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    }
    try expectBoth()
  }

  @Test func `A postponed edit does not replace a later one that is sent again after a restore`()
    throws
  {
    let copy = harbour.server
    try postpone()
    try anna.run(Self.laterEdit)
    try anna.push()
    try anna.pullAll()
    harbour.server = copy
    try harbour.server.beginEpoch(2)
    try anna.pullAll()
    try expectBoth()
  }

  @Test func `If the later edit is refused, too, both are sent in their order`() throws {
    try postpone()
    try anna.run(Self.laterEdit)
    try refuse(anna, in: harbour)
    try expectBoth()
  }

  @Test
  func `A postponed insertion has the later values of its row, which another device inserted`()
    throws
  {
    try anna.run(Task.insertion("t2", "Lines"))
    try refuse(anna, in: harbour)
    harbour.now += 10
    try ben.run(Task.insertion("t2", "Cords"))
    try ben.push()
    try anna.pullAll()
    try anna.run("UPDATE tasks SET title = 'Knots' WHERE id = 't2'")
    try anna.push()
    harbour.now += 10_000
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.titles() == ["t1": "Sails", "t2": "Knots"] && ship.isSettled())
    }
  }

  @Test func `A postponed insertion lacks the keys that were removed later`() throws {
    func insertion(_ title: String, items: String) -> SQL {
      """
      INSERT INTO tasks (id, charterID, title, votes, items)
      VALUES ('t2', 'c1', \(title), 0, \(items))
      """
    }
    try anna.run(insertion("Lines", items: #"{"a":1,"b":2}"#))
    try refuse(anna, in: harbour)
    harbour.now += 10
    try ben.run(insertion("Cords", items: #"{"a":5}"#))
    try ben.push()
    try anna.pullAll()
    try anna.run(#"UPDATE tasks SET items = '{"b":2}' WHERE id = 't2'"#)
    try anna.push()
    harbour.now += 10_000
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.device.texts("SELECT items FROM tasks WHERE id = 't2'") == [#"{"b":2}"#])
      #expect(try ship.isSettled() && ship.dead() == [])
    }
  }

  // MARK: - Refused edits

  /// The progress of a later edit when the user makes a refused one again.
  enum LaterProgress: CaseIterable { case captured, sealed, pulled, deletedFromQueue, overwritten }

  @Test(arguments: LaterProgress.allCases)
  func `A refused edit that the user makes again does not replace a later one`(
    progress: LaterProgress
  ) throws {
    let harbour = try Harbour.withTask()
    let (anna, ben) = (harbour.ships[0], harbour.ships[1])
    try anna.run("UPDATE tasks SET title = 'Lines', note = 'Dry' WHERE id = 't1'")
    try refuse(anna, in: harbour)
    try harbour.settle()
    try anna.run(Self.laterEdit)
    switch progress {
    case .captured: break
    case .sealed: _ = try anna.nextPush()
    case .pulled: try harbour.settle()
    case .deletedFromQueue:
      try harbour.settle()
      try anna.run("UPDATE _sent SET bytes = 0, parts = x'', content = x''")
    case .overwritten:
      try harbour.settle()
      try ben.run("UPDATE tasks SET title = 'Oars' WHERE id = 't1'")
      try harbour.settle()
    }
    let letter = try #require(try letters(anna).first)
    #expect(try anna.device.connection.write { try anna.replica.retry(letter.id, $0) })
    try harbour.settle()
    let title = progress == .overwritten ? "Oars" : "Knots"
    for ship in harbour.ships {
      #expect(try ship.device.texts("SELECT title || note FROM tasks") == ["\(title)Dry"])
      #expect(try ship.isSettled() && ship.dead() == [])
    }
  }

  @Test func `Refused edits that the user makes again leave the latest value, in any order`() throws
  {
    let harbour = try Harbour.withTask()
    let anna = harbour.ships[0]
    for title in ["Ropes", "Knots"] {
      try anna.run("UPDATE tasks SET title = \(title) WHERE id = 't1'")
      try refuse(anna, in: harbour)
    }
    try harbour.settle()
    let refused = try letters(anna)
    #expect(refused.map { $0.op?.fields["title"] } == ["Ropes", "Knots"])
    try anna.device.connection.write { writer in
      for letter in refused.reversed() {
        let isRetried = try anna.replica.retry(letter.id, writer)
        #expect(isRetried)
      }
    }
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.titles() == ["t1": "Knots"] && ship.dead() == [])
    }
  }

  /// The event between two decisions about refused edits.
  enum Meanwhile: CaseIterable { case nothing, sync, edit }

  @Test(arguments: Meanwhile.allCases)
  func `Refused edits that the user makes again in their order leave the latest value`(
    meanwhile: Meanwhile
  ) throws {
    let harbour = try Harbour.withTask()
    let anna = harbour.ships[0]
    for title in ["Ropes", "Knots"] {
      try anna.run("UPDATE tasks SET title = \(title) WHERE id = 't1'")
      try refuse(anna, in: harbour)
    }
    try harbour.settle()
    let refused = try letters(anna)
    try #require(refused.map { $0.op?.fields["title"] } == ["Ropes", "Knots"])
    #expect(try anna.device.connection.write { try anna.replica.retry(refused[0].id, $0) })
    #expect(try anna.titles() == ["t1": "Ropes"])
    switch meanwhile {
    case .nothing: break
    case .sync: try harbour.settle()
    case .edit: try anna.run("UPDATE tasks SET title = 'Cords' WHERE id = 't1'")
    }
    #expect(try anna.device.connection.write { try anna.replica.retry(refused[1].id, $0) })
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.titles() == ["t1": meanwhile == .edit ? "Cords" : "Knots"])
      #expect(try ship.dead() == [])
    }
  }

  @Test func `An edit of a refused insertion that the user makes again is made again, too`() throws
  {
    let harbour = try Harbour.withTask()
    let anna = harbour.ships[0]
    func op(_ kind: Op.Kind, _ fields: [String: WireValue], at time: Int64) -> Op {
      Op(
        kind, RowID(table: "tasks", id: "t2"), fields: fields,
        stamp: Stamp(milliseconds: harbour.now + time, device: DeviceID(Ship.uuid(1, 1))))
    }
    let insertion = op(.put, ["charterID": "c1", "title": "Lines", "votes": 0], at: 1)
    let edit = op(.patch, ["title": "Ropes", "note": "Dry"], at: 2)
    try anna.device.connection.write { writer in
      for edit in [insertion, edit] {
        try DeadLetters(writer: writer, now: harbour.now).add(
          edit.row, in: ScopeID("charter/c1"), Rejection(.forbidden, "No.", row: edit.row), op: edit
        )
      }
    }
    for letter in try letters(anna) {
      #expect(try anna.device.connection.write { try anna.replica.retry(letter.id, $0) })
    }
    try harbour.settle()
    for ship in harbour.ships {
      let shown = try ship.device.texts("SELECT title || note FROM tasks WHERE id = 't2'")
      #expect(shown == ["RopesDry"])
    }
  }

  @Test func `A key of an object that was not changed since is made again`() throws {
    let harbour = try Harbour.withTask()
    let anna = harbour.ships[0]
    try anna.run(#"UPDATE tasks SET items = '{"a":1,"b":2}' WHERE id = 't1'"#)
    try refuse(anna, in: harbour)
    try harbour.settle()
    try anna.run(#"UPDATE tasks SET items = '{"a":7}' WHERE id = 't1'"#)
    let letter = try #require(try letters(anna).first)
    #expect(try anna.device.connection.write { try anna.replica.retry(letter.id, $0) })
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try ship.device.texts("SELECT items FROM tasks") == [#"{"a":7,"b":2}"#])
    }
  }

  @Test func `An insertion in its place has the latest values, in any order of refusals`() throws {
    let harbour = try Harbour.withTask(
      schema: SyncSchema(
        version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
        SyncTable(Task.self, scope: .kind("charter", \.charterID), keepsRefused: true)))
    let anna = harbour.ships[0]
    try anna.run(Task.insertion("t2", "Lines"))
    try refuse(anna, in: harbour)
    func edit(_ title: WireValue, at time: Int64) -> Op {
      Op(
        .patch, RowID(table: "tasks", id: "t2"), fields: ["title": title],
        stamp: Stamp(milliseconds: harbour.now + time, device: DeviceID(Ship.uuid(1, 1))))
    }
    let scope = try ScopeID("charter/c1")
    try anna.device.connection.write { writer in
      for op in [edit("Knots", at: 2_000), edit("Ropes", at: 1_000)] {
        let isIncluded = try StoredRefusal.include(op, of: scope, harbour.schema, writer)
        #expect(isIncluded)
      }
    }
    #expect(try letters(anna).map { $0.op?.fields["title"] } == ["Knots"])
  }

  private func letters(_ ship: Ship) throws -> [DeadLetter] {
    try ship.device.connection.read { try ship.replica.deadLetters($0) }
  }
}
