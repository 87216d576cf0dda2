import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Insertions that the server refuses and that stay in their place.
struct KeptRefusalTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour.withTask(
      schema: SyncSchema(
        version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
        SyncTable(
          Task.self, scope: .kind("charter", \.charterID), keepsRefused: true,
          .merged(\.votes, .counter), .merged(\.items, .keyed), .local(\.isOpen))))
  }

  /// Lets the server refuse the insertion of a task, because anna may only read for a moment.
  private func refuse() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    try harbour.grant(.viewer, to: anna, "c1")
    #expect(try anna.push()?.rejected == 1)
    #expect(try anna.dead() == ["tasks/t2 forbidden"])
    try harbour.grant(.editor, to: anna, "c1")
  }

  private func status(_ id: String) throws -> RowStatus {
    try anna.device.connection.read {
      try anna.replica.status(of: RowID(table: "tasks", id: id), $0)
    }
  }

  private func number() throws -> Int64 {
    try #require(try anna.device.connection.read { try anna.replica.deadLetters($0) }.first?.id)
  }

  @Test func `It stays through pulls, resyncs and restarts, and is not part of the confirmed rows`()
    throws
  {
    try refuse()
    for _ in 0..<3 {
      try ben.run("UPDATE tasks SET title = title || '!' WHERE id = 't1'")
      try harbour.settle()
      try harbour.collect()
      // The device was away for longer than the retention.
      try anna.run("UPDATE _cursor SET seq = 0")
      try anna.device.reopen()
      try anna.device.install()
      try anna.pullAll()
      #expect(try anna.titles()["t2"] == "Lines")
      #expect(try status("t2") == .refused && status("t1") == .synced)
      #expect(try anna.nextPush() == nil)
    }
    #expect(try ben.titles() == ["t1": "Sails!!!"])
    let scope = try ScopeID(kind: "charter", value: "c1")
    let digests = try anna.device.connection.write { try anna.replica.digests($0) }
    let expected = harbour.server.scope(scope).digest
    #expect(digests[scope] == expected)
  }

  @Test func `A change of it is sent as an insertion, and accepted`() throws {
    try refuse()
    try anna.pullAll()
    try anna.run("UPDATE tasks SET note = 'Dry', isOpen = 0 WHERE id = 't2'")
    #expect(try status("t2") == .refused)
    let request = try #require(try anna.nextPush())
    #expect(request.batches.flatMap(\.ops).map(\.kind) == [.put])
    #expect(request.batches.first?.ops.first?.fields["note"]?.string == "Dry")
    #expect(try anna.dead() == [] && status("t2") == .pending)
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Lines"])
    #expect(try status("t2") == .synced && anna.isSettled())
    #expect(try anna.device.number("SELECT isOpen FROM tasks WHERE id = 't2'") == 0)
  }

  @Test func `It is made again as it is`() throws {
    try refuse()
    try anna.pullAll()
    let number = try number()
    let isDone = try anna.device.connection.write { try anna.replica.retry(number, $0) }
    #expect(isDone)
    #expect(try anna.dead() == [])
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails", "t2": "Lines"])
    #expect(try anna.isSettled())
  }

  @Test(arguments: [true, false])
  func `If it is discarded or deleted, it is never sent`(isDiscarded: Bool) throws {
    try refuse()
    try anna.pullAll()
    if isDiscarded {
      try anna.run("UPDATE tasks SET note = 'Dry' WHERE id = 't2'")
      let number = try number()
      let isDone = try anna.device.connection.write { try anna.replica.discard(number, $0) }
      #expect(isDone)
    } else {
      try anna.run("DELETE FROM tasks WHERE id = 't2'")
    }
    #expect(try anna.nextPush() == nil)
    #expect(try anna.titles() == ["t1": "Sails"] && anna.dead() == [])
    try harbour.settle()
    #expect(try anna.isSettled() && ben.titles() == ["t1": "Sails"])
  }

  @Test func `The row of another device takes its place`() throws {
    try refuse()
    try ben.run(Task.insertion("t2", "Ropes"))
    try ben.push()
    try anna.pullAll()
    #expect(try anna.titles()["t2"] == "Ropes")
    #expect(try anna.dead() == ["tasks/t2 forbidden"])
    try anna.run("UPDATE tasks SET note = 'Dry' WHERE id = 't2'")
    let request = try #require(try anna.nextPush())
    #expect(request.batches.flatMap(\.ops).map(\.kind) == [.patch])
  }

  @Test func `If the row of another device has its place, a decision about it leaves that row`()
    throws
  {
    try refuse()
    try ben.run(Task.insertion("t2", "Ropes"))
    try ben.push()
    try anna.pullAll()
    try anna.run("UPDATE tasks SET note = 'Dry' WHERE id = 't2'")
    let number = try number()
    let isDone = try anna.device.connection.write { try anna.replica.discard(number, $0) }
    #expect(isDone)
    try harbour.settle()
    #expect(try ben.device.texts("SELECT title || note FROM tasks WHERE id = 't2'") == ["RopesDry"])
    #expect(try anna.dead() == [] && anna.isSettled())
  }

  @Test func `A change that followed it becomes a part of it`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    _ = try anna.nextPush()
    try anna.run("UPDATE tasks SET title = 'Ropes', votes = votes + 2 WHERE id = 't2'")
    try harbour.grant(.viewer, to: anna, "c1")
    while try anna.push() != nil {}
    try harbour.grant(.editor, to: anna, "c1")
    try anna.pullAll()
    #expect(try anna.dead() == ["tasks/t2 forbidden"])
    #expect(try anna.device.texts("SELECT title || votes FROM tasks WHERE id = 't2'") == ["Ropes2"])
    let number = try number()
    let isDone = try anna.device.connection.write { try anna.replica.retry(number, $0) }
    #expect(isDone)
    try harbour.settle()
    #expect(try ben.device.texts("SELECT title || votes FROM tasks WHERE id = 't2'") == ["Ropes2"])
  }

  @Test func `If it is deleted while it is being sent, it does not come back`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    let request = try #require(try anna.nextPush())
    try anna.run("DELETE FROM tasks WHERE id = 't2'")
    try harbour.grant(.viewer, to: anna, "c1")
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    try harbour.grant(.editor, to: anna, "c1")
    #expect(try anna.titles() == ["t1": "Sails"])
    try harbour.settle()
    #expect(try anna.titles() == ["t1": "Sails"] && anna.dead() == [] && anna.isSettled())
  }

  @Test func `Discarding it leaves the captured changes of other rows`() throws {
    try refuse()
    try anna.pullAll()
    try anna.run("UPDATE tasks SET title = 'Oars' WHERE id = 't1'")
    _ = try anna.nextPush()
    try anna.run("UPDATE tasks SET title = 'Knots' WHERE id = 't1'")
    let number = try number()
    let isDone = try anna.device.connection.write { try anna.replica.discard(number, $0) }
    #expect(isDone)
    #expect(try anna.titles() == ["t1": "Knots"])
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Knots"])
  }

  @Test func `It leaves with its scope, and returns with it`() throws {
    try refuse()
    try harbour.grant(.revoked, to: anna, "c1")
    try anna.pullAll()
    #expect(try anna.titles() == [:])
    try harbour.grant(.editor, to: anna, "c1")
    try anna.pullAll()
    #expect(try anna.titles() == ["t1": "Sails", "t2": "Lines"] && status("t2") == .refused)
  }

  @Test func `Without the declaration it is removed`() throws {
    let other = try Harbour()
    let cat = other.ships[0]
    try cat.pullAll()
    try cat.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try other.settle()
    try cat.run(Task.insertion("t2", "Lines"))
    try other.grant(.viewer, to: cat, "c1")
    try cat.push()
    #expect(try cat.titles() == [:] && cat.dead() == ["tasks/t2 forbidden"])
  }
}
