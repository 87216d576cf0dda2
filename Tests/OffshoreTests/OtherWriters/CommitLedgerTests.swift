import TestSupport
import Testing

@testable import Offshore

struct CommitLedgerTests {
  /// Advances a ledger through the commit numbers, and returns whether each step found another
  /// process's commit.
  private func advance(_ ledger: inout CommitLedger, to numbers: UInt32...) -> [Bool] {
    numbers.map { ledger.advance(to: $0) }
  }

  @Test func `A commit that this process expected is not reported`() {
    var ledger = CommitLedger(seen: 7)
    ledger.expect(8)
    ledger.settle(8, isWritten: true)
    let results = advance(&ledger, to: 8, 8)
    #expect(results == [false, false])
  }

  @Test func `An unexpected commit belongs to another process, and is reported once`() {
    var ledger = CommitLedger(seen: 7)
    let results = advance(&ledger, to: 8, 8, 9)
    #expect(results == [true, false, true])
  }

  @Test func `A commit of another process between two of this one is found`() {
    var ledger = CommitLedger(seen: 0)
    for own: UInt32 in [1, 3] {
      ledger.expect(own)
      ledger.settle(own, isWritten: true)
    }
    let results = advance(&ledger, to: 3, 3)
    #expect(results == [true, false])
  }

  @Test func `A commit that is seen before it is settled is checked later`() {
    var ledger = CommitLedger(seen: 0)
    ledger.expect(1)
    let early = advance(&ledger, to: 1)
    ledger.settle(1, isWritten: true)
    let late = advance(&ledger, to: 1)
    #expect(early == [false] && late == [false])
    #expect(ledger.seen == 1)
  }

  @Test func `If a commit wrote nothing, its number belongs to another process's commit`() {
    var ledger = CommitLedger(seen: 0)
    ledger.expect(1)
    let early = advance(&ledger, to: 1)
    ledger.settle(1, isWritten: false)
    let late = advance(&ledger, to: 1)
    #expect(early == [false] && late == [true])
  }

  @Test func `Numbers continue after the highest one`() {
    var ledger = CommitLedger(seen: .max - 1)
    ledger.expect(.max)
    ledger.settle(.max, isWritten: true)
    ledger.expect(0)
    ledger.settle(0, isWritten: true)
    let results = advance(&ledger, to: 0, 1)
    #expect(results == [false, true])
  }

  @Test(arguments: [0, 3, 99_999, UInt32.max]) func `A counter that restarts is a commit`(
    number: UInt32
  ) {
    var ledger = CommitLedger(seen: 5000)
    let results = advance(&ledger, to: number, number)
    #expect(results == [true, false])
  }

  @Test
  func `In any order, exactly the commits of other processes are found`() {
    var random = SeededRandom(seed: 21)
    for _ in 0..<500 {
      var counter = UInt32.random(in: .min ... .max, using: &random)
      var ledger = CommitLedger(seen: counter)
      // One writes at a time, but two commits of this process may be settled late.
      var unsettled: [(number: UInt32, isWritten: Bool)] = []
      var foreign: Set<UInt32> = []
      func advance() {
        let isFound = ledger.advance(to: counter)
        let accounted = foreign.filter { ledger.seen &- $0 < 1 << 31 }
        if isFound == accounted.isEmpty { Issue.record("Of another process: \(accounted)") }
        foreign.subtract(accounted)
      }
      for _ in 0..<200 {
        let next = counter &+ 1
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          counter = next
          foreign.insert(next)
        case 1 where unsettled.count < 2 && !unsettled.contains { $0.number == next }:
          let isWritten = Bool.random(using: &random)
          ledger.expect(next)
          unsettled.append((next, isWritten))
          if isWritten { counter = next }
        case 2 where !unsettled.isEmpty:
          let commit = unsettled.remove(at: Int.random(in: unsettled.indices, using: &random))
          ledger.settle(commit.number, isWritten: commit.isWritten)
        default: advance()
        }
      }
      for commit in unsettled { ledger.settle(commit.number, isWritten: commit.isWritten) }
      advance()
      #expect(ledger.seen == counter)
      #expect(foreign.isEmpty)
    }
  }
}
