import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// Requests that arrive after the device has numbered their batches again.
struct LateRequestTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws { harbour = try Harbour.withTwoCharters() }

  private func votes(of ship: Ship) throws -> Int {
    try ship.device.number("SELECT votes FROM tasks WHERE id = 't-c1'")
  }

  /// Lets the server lose the batch of an edit, so that the next batch has a number too high.
  private func loseBatch() throws {
    let backup = harbour.server
    try anna.run("UPDATE tasks SET note = 'lost' WHERE id = 't-c1'")
    try anna.push()
    harbour.server = backup
  }

  @Test func `A vote counts once if its first request arrives after it was renumbered`() throws {
    try loseBatch()
    try anna.run("UPDATE tasks SET votes = votes + 1 WHERE id = 't-c1'")
    let first = try #require(try anna.nextPush())
    // The first request is stuck in the network. A copy of it is answered as a gap.
    _ = try anna.take(try harbour.answer(first, of: anna.account), to: first)
    try anna.pullAll()
    try anna.push()
    let late = try harbour.answer(first, of: anna.account)
    #expect(late.results.map(\.isRepeated) == [true])
    // The device has no batch any more that waits for this answer.
    #expect(try anna.take(late, to: first).applied == 0)

    try anna.run("UPDATE tasks SET votes = votes + 10 WHERE id = 't-c1'")
    try harbour.settle()
    #expect(try votes(of: anna) == 11 && votes(of: ben) == 11)
    #expect(try anna.isSettled() && anna.dead() == [])
  }

  @Test func `A device goes on if its batch was applied under another number`() throws {
    try anna.run("UPDATE tasks SET votes = votes + 1 WHERE id = 't-c1'")
    let first = try #require(try anna.nextPush())
    _ = try harbour.answer(first, of: anna.account)
    // The answer is lost, and the device numbers the batch again.
    let results = first.batches.map {
      BatchResult(scope: $0.scope, number: $0.number, outcome: .gap(expected: $0.number + 1))
    }
    _ = try anna.take(PushResponse(epoch: 1, serverTime: 0, results: results), to: first)
    try anna.run("UPDATE tasks SET votes = votes + 10 WHERE id = 't-c1'")
    try harbour.settle()
    #expect(try votes(of: anna) == 11 && votes(of: ben) == 11)
    #expect(try anna.isSettled() && anna.dead() == [])
  }
}
