import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// A server whose data is restored from a copy, and no new epoch is begun.
struct ForgottenEpochTests: RestoredHarbour {
  let harbour: Harbour
  let copy: MemoryState

  init() throws { (harbour, copy) = try Self.makeCopy() }

  @Test func `Nothing is lost as long as the copy has fewer changes`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try vote(ben)
    try harbour.settle()
    try restore(epoch: nil)
    try settle(cat)
    #expect(try cat.dead() == ["tasks/t2 lostByRestore"])
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
    #expect(try votes() == .integer(1))
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `Nothing is lost if a device pushes before it pulls`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try vote(anna)
    try harbour.settle()
    try restore(epoch: nil)
    try anna.run("UPDATE tasks SET title = 'Lines' WHERE id = 't1'")
    let report = try anna.push()
    #expect(report?.needsPull == true)
    #expect(try anna.device.number("SELECT votes FROM tasks WHERE id = 't1'") == 1)
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Lines", "t2": "Ropes"])
    #expect(try votes() == .integer(1))
    for ship in harbour.ships { #expect(try ship.dead() == []) }
  }

  @Test func `A device notices it by its batches if others have reached its last change`() throws {
    try anna.run(Self.task("t2", "Ropes"))
    try vote(anna)
    try harbour.settle()
    try restore(epoch: nil)
    for number in 1...9 {
      try ben.run("UPDATE tasks SET note = \("\(number)") WHERE id = 't1'")
      try ben.push()
    }
    try settle(anna)
    #expect(try harbour.titles() == ["t1": "Sails", "t2": "Ropes"])
    #expect(try votes() == .integer(1) && anna.dead() == [])
  }

  @Test func `A batch that was answered after the request of a page may be missing on it`() throws {
    try anna.run("UPDATE tasks SET note = 'Dry'")
    _ = try anna.nextPush()
    harbour.now += 1
    try ben.run("UPDATE tasks SET note = 'Dry'")
    try ben.push()
    try anna.pullAll()
    let request = try anna.nextPull()
    let answer = try harbour.answer(request, of: anna.account)
    #expect(try anna.push()?.applied == 1)
    #expect(try anna.device.number("SELECT count(*) FROM _sent") > 0)
    #expect(try anna.take(answer, to: request).isComplete)
  }

  @Test func `Staged pages are dropped if a push finds that batches are missing`() throws {
    try ben.run(Self.task("t2", "Ropes"))
    try harbour.settle()
    for number in 1...20 { try anna.run(Self.task("u\(number)", "Lines")) }
    while try anna.push()?.hasMore == true {}
    harbour.pull = PullRules(.none, byteLimit: 500)
    let request = try ben.nextPull()
    let report = try ben.take(harbour.answer(request, of: ben.account), to: request)
    #expect(try !report.isComplete && ben.device.number("SELECT count(*) FROM _page") > 0)
    try restore(epoch: nil)
    try vote(ben)
    #expect(try ben.push()?.needsPull == true)
    #expect(try ben.device.number("SELECT count(*) FROM _page") == 0)
    try harbour.settle()
    #expect(try harbour.titles().count == 22 && harbour.titles()["t2"] == "Ropes")
    #expect(try votes() == .integer(1))
    for ship in harbour.ships { #expect(try ship.isSettled() && ship.dead() == []) }
  }
}
