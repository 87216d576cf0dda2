import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The refused ops that are stored, and the cost of looking them up.
struct RefusalLimitTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  /// Returns edits of one task, with stamps from a time on.
  private func edits(_ count: Int, from time: Int64) -> [Op] {
    (0..<Int64(count)).map { .edit("a", ["note": WireValue("note \($0)")], at: time + $0) }
  }

  private func refusals() throws -> [Refusal] {
    server.log.refusals(of: Lists.task("a"), by: .sample(1), in: try Lists.scope())
  }

  @Test mutating func `Rejected batches on a row do not make later batches on it expensive`() throws
  {
    for batch in 0..<10 {
      let number = Int64(batch + 2)
      let ops = [.edit("a", ["title": 1], at: 3)] + edits(4_999, from: Int64(batch) * 5_000 + 10)
      #expect(try server.push(number, ops)?.rejection == .invalidValue)
    }
    #expect(try refusals().count == RefusalRecorder.limit)
    let (outcome, counts) = try server.counting(12, edits(5_000, from: 60_000))
    #expect(outcome?.range?.count == 5_000)
    #expect(counts.refusals <= RefusalRecorder.limit + 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A file takes a batch after rejected ones as fast as before`() async throws {
    let storage = try SQLiteStorage.temporary(epoch: 7)
    let (rules, scope) = (server.pushRules, try Lists.scope())
    _ = try await storage.write { try $0.grant(.owner, to: .sample(1), in: scope) }
    func push(_ number: Int64, _ ops: [Op]) async throws -> Duration {
      let push = try rules.verified(
        PushRequest(
          device: .sample(1), epoch: 7, manifestVersion: 1,
          batches: [try TestServer.batch(number, ops)]))
      let start = ContinuousClock.now
      _ = try await storage.write {
        try rules.apply(push, of: .sample(1), at: 1_000_000, to: &$0)
      }
      return ContinuousClock.now - start
    }
    _ = try await push(1, [.list(at: 1), .task("a", at: 2)])
    let clean = try await push(2, edits(1_000, from: 10))
    for number in 3..<13 as Range<Int64> {
      let ops = [.edit("a", ["title": 1], at: 3)] + edits(4_999, from: number * 5_000)
      _ = try await push(number, ops)
    }
    let later = try await push(13, edits(1_000, from: 90_000))
    #expect(later < clean * 3 + .milliseconds(200))
    await storage.close()
  }

  @Test(arguments: [1_000, 1_000_000])
  mutating func `Ops on rows that no table can have are not stored`(length: Int) throws {
    let row = RowID(table: "tasks", id: String(repeating: "a", count: length))
    let other = RowID(table: String(repeating: "t", count: length), id: "a")
    let field = String(repeating: "f", count: length)
    for (number, op) in [
      Op(.put, row, fields: ["listID": "1"], stamp: .at(5)),
      Op(.put, other, fields: ["listID": "1"], stamp: .at(5)),
      Op(.patch, Lists.task("a"), fields: [field: "x"], stamp: .at(5)),
    ].enumerated() {
      guard case .rejected(let rejection, _)? = try server.push(Int64(number + 2), [op]) else {
        Issue.record("The batch is applied.")
        return
      }
      #expect(rejection.encoded().count < 3_000)
    }
    for row in [row, other] {
      #expect(server.log.refusals(of: row, by: .sample(1), in: try Lists.scope()).isEmpty)
    }
  }

  // MARK: - Stored ops

  private func refusal(_ time: Int64, generation: Int64 = 1, inserts: Bool = false) -> Refusal {
    Refusal(Lists.task("a"), generation: generation, isInsertion: inserts, stamp: .at(time))
  }

  @Test func `The latest refused ops are stored, and the insertion of the lowest generation`() {
    let first = [refusal(1), refusal(2, generation: 3, inserts: true), refusal(3, inserts: true)]
    let last = (10..<Int64(10 + RefusalRecorder.limit)).map { refusal($0) }
    #expect(RefusalRecorder.retained(of: first) == first)
    #expect(RefusalRecorder.retained(of: first + last) == [first[2]] + last)
    #expect(
      RefusalRecorder.retained(of: last + first.prefix(1)) == Array(last.dropFirst()) + [first[0]])
  }

  @Test func `An op that is refused again is stored once`() {
    let ops = [refusal(1), refusal(2), refusal(1)]
    #expect(RefusalRecorder.retained(of: ops) == [refusal(2), refusal(1)])
  }

  @Test mutating func `An edit of a row depends on its refused insertion, however many followed`()
    throws
  {
    let put = Op.task("b", at: 3, ["title": 1])
    #expect(try server.push(2, [put])?.rejection == .invalidValue)
    for number in 3..<6 as Range<Int64> {
      let ops = (0..<50).map { Op.edit("b", ["note": "x"], at: number * 100 + $0) }
      #expect(try server.push(number, ops)?.rejection == .dependency)
    }
    #expect(
      try server.push(6, [.edit("b", ["note": "y"], at: 900)])?.rejection == .dependency)
  }

  @Test mutating func `An edit depends on the latest refused one`() throws {
    let ops = [.edit("a", ["title": 1], at: 3)] + edits(200, from: 10)
    #expect(try server.push(2, ops)?.rejection == .invalidValue)
    let edit = Op.edit("a", ["note": "x"], base: ["note": .at(209)], at: 300)
    #expect(try server.push(3, [edit])?.rejection == .dependency)
  }
}
