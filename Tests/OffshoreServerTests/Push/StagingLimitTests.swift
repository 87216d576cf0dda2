import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The memory that a batch needs, and the generations that it may write.
struct StagingLimitTests {
  private var server: TestServer
  private let big = WireValue.text(Array(repeating: 0x61, count: 10_000))

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1)])
  }

  /// Inserts tasks of ten kilobytes each, by another device.
  private mutating func insert(_ count: Int, after: String? = nil) throws {
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    let more = ["note": big, "after": after.map { WireValue($0) } ?? .null]
    let ops = (0..<count).map { Op.task("t\($0)", at: 10 + Int64($0), by: 2, more) }
    #expect(try server.push(1, ops, device: 2, account: 2)?.range?.count == Int64(count))
  }

  // MARK: - Staged rows

  @Test mutating func `A batch that changes too many large rows is refused`() throws {
    try insert(20)
    server.pushRules.maximumStagedBytes = 100_000
    let before = try server.scope()
    let ops = (0..<20).map { Op.edit("t\($0)", ["title": "x"], at: 100) }
    guard case .rejected(let rejection, _)? = try server.push(2, ops) else {
      Issue.record("The batch is applied.")
      return
    }
    #expect(rejection.code == .tooLarge && rejection.row == Lists.task("t4"))
    #expect(try server.scope() == before)
    #expect(try server.push(3, Array(ops.prefix(4)))?.range?.count == 4)
  }

  @Test func `The limit of staged rows is 64 MiB, for rows of every size`() throws {
    #expect(server.pushRules.maximumStagedBytes == 67_108_864)
    #expect(server.pushRules.maximumStagedBytes > 4 * WireLimits.rowBytes)
  }

  @Test mutating func `Edits of one large row count the row once`() throws {
    try insert(1)
    server.pushRules.maximumStagedBytes = 30_000
    let ops = (0..<20).map { Op.edit("t0", ["title": WireValue("\($0)")], at: 100 + $0) }
    #expect(try server.push(2, ops)?.range?.count == 20)
  }

  @Test mutating func `The values of conflicts count like rows`() throws {
    try insert(1)
    server.pushRules.maximumStagedBytes = 60_000
    let ops = (0..<7).map { Op.edit("t0", ["note": WireValue("\($0)")], at: 2 + $0) }
    let before = try server.scope()
    #expect(try server.push(2, ops)?.rejection == .tooLarge)
    #expect(try server.scope() == before)
    #expect(try server.push(3, Array(ops.prefix(3)))?.range?.count == 3)
    #expect(try server.scope().conflicts == 3)
  }

  // MARK: - Time

  @Test mutating func `A batch whose edits merge a large row very often is refused`() throws {
    try insert(1)
    server.pushRules.maximumProcessedBytes = 200_000
    let ops = (0..<20).map { Op.edit("t0", ["title": WireValue("\($0)")], at: 100 + $0) }
    let before = try server.scope()
    #expect(try server.push(2, ops)?.rejection == .tooLarge)
    #expect(try server.scope() == before)
    #expect(try server.push(3, Array(ops.prefix(5)))?.range?.count == 5)
  }

  @Test mutating func `A push of large rows leaves its last batches for the next one`() throws {
    try insert(6)
    server.pushRules.processedBytesPerPush = 50_000
    let batches = try (0..<6).map {
      try TestServer.batch(Int64(2 + $0), [.edit("t\($0)", ["title": "x"], at: 100 + $0)])
    }
    let first = try server.push(batches).results
    #expect(first.map(\.number) == [2, 3] && first.allSatisfy { $0.outcome.range?.count == 1 })
    let second = try server.push(Array(batches.dropFirst(2))).results
    #expect(second.map(\.number) == [4, 5] && second.allSatisfy { $0.outcome.range?.count == 1 })
  }

  @Test mutating func `The digest after many edits of a row is that of its last state`() throws {
    try insert(1)
    let ops = (0..<20).map { Op.edit("t0", ["title": WireValue("\($0)")], at: 100 + $0) }
    _ = try server.push(2, ops)
    var digest = Digest()
    for row in [Lists.list(), Lists.task("t0")] {
      digest.add(try #require(try server.state(row)), of: row)
    }
    #expect(try server.scope().digest == digest)
  }

  @Test mutating func `References to large rows need no memory for them`() throws {
    try insert(20)
    server.pushRules.maximumStagedBytes = 100_000
    let ops = (0..<20).map {
      Op.task("u\($0)", at: 100, ["after": WireValue("t\($0)")])
    }
    let (outcome, counts) = try server.counting(2, ops)
    #expect(outcome?.range?.count == 20)
    // Only the rows of the batch itself are read with their values.
    #expect(counts.mostHeld <= 20)
  }

  // MARK: - Cascades

  @Test mutating func `A deletion ends any number of rows, one after the other`() throws {
    _ = try server.push(2, [.task("p", at: 5)])
    try insert(30, after: "p")
    server.pushRules.maximumStagedBytes = 30_000
    let (outcome, counts) = try server.counting(3, [.delete(Lists.list(), at: 100)])
    // The list and its 31 tasks.
    #expect(outcome?.range?.count == 32)
    #expect(counts.mostHeld <= 2)
    let scope = try server.scope()
    #expect(scope.usage == StorageUsage() && scope.digest == Digest())
    #expect(server.log.conflicts(in: try Lists.scope(), after: 0, limit: .max).count > 30)
  }

  /// The bytes of the values in the scope's conflicts.
  private func conflictBytes() throws -> Int {
    server.log.conflicts(in: try Lists.scope(), after: 0, limit: .max)
      .reduce(0) { $0 + $1.conflict.losing.byteCount + ($1.conflict.winning?.byteCount ?? 0) }
  }

  @Test mutating func `The conflicts of a deletion are no larger than the rows it ends`() throws {
    _ = try server.push(2, [.task("p", at: 5)])
    try insert(30, after: "p")
    let stored = Int(try server.scope().usage.bytes)
    // The references become NULL, and a second deletion finds none.
    for (number, generation) in [(3, 1), (5, 3)] as [(Int64, Int64)] {
      _ = try server.push(
        number, [.delete(Lists.task("p"), generation: generation, at: 100 + number)])
      _ = try server.push(
        number + 1, [.task("p", generation: generation + 2, at: 101 + number)])
      #expect(server.log.conflicts(in: try Lists.scope(), after: 0, limit: .max).count == 30)
    }
    _ = try server.push(7, [.delete(Lists.list(), at: 200)])
    #expect(try conflictBytes() > 300_000 && conflictBytes() <= stored)
  }

  @Test mutating func `Rows that a deletion ends leave later batches for the next push`() throws {
    _ = try server.push(2, [.task("p", at: 5)])
    try insert(30, after: "p")
    server.pushRules.processedBytesPerPush = 500_000
    let batches = [
      try TestServer.batch(3, [.delete(Lists.task("p"), at: 100)]),
      try TestServer.batch(4, [.edit("t0", ["title": "x"], at: 101)]),
    ]
    let first = try server.push(batches).results
    #expect(first.map(\.number) == [3] && first.first?.outcome.range?.count == 31)
    let second = try server.push([batches[1]]).results
    #expect(second.map(\.number) == [4] && second.first?.outcome.range?.count == 1)
  }

  // MARK: - Generations

  @Test mutating func `A generation that no life of a row can have reached is refused`() throws {
    for generation in [1 << 48, 1 << 30] as [Int64] {
      let number = server.log.device(.sample(1), in: try Lists.scope()).lastNumber + 1
      let put = Op.task("x", generation: generation, at: 10)
      #expect(try server.push(number, [put])?.rejection == .invalidOp)
    }
    let put = Op.task("x", at: 20)
    #expect(try server.push(4, [put])?.range?.count == 1)
  }

  @Test mutating func `A known row has its next generation only`() throws {
    _ = try server.push(2, [.task("x", at: 10), .delete(Lists.task("x"), at: 11)])
    #expect(
      try server.push(3, [.task("x", generation: 5, at: 12)])?.rejection == .dependency)
    #expect(try server.push(4, [.task("x", generation: 3, at: 13)])?.range?.count == 1)
  }

  @Test mutating func `A row is inserted again after its tombstone was collected`() throws {
    _ = try server.push(2, [.task("x", at: 10), .delete(Lists.task("x"), at: 11)])
    try server.log.collect(Lists.scope(), upTo: server.scope().head)
    #expect(try server.push(3, [.task("x", generation: 3, at: 12)])?.range?.count == 1)
  }

  @Test mutating func `An insertion after refused lives of its row is accepted`() throws {
    let row = Lists.task("x")
    #expect(try server.push(1, in: "2", [.list("2", at: 1)]) != nil)
    #expect(
      try server.push(2, in: "2", [.task("x", in: "2", at: 2, ["title": 1])])?.rejection != nil)
    #expect(try server.push(3, in: "2", [.delete(row, at: 3)])?.rejection == .dependency)
    let put = Op.task("x", in: "2", generation: 3, at: 4)
    #expect(try server.push(4, in: "2", [put])?.range?.count == 1)
  }
}
