import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Failures of messages, and of devices.
struct InterruptionTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour()
    try anna.pullAll()
    try anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try anna.run(Self.task("t1"))
    try harbour.settle()
  }

  private static func task(_ id: String, _ title: String = "Sails") -> SQL {
    "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(id), 'c1', \(title), 0)"
  }

  private func expectAlike() throws {
    try harbour.settle()
    #expect(try anna.content() == ben.content())
    for ship in harbour.ships { #expect(try ship.isSettled()) }
  }

  // MARK: - Answers

  @Test func `A change that was applied although its answer was lost counts once`() throws {
    try anna.run("UPDATE tasks SET votes = votes + 1")
    try anna.push(losingAnswer: true)
    try anna.run("UPDATE tasks SET votes = votes + 2, title = 'Ropes'")
    #expect(try anna.device.number("SELECT votes FROM tasks") == 3)
    try anna.pullAll()
    #expect(try anna.device.number("SELECT votes FROM tasks") == 3)
    try expectAlike()
    #expect(try ben.device.number("SELECT votes FROM tasks") == 3)
    #expect(try ben.titles() == ["t1": "Ropes"])
  }

  @Test func `A change that was refused is shown until the answer arrives`() throws {
    try harbour.grant(.viewer, to: anna, "c1")
    try anna.run("UPDATE tasks SET title = 'Ropes', votes = votes + 1")
    try anna.push(losingAnswer: true)
    try anna.run("UPDATE tasks SET title = title || ' and lines'")
    try ben.run("UPDATE tasks SET note = 'old', votes = votes + 10")
    try ben.push()
    try anna.pullAll()
    #expect(try anna.titles() == ["t1": "Ropes and lines"])
    #expect(try anna.device.number("SELECT votes FROM tasks") == 11)
    #expect(try anna.device.texts("SELECT note FROM tasks") == ["old"])
    try expectAlike()
    #expect(try anna.titles() == ["t1": "Sails"])
    #expect(try anna.device.number("SELECT votes FROM tasks") == 10)
    // The first write is sealed as a patch and an increment.
    #expect(try anna.dead() == Array(repeating: "tasks/t1 forbidden", count: 3))
  }

  @Test func `A page is applied although the answer to a push arrived before it`() throws {
    try anna.run("UPDATE tasks SET votes = votes + 1")
    let push = try #require(try anna.nextPush())
    let request = try anna.nextPull()
    let pushed = try harbour.answer(push, of: anna.account)
    let page = try harbour.answer(request, of: anna.account)
    _ = try anna.take(pushed, to: push)
    #expect(try anna.take(page, to: request).isComplete)
    #expect(try anna.device.number("SELECT votes FROM tasks") == 1)
    #expect(try anna.isSettled())
  }

  @Test func `The next push is not delayed if a page arrived before the answer`() throws {
    try anna.run("UPDATE tasks SET votes = votes + 1")
    let push = try #require(try anna.nextPush())
    let pushed = try harbour.answer(push, of: anna.account)
    try anna.pullAll()
    #expect(try anna.isSettled())
    let report = try anna.take(pushed, to: push)
    #expect(report.applied == 0 && report.alreadyApplied == 1)
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushAnswered(SyncEngine.PushSummary(report))).isEmpty)
    #expect(run.send(.changesCaptured) == [.push])
  }

  @Test func `An answer about batches that were renumbered meanwhile is no progress`() throws {
    try anna.run("UPDATE tasks SET votes = votes + 1")
    let push = try #require(try anna.nextPush())
    let results = push.batches.map {
      BatchResult(scope: $0.scope, number: $0.number, outcome: .gap(expected: $0.number + 1))
    }
    let epoch = try harbour.answer(push, of: anna.account).epoch
    let gap = PushResponse(epoch: epoch, serverTime: 0, results: results)
    _ = try anna.take(gap, to: push)
    let late = try anna.take(gap, to: push)
    #expect(late.applied == 0 && late.alreadyApplied == 0)
  }

  @Test func `A page is applied although more was sent meanwhile`() throws {
    let request = try anna.nextPull()
    try anna.run("UPDATE tasks SET votes = votes + 1")
    try anna.push(losingAnswer: true)
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    #expect(try anna.device.number("SELECT votes FROM tasks") == 1)
    #expect(try anna.isSettled())
    try expectAlike()
    #expect(try ben.device.number("SELECT votes FROM tasks") == 1)
  }

  @Test func `A page of data that was lost meanwhile is not applied`() throws {
    let backup = harbour.server
    try anna.run("UPDATE tasks SET votes = votes + 1")
    try anna.push()
    let request = try anna.nextPull()
    harbour.server = backup
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    // The server reports that it lacks a batch whose answer the device already has.
    try anna.push()
    let page = try harbour.answer(request, of: anna.account)
    #expect(try !anna.take(page, to: request).isComplete)
    try harbour.settle()
    #expect(try anna.titles() == ["t1": "Ropes"])
    #expect(try anna.device.number("SELECT votes FROM tasks") == 1)
  }

  @Test func `No value flickers between the answer to a push and the pull`() throws {
    try anna.run("UPDATE tasks SET votes = votes + 1")
    try ben.run("UPDATE tasks SET votes = votes + 10")
    try ben.push()
    try anna.push()
    #expect(try anna.device.number("SELECT votes FROM tasks") == 1)
    try anna.pullAll()
    #expect(try anna.device.number("SELECT votes FROM tasks") == 11)
    try expectAlike()
  }

  @Test func `A write during a pull is not overwritten by it`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes', note = 'old'")
    try ben.push()
    let request = try anna.nextPull()
    let response = try harbour.answer(request, of: anna.account)
    harbour.now += 1000
    try anna.run("UPDATE tasks SET title = 'Lines'")
    _ = try anna.take(response, to: request)
    #expect(try anna.titles() == ["t1": "Lines"])
    #expect(try anna.device.texts("SELECT note FROM tasks") == ["old"])
    try expectAlike()
    #expect(try ben.titles() == ["t1": "Lines"])
  }

  @Test func `Late and repeated answers have no effect`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes'")
    let push = try #require(try ben.nextPush())
    let pushed = try harbour.answer(push, of: ben.account)
    let request = try anna.nextPull()
    let old = try harbour.answer(request, of: anna.account)
    _ = try ben.take(pushed, to: push)
    try ben.run("UPDATE tasks SET title = 'Lines'")
    try expectAlike()
    _ = try anna.take(old, to: request)
    _ = try ben.take(pushed, to: push)
    #expect(try anna.titles() == ["t1": "Lines"])
    try expectAlike()
  }

  // MARK: - Cancelling

  @Test func `A change that was cancelled before it was sent has no effect`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes', note = 'old'")
    try anna.run(Self.task("t2"))
    #expect(try anna.device.cancel("tasks", "t1"))
    try expectAlike()
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Sails"])
    let row = try #require(
      try harbour.server.row(RowID(table: "tasks", id: "t1"), in: ScopeID("charter/c1")))
    #expect(row.state.generation == 1 && row.state.versions.isEmpty)
  }

  // MARK: - Copies

  @Test func `Two devices with copies of one file both keep their writes`() throws {
    try anna.run(Self.task("t2"))
    try anna.push(losingAnswer: true)
    let copy = try anna.copy(3)
    try anna.run(Self.task("t3", "Ropes"), "UPDATE tasks SET votes = votes + 1 WHERE id = 't1'")
    try copy.run(Self.task("t4", "Lines"), "UPDATE tasks SET votes = votes + 1 WHERE id = 't1'")
    try anna.push()
    try anna.push()
    // The first batch was sealed before the file was copied, and the server knows it.
    #expect(try copy.push()?.isForked == false)
    #expect(try copy.push()?.isForked == true)
    try expectAlike()
    #expect(try copy.content() == anna.content())
    #expect(try ben.titles().keys.sorted() == ["t1", "t2", "t3", "t4"])
    #expect(try ben.device.number("SELECT votes FROM tasks WHERE id = 't1'") == 2)
    #expect(
      try copy.device.texts("SELECT hex(device) FROM _state")
        != anna.device.texts(
          "SELECT hex(device) FROM _state"))
  }

  // MARK: - Long absences

  @Test func `A device that missed removed tombstones fetches all rows again`() throws {
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't1'")
    try ben.run(Self.task("t5", "Knots"))
    try anna.run("DELETE FROM tasks", "UPDATE charters SET name = 'Luna'")
    try anna.run(Self.task("t6", "Oars"))
    try anna.push()
    try anna.pullAll()
    try harbour.collect()
    try expectAlike()
    #expect(try ben.titles() == ["t5": "Knots", "t6": "Oars"])
    #expect(try ben.dead() == ["tasks/t1 gone"])
  }

  @Test func `A restored server gets the lost changes that are still pending`() throws {
    let backup = harbour.server
    try anna.run(Self.task("t2"))
    try anna.push()
    try ben.pullAll()
    try ben.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't1'")
    harbour.server = backup
    try harbour.server.beginEpoch(2)
    try expectAlike()
    #expect(try ben.titles() == ["t1": "Ropes", "t2": "Sails"])
  }

  @Test func `An answer from before the server was restored is ignored`() throws {
    let backup = harbour.server
    try anna.run(Self.task("t2"))
    let request = try #require(try anna.nextPush())
    let late = try harbour.answer(request, of: anna.account)
    harbour.server = backup
    try harbour.server.beginEpoch(2)
    try anna.pullAll()
    #expect(try anna.take(late, to: request).applied == 0)
    try expectAlike()
    #expect(try ben.titles().keys.sorted() == ["t1", "t2"])
  }

  @Test func `A device without a scope receives the grants of a restored server`() throws {
    let backup = harbour.server
    for _ in 1...3 { try harbour.grant(.revoked, to: anna, "c1") }
    try anna.pullAll()
    harbour.server = backup
    try harbour.server.beginEpoch(2)
    try harbour.grant(.viewer, to: anna, "c1")
    try anna.pullAll()
    #expect(try anna.titles() == ["t1": "Sails"])
  }

  // MARK: - Small answers

  @Test func `Each answer advances the device, however small the answers are`() throws {
    let third = try harbour.add(3)
    for title in ["Ropes", "Lines", "Knots"] {
      try anna.run("UPDATE tasks SET title = \(title)")
      try ben.run("UPDATE tasks SET title = \(title + " too")")
      try anna.push()
      try ben.push()
    }
    harbour.pull = PullRules(.none, byteLimit: 1)
    var answers = 0
    while case let report = try third.pull(), report.hasMore {
      #expect(report.hasAdvanced)
      answers += 1
    }
    // The grant, two rows, and three conflicts at least.
    #expect(answers >= 6)
    #expect(try third.titles() == harbour.titles())
    #expect(try !third.pull().hasAdvanced)
  }

  @Test(arguments: [1, 200, 1_000])
  func `A first sync of several scopes ends, although answers leave most of them unread`(
    byteLimit: Int
  ) throws {
    let charters = (1...8).map { "d\($0)" }
    for charter in charters {
      try harbour.grant(.editor, to: anna, charter)
      try anna.pullAll()
      try anna.run("INSERT INTO charters VALUES (\(charter), 'Alma')")
      for number in 1...4 {
        try anna.run(
          """
          INSERT INTO tasks (id, charterID, title, votes)
          VALUES (\("\(charter)-\(number)"), \(charter), 'Sails', 0)
          """)
      }
    }
    try harbour.settle()
    harbour.pull = PullRules(.none, byteLimit: byteLimit)
    let third = try harbour.add(3)
    for charter in charters { try harbour.grant(.viewer, to: third, charter) }
    var answers = 0
    while case let report = try third.pull(), report.hasMore, answers < 200 {
      #expect(report.hasAdvanced)
      answers += 1
    }
    #expect(answers < 200)
    #expect(try third.titles().count == 33)
    #expect(try third.titles() == anna.titles())
  }
}
