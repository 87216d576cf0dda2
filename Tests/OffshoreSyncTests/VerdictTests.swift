import Foundation
import OffshoreWire
import Testing

@testable import OffshoreSync

/// The results of a refused batch for its ops.
struct VerdictTests {
  private static func row(_ id: String) -> RowID { RowID(table: "tasks", id: id) }

  private static func op(_ id: String, _ kind: Op.Kind = .patch) -> Op {
    Op(kind, row(id), stamp: Stamp(milliseconds: 5, device: TestDevice.id))
  }

  /// Returns a batch of patches of "a", "b" and "c". The first two are of one write.
  private func batch(
    _ ops: [Op] = [op("a"), op("b"), op("c")], parts: [Int] = [1, 1, 2], attempts: Int64 = 0
  ) throws -> SealedBatch {
    let batch = Batch(try ScopeID("charter/c1"), number: 1, id: UUID(), ops: ops)
    return SealedBatch(
      device: TestDevice.id, batch: batch, parts: parts, made: 7, attempts: attempts)
  }

  private func verdict(
    _ sealed: SealedBatch, _ code: Rejection.Code, row: RowID? = row("b"), limit: Int = 1,
    early: Set<RowID> = []
  ) -> Verdict {
    Verdict(sealed, Rejection(code, "No.", row: row), limit: limit, early: early)
  }

  private func ids(_ ops: [Op]) -> [String] { ops.map(\.row.id) }

  @Test func `Ops of the refused row's write are refused, and the others are sealed again`()
    throws
  {
    let verdict = verdict(try batch(), .invalidValue)
    #expect(ids(verdict.dead) == ["a", "b"])
    #expect(ids(verdict.again) == ["c"])
    #expect(verdict.sealedAgain.map(\.parts) == [[2]])
    #expect(verdict.done == [])
    #expect(verdict.sealedAgain.map(\.attempts) == [0])
  }

  @Test func `If no row is named, all ops are refused`() throws {
    let verdict = verdict(try batch(), .forbidden, row: nil)
    #expect(ids(verdict.dead) == ["a", "b", "c"])
    #expect(verdict.sealedAgain.isEmpty)
  }

  @Test func `If the named row is not in the batch, all ops are refused`() throws {
    #expect(ids(verdict(try batch(), .invalidOp, row: Self.row("z")).dead) == ["a", "b", "c"])
  }

  @Test(arguments: [(0, true), (1, true), (2, false)])
  func `An op is sealed again until the limit of attempts`(attempts: Int64, isKept: Bool) throws {
    let verdict = verdict(try batch(attempts: attempts), .dependency, limit: 3)
    #expect(ids(verdict.again) == (isKept ? ["a", "b", "c"] : ["c"]))
    #expect(verdict.sealedAgain.map(\.attempts) == [isKept ? attempts + 1 : attempts])
  }

  @Test func `Deleting a missing row counts as done, and refuses no other op`() throws {
    let ops = [Self.op("a"), Self.op("b", .delete), Self.op("c")]
    let verdict = verdict(try batch(ops), .gone)
    #expect(ids(verdict.done) == ["b"])
    #expect(ids(verdict.again) == ["a", "c"])
    #expect(verdict.sealedAgain.map(\.parts) == [[1, 2]])
    #expect(verdict.dead == [])
  }

  @Test func `Ops that change and delete a missing row are refused`() throws {
    let ops = [Self.op("b"), Self.op("b", .delete), Self.op("c")]
    let verdict = verdict(try batch(ops), .gone)
    #expect(ids(verdict.dead) == ["b", "b"])
    #expect(verdict.done == [])
  }

  @Test func `An op that comes too early is sealed again by itself, after the others`() throws {
    let ops = [Self.op("b", .delete), Self.op("a"), Self.op("c")]
    let verdict = verdict(try batch(ops), .gone, early: [Self.row("a"), Self.row("b")])
    #expect(verdict.sealedAgain.map { ids($0.ops) } == [["c"], ["b", "a"]])
    #expect(verdict.sealedAgain.map(\.parts) == [[2], [1, 1]])
    #expect(verdict.sealedAgain.map(\.attempts) == [0, 1])
    #expect(verdict.done == [])
    #expect(verdict.dead == [])
  }

  @Test func `An op that is too early at each attempt is refused, even a deletion`() throws {
    let sealed = try batch([Self.op("b", .delete)], parts: [1], attempts: 10)
    #expect(ids(verdict(sealed, .gone, early: [Self.row("b")]).dead) == ["b"])
  }
}

extension Verdict {
  /// The ops that are sealed again.
  fileprivate var again: [Op] { sealedAgain.flatMap(\.ops) }
}
