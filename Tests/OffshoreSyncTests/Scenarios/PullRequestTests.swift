import Offshore
import OffshoreServer
import OffshoreWire
import Testing

@testable import OffshoreSync

/// The content of pull requests, and the parts of an answer that are applied.
struct PullRequestTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }

  init() throws { harbour = try .withTwoCharters() }

  private func answered(_ charter: String) throws -> Int64? {
    try anna.nextPull().cursors.first { $0.scope.value == charter }?.answeredBatch
  }

  @Test func `A pull names the last answered batch of each scope`() throws {
    let before = try #require(try answered("c1"))
    try anna.run("UPDATE tasks SET votes = votes + 1 WHERE charterID = 'c1'")
    #expect(try answered("c1") == before)
    try anna.push(losingAnswer: true)
    #expect(try answered("c1") == before)
    try anna.push()
    #expect(try answered("c1") == before + 1)
    #expect(try answered("c2") == before)
  }

  @Test func `A pull uses the device id of the oldest pending batch`() throws {
    let copy = try anna.copy(3)
    try copy.run("UPDATE tasks SET title = 'Lines' WHERE charterID = 'c1'")
    try copy.push()
    let former = try anna.nextPull().device
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    #expect(try anna.push()?.isForked == true)
    try anna.push(losingAnswer: true)
    while try anna.nextPush() != nil {
      #expect(try anna.nextPull().device == anna.nextPush()?.device)
      try anna.push()
    }
    #expect(try anna.nextPull().device != former)
  }

  @Test func `The request after an incomplete page is known before the page is stored`() throws {
    for number in 1...20 {
      try anna.run(
        """
        INSERT INTO tasks (id, charterID, title, votes)
        VALUES (\("a\(number)"), \(number % 3 == 0 ? "c2" : "c1"), 'Sails', 0)
        """)
    }
    try harbour.settle()
    let ben = try Ship(
      9, in: harbour, creating: [Charter.creation, Task.creation], account: anna.account)
    try ben.pull()
    var told = 0
    while true {
      let request = try ben.nextPull(limit: 3)
      let answer = try harbour.answer(request, of: anna.account)
      let following = request.following(
        answer, isOfSingleScopes: false, WaitingScopes(), ben.replica)
      let report = try ben.take(answer, to: request)
      #expect((following == nil) == report.isComplete)
      guard report.hasMore else { break }
      #expect(try following == ben.nextPull(limit: 3))
      told += 1
    }
    #expect(told >= 4)
    let resync = PullResponse(
      serverTime: 1, epoch: 7, grants: [],
      scopes: [ScopeAnswer(try ScopeID("charter/c1"), epoch: 7, .resync(minSeq: 3))])
    let following = try ben.nextPull().following(
      resync, isOfSingleScopes: false, WaitingScopes(), ben.replica)
    #expect(following == nil)
  }

  @Test func `Scopes that were not requested are ignored`() throws {
    let request = try anna.nextPull()
    let first = try #require(request.cursors.first)
    let narrow = PullRequest(
      device: request.device, manifestVersion: request.manifestVersion,
      grantsAfter: request.grantsAfter, cursors: [first], limit: request.limit)
    let answer = try harbour.answer(narrow, of: anna.account)
    let stray = ScopeAnswer(
      try ScopeID("charter/c9"), epoch: 1,
      .page(
        ScopePage(
          rows: RowPage([
            SyncedRow(
              RowID(table: "charters", id: "c9"), seq: 1,
              state: RowState(
                stamp: Stamp(milliseconds: 5, device: TestDevice.id), fields: ["name": "Luna"]))
          ]), isFull: false, next: .changes(after: 1), head: 1, digest: Digest(), minSeq: 0,
          lastBatch: 0)))
    let whole = try harbour.answer(request, of: anna.account)
    let report = try anna.take(
      PullResponse(
        serverTime: answer.serverTime, epoch: answer.epoch, grants: [],
        scopes: whole.scopes + [stray]), to: request)
    #expect(report.isComplete)
    #expect(try anna.device.texts("SELECT id FROM charters ORDER BY id") == ["c1", "c2"])
    #expect(try anna.device.number("SELECT count(*) FROM _row WHERE id = 'c9'") == 0)
  }

  @Test func `A pull has no more scopes than a request may have`() throws {
    for number in 0...WireLimits.scopesPerPull {
      try harbour.grant(.viewer, to: anna, "more-\(number)")
    }
    try anna.pullAll()
    let request = try anna.nextPull()
    #expect(request.cursors.count == WireLimits.scopesPerPull)
    #expect(try PullRequest(body: request.body) == request)
    #expect(try anna.titles() == ["t-c1": "Sails", "t-c2": "Sails"])
  }

  @Test func `The first rounds of many new scopes are small`() throws {
    for number in 1...8 { try harbour.grant(.viewer, to: anna, "more-\(number)") }
    try anna.pull()
    let sizes = { (limit: Int) in
      try anna.device.connection.read { try anna.replica.pullRounds($0, limit: limit) }
        .map { $0?.count }
    }
    #expect(try sizes(8) == [1, 3, 6])
    #expect(try sizes(16) == [2, 6, 2])
    // So few new scopes are no reason for small rounds.
    #expect(try sizes(64) == [nil])
    try anna.pullAll()
    #expect(try sizes(8) == [8, 2])
    #expect(try sizes(16) == [nil])
  }
}
