import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Refused changes that are sent again after the delays of the engine.
struct PostponedBatchTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour.withTask(attemptLimits: [.forbidden: 4])
  }

  private func changes() throws -> [OutboxChange] {
    try anna.device.connection.read { try anna.replica.outbox.changes($0) }
  }

  /// Lets the server refuse the insertion of a task, because anna may only read for a moment.
  private func refuse() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    try push(as: .viewer)
  }

  @discardableResult
  private func push(as role: Role) throws -> PushReport? {
    try harbour.grant(role, to: anna, "c1")
    let report = try anna.push()
    try harbour.grant(.editor, to: anna, "c1")
    return report
  }

  @Test func `Delays double with each refusal, and the last one is listed`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    for delay: Int64 in [1_000, 2_000, 4_000] {
      let report = try push(as: .viewer)
      #expect(report?.rejected == 1 && report?.nextTry == delay && report?.hasMore == false)
      #expect(try anna.titles()["t2"] == "Lines")
      let refusal = try #require(try changes().first?.refusal)
      #expect(refusal.rejection.code == .forbidden && refusal.nextTry == harbour.now + delay)
      harbour.now += delay - 1
      #expect(try anna.nextPush() == nil)
      harbour.now += 1
    }
    #expect(try changes().first?.refusal?.attempts == 3)
    try push(as: .viewer)
    #expect(try anna.dead() == ["tasks/t2 forbidden"] && changes() == [])
    #expect(try anna.titles() == ["t1": "Sails"])
  }

  @Test func `Later changes of the scope are sent before it, and it is accepted later`() throws {
    try refuse()
    try anna.run(Task.insertion("t3", "Oars"), "UPDATE tasks SET title = 'Knots' WHERE id = 't1'")
    #expect(try anna.push()?.applied == 1)
    #expect(try harbour.titles() == ["t1": "Knots", "t3": "Oars"])
    harbour.now += 1_000
    #expect(try anna.push()?.applied == 1)
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Knots", "t2": "Lines", "t3": "Oars"])
    #expect(try anna.isSettled())
  }

  @Test func `Changes that need it wait for it`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    _ = try anna.nextPush()
    try anna.run("UPDATE tasks SET note = 'Dry' WHERE id = 't2'")
    try anna.run("UPDATE tasks SET votes = 7 WHERE id = 't1'")
    try push(as: .viewer)
    harbour.now += 500
    while try anna.push() != nil {}
    #expect(try anna.dead() == [])
    #expect(try harbour.titles() == ["t1": "Sails"])
    harbour.now += 1_000
    try harbour.settle()
    #expect(
      try ben.device.texts("SELECT title || coalesce(note, '') || votes FROM tasks ORDER BY id")
        == ["Sails7", "LinesDry0"])
    #expect(try anna.isSettled() && anna.dead() == [])
  }

  @Test func `An edit that builds on a postponed one is sent after it`() throws {
    try anna.run("UPDATE tasks SET title = 'Lines', votes = votes + 1 WHERE id = 't1'")
    try push(as: .viewer)
    try anna.run("UPDATE tasks SET title = 'Ropes', votes = votes + 1 WHERE id = 't1'")
    while try anna.push() != nil {}
    #expect(try anna.dead() == [] && anna.titles() == ["t1": "Ropes"])
    harbour.now += 10_000
    try harbour.settle()
    #expect(try ben.device.texts("SELECT title || votes FROM tasks") == ["Ropes2"])
    #expect(try anna.isSettled() && anna.dead() == [])
  }

  @Test func `A long delay of the engine is kept`() throws {
    try refuse()
    var timing = SyncEngine.Timing()
    timing.longestDelay = 86_400_000
    try anna.run("UPDATE _batch SET due = \(harbour.now + 3_600_000)")
    let request = try anna.device.connection.write {
      try anna.replica.nextPush(
        $0, at: harbour.now, timing: timing, makeID: anna.device.nextID)
    }
    #expect(request == nil)
  }

  @Test func `An edited insertion is sent at once, with its present values`() throws {
    try refuse()
    try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't2'")
    let request = try #require(try anna.nextPush())
    #expect(request.batches.flatMap(\.ops).map(\.kind) == [.put])
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    harbour.now += 10_000
    #expect(try anna.nextPush() == nil)
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Ropes"] && anna.isSettled())
  }

  @Test func `After a restart it has its attempts, and is sent at its time`() throws {
    try refuse()
    try anna.device.reopen()
    try anna.device.install()
    let refusal = try #require(try changes().first?.refusal)
    #expect(refusal.attempts == 1 && refusal.nextTry == harbour.now + 1_000)
    #expect(try anna.nextPush() == nil)
    harbour.now += 1_000
    #expect(try anna.push()?.applied == 1)
    try harbour.settle()
    #expect(try ben.titles()["t2"] == "Lines" && anna.isSettled())
  }

  @Test func `A deleted insertion is never sent again`() throws {
    try refuse()
    try anna.run("DELETE FROM tasks WHERE id = 't2'")
    #expect(try anna.nextPush() == nil && changes() == [])
    harbour.now += 10_000
    #expect(try anna.nextPush() == nil && anna.isSettled())
  }

  // MARK: - Edits of deleted rows

  /// Lets the server refuse an edit of the task for a moment.
  private func refuseEdit() throws {
    try anna.run("UPDATE tasks SET title = 'Lines' WHERE id = 't1'")
    try push(as: .viewer)
  }

  /// The titles that the server reports as lost.
  private func lostTitles() throws -> [String?] {
    let scope = try ScopeID(kind: "charter", value: "c1")
    return harbour.server.conflicts(of: RowID(table: "tasks", id: "t1"), in: scope)
      .filter { $0.conflict.field == "title" }.map(\.conflict.losing.string)
  }

  @Test(arguments: [false, true])
  func `An edit is not sent again after the device has deleted its row`(losesAnswer: Bool) throws {
    try refuseEdit()
    try anna.run("DELETE FROM tasks WHERE id = 't1'")
    try anna.push(losingAnswer: losesAnswer)
    try anna.pullAll()
    harbour.now += 10_000
    #expect(try anna.nextPush() == nil && changes() == [])
    try harbour.settle()
    #expect(try harbour.titles() == [:] && lostTitles() == [])
    #expect(try anna.isSettled() && anna.dead() == [] && ben.isSettled())
  }

  @Test func `An edit waits for the answer to a deletion of its row, and is sent if it is refused`()
    throws
  {
    try refuseEdit()
    try anna.run("DELETE FROM tasks WHERE id = 't1'")
    _ = try anna.nextPush()
    harbour.now += 10_000
    let request = try #require(try anna.nextPush())
    #expect(request.batches.flatMap(\.ops).map(\.kind) == [.delete])
    try harbour.grant(.viewer, to: anna, "c1")
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    try harbour.grant(.editor, to: anna, "c1")
    harbour.now += 1_000
    let edit = try #require(try anna.nextPush())
    #expect(edit.batches.flatMap(\.ops).map(\.kind).contains(.patch))
    _ = try anna.take(try harbour.answer(edit, of: anna.account), to: edit)
    harbour.now += 10_000
    try harbour.settle()
    #expect(try harbour.titles() == [:] && lostTitles() == [])
    #expect(try anna.isSettled() && anna.dead() == [])
  }

  // The other user has not seen the edit, and can choose it.
  @Test func `An edit of a row that another device has deleted is sent as a conflict`() throws {
    try refuseEdit()
    try ben.run("DELETE FROM tasks WHERE id = 't1'")
    try ben.push()
    try anna.pullAll()
    harbour.now += 10_000
    try harbour.settle()
    #expect(try harbour.titles() == [:] && lostTitles() == ["Lines"])
    #expect(try anna.isSettled() && anna.dead() == [])
  }

  @Test func `A clock that is set back delays it by the longest delay at most`() throws {
    try refuse()
    harbour.now -= 86_400_000
    #expect(try anna.nextPush() != nil)
  }

  @Test func `It is sent under the new id of the device`() throws {
    try refuse()
    let copy = try anna.copy(3)
    try copy.run(Task.insertion("copy", "Cords"))
    try copy.push()
    try anna.run(Task.insertion("t3", "Oars"))
    #expect(try anna.push()?.isForked == true)
    harbour.now += 10_000
    try harbour.settle()
    #expect(try ben.titles()["t2"] == "Lines" && ben.titles().count == 4)
    #expect(try anna.dead() == [] && anna.isSettled())
  }

  @Test func `It is sent to a server whose data was restored`() throws {
    let copy = harbour.server
    try refuse()
    harbour.server = copy
    try harbour.server.beginEpoch(2)
    try harbour.settle()
    harbour.now += 10_000
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Lines"])
    #expect(try anna.isSettled() && anna.dead() == [])
  }
}
