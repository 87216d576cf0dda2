import OffshoreWire
import Testing

@testable import OffshoreSimulator

/// Tests of the simulator's checks of a server.
struct ServerHistoryTests {
  private func row(
    _ generation: Int64, _ presence: RowState.Presence = .living, title: String = "~1.1",
    seq: Int64 = 1
  ) -> SyncedRow {
    SyncedRow(
      Samples.card, seq: seq,
      state: RowState(
        generation: generation, presence: presence, stamp: Samples.stamp(1),
        fields: ["title": WireValue(title)]))
  }

  private func result(_ outcome: BatchResult.Outcome, isRepeated: Bool = false) throws
    -> BatchResult
  {
    BatchResult(scope: try Samples.scope(), number: 1, outcome: outcome, isRepeated: isRepeated)
  }

  @Test func `A deleted row that returns in the same life is detected`() throws {
    var history = ServerHistory()
    let scope = try Samples.scope()
    #expect(history.check([row(1)], in: scope) == [])
    #expect(history.check([row(2, .deleted)], in: scope) == [])
    #expect(history.check([row(3)], in: scope) == [])
    #expect(history.check([row(2, .deleted)], in: scope).map(\.invariant) == [.monotonic])
    #expect(history.check([row(2)], in: scope).map(\.invariant) == [.noResurrection])
  }

  @Test func `A row whose tombstone was removed may begin its first life again`() throws {
    var history = ServerHistory()
    let scope = try Samples.scope()
    #expect(history.check([row(2, .deleted)], in: scope) == [])
    history.forget([Samples.card], in: scope)
    #expect(history.check([row(1)], in: scope) == [])
  }

  @Test func `The texts of a deleted row are buried, and those of a moved row are not`() throws {
    var history = ServerHistory()
    let (scope, other) = (try Samples.scope(), try Samples.scope("b2"))
    _ = history.check([row(1, title: "~1.1")], in: scope)
    _ = history.check([row(1, title: "~1.1")], in: other)
    _ = history.check([row(2, .deleted)], in: scope)
    #expect(history.buried == [])
    _ = history.check([row(2, .deleted)], in: other)
    #expect(history.buried == [Array("~1.1".utf8)])
  }

  @Test func `A row inserted again after its tombstone was removed is not buried`() throws {
    var history = ServerHistory()
    let scope = try Samples.scope()
    _ = history.check([row(1)], in: scope)
    _ = history.check([row(2, .deleted)], in: scope)
    #expect(history.buried == [Array("~1.1".utf8)])
    history.forget([Samples.card], in: scope)
    #expect(history.check([row(1)], in: scope) == [])
    #expect(history.buried == [[]])
  }

  @Test func `A batch gets one final answer, which is equal each time`() throws {
    var history = ServerHistory()
    let (device, range) = (Samples.device(1), SeqRange(first: 1, count: 2))
    #expect(history.check(try result(.gap(expected: 1)), of: device) == nil)
    #expect(history.check(try result(.applied(range)), of: device) == nil)
    #expect(history.check(try result(.applied(range), isRepeated: true), of: device) == nil)
    let again = history.check(try result(.applied(range)), of: device)
    #expect(again?.invariant == .effectOnce)
    let other = try result(.applied(SeqRange(first: 4, count: 1)), isRepeated: true)
    #expect(history.check(other, of: device)?.invariant == .effectOnce)
  }

  @Test func `A restored server may answer lost batches again`() throws {
    var history = ServerHistory()
    let device = Samples.device(1)
    let copy = history
    let applied = try result(.applied(SeqRange(first: 1, count: 2)))
    #expect(history.check(applied, of: device) == nil)
    var restored = copy
    restored.beginEpoch(after: history)
    #expect(restored.check(applied, of: device) == nil)
    #expect(restored.epochs == 1)
  }

  @Test func `A counter has the value of the last change up to a number`() throws {
    var history = ServerHistory()
    let (scope, counter) = (
      try Samples.scope(), Ledger.Counter(row: Samples.card, column: "votes")
    )
    for (seq, votes) in [(2, 5), (4, 8)] as [(Int64, Int64)] {
      let state = RowState(stamp: Samples.stamp(seq), fields: ["votes": .integer(votes)])
      _ = history.check([SyncedRow(Samples.card, seq: seq, state: state)], in: scope)
    }
    #expect((1...5).map { history.count(counter, in: scope, at: $0) } == [nil, 5, 5, 8, 8])
  }

  @Test func `An edit counts as applied from the last number of its batch`() throws {
    var history = ServerHistory()
    let op = Op(.increment, Samples.card, fields: ["votes": 1], stamp: Samples.stamp(5))
    let id = Samples.device(1).uuid
    let batch = Batch(try Samples.scope(), number: 1, id: id, ops: [op])
    history.noteApplied(batch, at: 10, upTo: 7)
    #expect(!history.isApplied(OpKey(op), by: 6))
    #expect(history.isApplied(OpKey(op), by: 7))
  }

  @Test func `The sum of the rows equals the digest`() throws {
    var history = ServerHistory()
    let scope = try Samples.scope()
    _ = history.check([row(1), row(2, .deleted)].prefix(1).map(\.self), in: scope)
    var digest = Digest()
    digest.add(row(1).state, of: Samples.card)
    #expect(history.sum(of: scope) == digest.value)
    _ = history.check([row(2, .deleted)], in: scope)
    #expect(history.sum(of: scope) == 0)
  }
}
