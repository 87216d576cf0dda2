import Foundation
import OffshoreWire
import Testing

@testable import OffshoreSync

/// What becomes of the ops of a refused batch.
struct VerdictTests {
  private static func row(_ id: String) -> RowID { RowID(table: "tasks", id: id) }

  private static func op(_ id: String, _ kind: Op.Kind = .patch) -> Op {
    Op(kind, row(id), stamp: Stamp(milliseconds: 5, device: TestDevice.id))
  }

  /// A batch of a patch of "a", "b" and "c", of which the first two were written together.
  private func batch(
    _ ops: [Op] = [op("a"), op("b"), op("c")], parts: [Int] = [1, 1, 2], attempts: Int64 = 0
  ) throws -> SealedBatch {
    let batch = Batch(try ScopeID("charter/c1"), number: 1, id: UUID(), ops: ops)
    var sealed = SealedBatch(device: TestDevice.id, batch: batch, parts: parts, made: 7)
    sealed.attempts = attempts
    return sealed
  }

  private func verdict(
    _ sealed: SealedBatch, _ code: Rejection.Code, row: RowID? = row("b"), limit: Int = 1,
    early: Set<RowID> = []
  ) -> Verdict {
    Verdict(sealed, Rejection(code, "No.", row: row), limit: limit, early: early)
  }

  private func ids(_ ops: [Op]) -> [String] { ops.map(\.row.id) }

  @Test func `What was written with the refused row is set aside, and the rest sealed again`()
    throws
  {
    let verdict = verdict(try batch(), .invalidValue)
    #expect(ids(verdict.dead) == ["a", "b"])
    #expect(ids(verdict.again) == ["c"])
    #expect(verdict.sealedAgain.map(\.parts) == [[2]])
    #expect(verdict.done == [])
    #expect(verdict.sealedAgain.map(\.attempts) == [0])
  }

  @Test func `Where no row is named all of it is set aside`() throws {
    let verdict = verdict(try batch(), .forbidden, row: nil)
    #expect(ids(verdict.dead) == ["a", "b", "c"])
    #expect(verdict.sealedAgain.isEmpty)
  }

  @Test func `Where a row is named that the batch does not have all of it is set aside`() throws {
    #expect(ids(verdict(try batch(), .invalidOp, row: Self.row("z")).dead) == ["a", "b", "c"])
  }

  @Test(arguments: [(0, true), (1, true), (2, false)])
  func `What may be sent more often is sealed again as often`(attempts: Int64, isKept: Bool) throws
  {
    let verdict = verdict(try batch(attempts: attempts), .dependency, limit: 3)
    #expect(ids(verdict.again) == (isKept ? ["a", "b", "c"] : ["c"]))
    #expect(verdict.sealedAgain.map(\.attempts) == [isKept ? attempts + 1 : attempts])
  }

  @Test func `A deletion of what is gone has come true, and takes nothing with it`() throws {
    let ops = [Self.op("a"), Self.op("b", .delete), Self.op("c")]
    let verdict = verdict(try batch(ops), .gone)
    #expect(ids(verdict.done) == ["b"])
    #expect(ids(verdict.again) == ["a", "c"])
    #expect(verdict.sealedAgain.map(\.parts) == [[1, 2]])
    #expect(verdict.dead == [])
  }

  @Test func `A row that was changed before it was deleted is set aside where it is gone`() throws {
    let ops = [Self.op("b"), Self.op("b", .delete), Self.op("c")]
    let verdict = verdict(try batch(ops), .gone)
    #expect(ids(verdict.dead) == ["b", "b"])
    #expect(verdict.done == [])
  }

  @Test func `What comes too early is sealed again by itself, behind the rest`() throws {
    let ops = [Self.op("b", .delete), Self.op("a"), Self.op("c")]
    let verdict = verdict(try batch(ops), .gone, early: [Self.row("a"), Self.row("b")])
    #expect(verdict.sealedAgain.map { ids($0.ops) } == [["c"], ["b", "a"]])
    #expect(verdict.sealedAgain.map(\.parts) == [[2], [1, 1]])
    #expect(verdict.sealedAgain.map(\.attempts) == [0, 1])
    #expect(verdict.done == [])
    #expect(verdict.dead == [])
  }

  @Test func `What is too early time and again is set aside, a deletion too`() throws {
    let sealed = try batch([Self.op("b", .delete)], parts: [1], attempts: 10)
    #expect(ids(verdict(sealed, .gone, early: [Self.row("b")]).dead) == ["b"])
  }
}

extension Verdict {
  /// The ops that are sealed again.
  fileprivate var again: [Op] { sealedAgain.flatMap(\.ops) }
}
