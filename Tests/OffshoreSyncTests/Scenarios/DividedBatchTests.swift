import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

/// Batches that are too large for the way to the server.
struct DividedBatchTests {
  private let harbour: Harbour
  private var ship: Ship { harbour.ships[0] }

  init() throws {
    harbour = try Harbour()
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try harbour.settle()
  }

  /// Inserts tasks, in one write, whose titles have a length.
  private func insert(_ ids: ClosedRange<Int>, length: Int) throws {
    try ship.device.connection.write { writer in
      for id in ids {
        try SQL(
          """
          INSERT INTO tasks (id, charterID, title, votes)
          VALUES (\(String(format: "t%02d", id)), 'c1', \(String(repeating: "a", count: length)), 0)
          """
        ).run(writer)
      }
    }
  }

  private func divide(_ request: PushRequest) throws -> PushReport {
    try ship.device.connection.write {
      try ship.replica.divide(request, at: harbour.now, $0, makeID: ship.device.nextID)
    }
  }

  /// Sends batches one by one over a way that refuses pushes with more bytes of ops.
  /// - Returns: the largest push that arrived, in bytes.
  private func push(over limit: Int) throws -> Int {
    var largest = 0
    for _ in 0..<200 {
      guard let request = try ship.nextPush(bytes: 1) else { return largest }
      let size = request.batches.flatMap(\.ops).reduce(0) { $0 + $1.encoded().count }
      if size > limit {
        #expect(request.batches.count == 1)
        _ = try divide(request)
      } else {
        largest = max(largest, size)
        _ = try ship.take(try harbour.answer(request, of: ship.account), to: request)
      }
    }
    Issue.record("The device never sends all that it has.")
    return largest
  }

  @Test func `A write of several rows is divided until its parts pass`() throws {
    try insert(1...20, length: 5_000)
    #expect(try push(over: 12_000) <= 12_000)
    try harbour.settle()
    #expect(try harbour.titles().count == 20)
    #expect(try ship.dead() == [])
    #expect(try harbour.ships[1].content() == ship.content())
  }

  @Test func `Later edits of divided rows stay later`() throws {
    try insert(1...8, length: 5_000)
    // The rows are sealed before they are edited.
    _ = try ship.nextPush()
    try ship.run("UPDATE tasks SET title = 'short', votes = votes + 1")
    _ = try push(over: 12_000)
    try harbour.settle()
    #expect(Set(try harbour.titles().values) == ["short"])
    let conflicts = try ship.device.number("SELECT count(*) FROM _conflict")
    #expect(conflicts == 0)
    #expect(try ship.device.number("SELECT min(votes) * 10 + max(votes) FROM tasks") == 11)
    #expect(try ship.dead() == [])
  }

  @Test func `A row that is larger than the way allows is refused, and the others arrive`() throws {
    try insert(1...3, length: 100)
    try insert(4...4, length: 50_000)
    try insert(5...7, length: 100)
    _ = try push(over: 12_000)
    try harbour.settle()
    #expect(try ship.dead() == ["tasks/t04 tooLarge"])
    #expect(try harbour.titles().count == 6)
    #expect(try harbour.ships[1].titles().count == 6)
  }
}
