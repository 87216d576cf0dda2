import Offshore
import OffshoreServer
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Pulls with a new scope of many pages, and other scopes.
struct LargeNewScopeTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  /// Two devices have charter c1; the second one has no access to c2, which has ten pages.
  init() throws {
    harbour = try Harbour()
    try harbour.grant(.editor, to: harbour.ships[0], "c2")
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run(
      "INSERT INTO charters VALUES ('c1', 'Alma'), ('c2', 'Bora')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c1', 'Sails', 0)",
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c2', 'Lines', 0 FROM c
      """)
    try harbour.settle()
  }

  /// Pulls pages, after an action before each, until all have arrived.
  /// - Parameters:
  ///   - isPredictable: whether no answer acknowledges a batch, which changes the next request.
  ///   - check: verifies the device after each page but the last.
  /// - Returns: the number of pages.
  private func pull(
    _ ship: Ship, isPredictable: Bool = true, before action: (Int) throws -> Void,
    check: (Int) throws -> Void
  ) throws -> Int {
    for number in 1...50 {
      try action(number)
      let request = try ship.nextPull()
      let answer = try harbour.answer(request, of: ship.account)
      let waiting = try ship.device.connection.read {
        try WaitingScopes(ScopeArrival.byScope($0), $0)
      }
      let following = request.following(
        answer, isOfSingleScopes: false, waiting, ship.replica)
      let report = try ship.take(answer, to: request)
      if report.isComplete { return number }
      let next = try ship.nextPull()
      #expect(!isPredictable || following == next || following == nil && number < 3)
      try check(number)
    }
    return 0
  }

  @Test func `Other scopes are shown while the pages of a large new one arrive`() throws {
    let carl = try harbour.add(3)
    try harbour.grant(.viewer, to: carl, "c2")
    let count = try pull(carl) { number in
      // The second edit is made while pages arrive.
      if number == 5 {
        try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't1'")
        try anna.push()
      }
    } check: { number in
      // The first answer brings the roles, the second one the rows, and the third one the changes
      // that were made meanwhile.
      guard number > 2 else { return }
      let titles = try carl.titles()
      #expect(titles == ["t1": number < 5 ? "Sails" : "Ropes"])
    }
    #expect(count > 8)
    #expect(try carl.content() == anna.content())
    #expect(try carl.isSettled())
  }

  @Test func `A scope whose rows have arrived does not wait for a larger one`() throws {
    let harbour = try Harbour(granting: ["c2", "c3"], largeScopeRows: 20)
    let (dan, eve) = (harbour.ships[0], harbour.ships[1])
    try dan.pullAll()
    try dan.run(
      "INSERT INTO charters VALUES ('c2', 'Bora'), ('c3', 'Cora')",
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c2', 'Lines', 0 FROM c
      """,
      """
      WITH RECURSIVE c(n) AS (SELECT 300 UNION ALL SELECT n + 1 FROM c WHERE n < 324)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 'u' || n, 'c3', 'Oars', 0 FROM c
      """)
    while try dan.push()?.hasMore == true {}
    let scope = try ScopeID(kind: "charter", value: "c3")
    var (edited, shown, last) = (0, 0, 0)
    for number in 1...100 {
      let request = try eve.nextPull()
      let answer = try harbour.answer(request, of: eve.account)
      let waiting = try eve.device.connection.read {
        try WaitingScopes(ScopeArrival.byScope($0), $0)
      }
      let following = request.following(
        answer, isOfSingleScopes: false, waiting, eve.replica)
      last = number
      if try eve.take(answer, to: request).isComplete { break }
      let next = try eve.nextPull()
      #expect(following == next || following == nil)
      if shown == 0, try eve.titles()["u300"] == "Ropes" { shown = number }
      let hasArrived = try eve.device.connection.read { try eve.replica.hasArrived(scope, $0) }
      if edited == 0, hasArrived {
        try dan.run("UPDATE tasks SET title = 'Ropes' WHERE id = 'u300'")
        try dan.push()
        edited = number
      }
    }
    #expect(edited > 0 && shown == edited + 1 && last > shown + 5)
    #expect(try eve.content() == dan.content() && eve.isSettled())
  }

  @Test func `A row that moves to a large new scope is never missing`() throws {
    try harbour.grant(.editor, to: ben, "c2")
    let count = try pull(ben) { number in
      guard number == 4 else { return }
      try anna.run("UPDATE tasks SET charterID = 'c2' WHERE id = 't1'")
      try anna.push()
    } check: { _ in
      let titles = try ben.titles()
      #expect(titles == ["t1": "Sails"])
    }
    #expect(count > 8)
    try harbour.settle()
    #expect(try ben.content() == anna.content())
  }

  @Test func `A row that moves from a large new scope is shown once`() throws {
    try harbour.grant(.editor, to: ben, "c2")
    let count = try pull(ben) { number in
      guard number == 6 else { return }
      try anna.run("UPDATE tasks SET charterID = 'c1' WHERE id = 't100'")
      try anna.push()
    } check: { number in
      let ids = try ben.titles().keys.sorted()
      #expect(ids == (number < 6 ? ["t1"] : ["t1", "t100"]))
    }
    #expect(count > 8)
    try harbour.settle()
    #expect(try ben.content() == anna.content())
  }

  @Test func `An edit of this device stays while the pages of a large new scope arrive`() throws {
    try harbour.grant(.editor, to: ben, "c2")
    try ben.run("UPDATE tasks SET title = 'Mine' WHERE id = 't1'")
    let count = try pull(ben, isPredictable: false) { number in
      if number == 4 { try ben.push(losingAnswer: true) }
    } check: { _ in
      let titles = try ben.titles()
      #expect(titles == ["t1": "Mine"])
    }
    #expect(count > 8)
    try harbour.settle()
    #expect(try ben.content() == anna.content() && ben.isSettled())
  }

  @Test func `A large new scope leaves room in the answers, though it is the first in order`()
    throws
  {
    try harbour.grant(.editor, to: anna, "c0")
    try anna.pullAll()
    try anna.run(
      "INSERT INTO charters VALUES ('c0', 'Cora')",
      """
      WITH RECURSIVE c(n) AS (SELECT 300 UNION ALL SELECT n + 1 FROM c WHERE n < 400)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c0', 'Lines', 0 FROM c
      """)
    try harbour.settle()
    harbour.pull = PullRules(.none, byteLimit: 1_000)
    try harbour.grant(.editor, to: ben, "c0")
    let count = try pull(ben) { number in
      guard number == 4 else { return }
      try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't1'")
      try anna.push()
    } check: { number in
      let titles = try ben.titles()
      #expect(titles == ["t1": number < 4 ? "Sails" : "Ropes"])
    }
    #expect(count > 8)
  }

  @Test func `An own row that moves between new scopes is never missing`() throws {
    let harbour = try Harbour(ships: 1, schema: .fleet(claimableKinds: ["charter"]))
    let dan = harbour.ships[0]
    try dan.pullAll()
    try dan.run(
      "INSERT INTO charters VALUES ('c5', 'Dora'), ('c6', 'Ella')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c5', 'Sails', 0)",
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 150)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c6', 'Lines', 0 FROM c
      """)
    while try dan.push()?.hasMore == true {}
    try dan.run("UPDATE tasks SET charterID = 'c6' WHERE id = 't1'")
    while try dan.push()?.hasMore == true {}
    harbour.pull = PullRules(.none, byteLimit: 1_000)
    var count = 0
    while try !dan.take(harbour.answer(dan.nextPull(), of: dan.account), to: dan.nextPull())
      .isComplete
    {
      count += 1
      #expect(try dan.titles()["t1"] == "Sails")
    }
    #expect(count > 2)
    #expect(try dan.titles()["t1"] == "Sails" && dan.isSettled())
  }
}
