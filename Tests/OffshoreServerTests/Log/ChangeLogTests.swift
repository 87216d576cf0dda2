import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour that every log shares, tested with each log.
struct ChangeLogTests {
  private let scope: ScopeID
  private let other: ScopeID

  init() throws {
    scope = try ScopeID("list/1")
    other = try ScopeID("list/2")
  }

  private func check(
    _ kind: LogKind, _ body: @escaping @Sendable (inout any ChangeLogWriter) throws -> Void
  ) async throws { try await onLog(kind, OneTransaction(body)) }

  // MARK: - Scopes

  @Test(arguments: LogKind.allCases)
  func `A scope without writes is empty and has the log's epoch`(kind: LogKind) async throws {
    try await check(kind) { [scope] log in
      let state = try log.scope(scope)
      #expect(state == ScopeState(epoch: 7))
      #expect(try log.rows(in: scope, after: 0, limit: 9).isEmpty)
    }
  }

  @Test(arguments: LogKind.allCases)
  func `The state of a scope is stored exactly, and other scopes do not change`(kind: LogKind)
    async throws
  {
    let state = ScopeState(
      head: 1 << 40, minSeq: 5, digest: Digest(value: .max - 3), conflicts: 1 << 41,
      epoch: .max - 1)
    try await check(kind) { [scope, other] log in
      try log.setScope(scope, state)
      #expect(try log.scope(scope) == state)
      #expect(try log.scope(other) == ScopeState(epoch: 7))
    }
  }

  @Test(arguments: LogKind.allCases)
  func `A new epoch applies to all scopes and resets acknowledgements`(
    kind: LogKind
  ) async throws {
    try await check(kind) { [scope, other] log in
      try log.setScope(scope, ScopeState(head: 3, epoch: 7))
      try log.setDevice(.sample(1), in: scope, DeviceState(lastNumber: 4, acknowledged: 3))
      try log.beginEpoch(.max)
      #expect(try log.epoch() == .max)
      #expect(try log.scope(scope) == ScopeState(head: 3, epoch: .max))
      #expect(try log.scope(other).epoch == .max)
      #expect(try log.device(.sample(1), in: scope) == DeviceState(lastNumber: 4))
    }
  }

  // MARK: - Rows

  @Test(arguments: LogKind.allCases)
  func `A row is read as it was written, and so is a tombstone`(kind: LogKind) async throws {
    try await check(kind) { [scope, other] log in
      for row in [
        SyncedRow.sample("a", seq: 1), .sample("b", seq: 2, .deleted), .sample("c", seq: 3, .moved),
      ] {
        try log.setRow(row, in: scope)
        #expect(try log.row(row.row, in: scope) == row)
        #expect(try log.row(row.row, in: other) == nil)
      }
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Rows after a sequence number are ordered by it, each once`(kind: LogKind) async throws {
    try await check(kind) { [scope] log in
      for (index, id) in ["d", "b", "a", "c"].enumerated() {
        try log.setRow(.sample(id, seq: Int64(index + 1)), in: scope)
      }
      try log.setRow(.sample("b", seq: 5), in: scope)
      let seqs = try log.rows(in: scope, after: 1, limit: 9).map(\.seq)
      #expect(seqs == [3, 4, 5])
      #expect(try log.rows(in: scope, after: 1, limit: 2).map(\.row.id) == ["a", "c"])
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Rows are read up to a number of bytes, and at least one`(
    kind: LogKind
  ) async throws {
    let text = WireValue.text(Array(repeating: 0x61, count: 1 << 20))
    let rows = (1...5).map { number in
      SyncedRow(
        RowID(table: "tasks", id: "\(number)"), seq: Int64(number),
        state: RowState(stamp: .at(1), fields: ["title": text]))
    }
    try await check(kind) { [scope] log in
      for row in rows { try log.setRow(row, in: scope) }
      for (bytes, count) in [(1, 1), (1 << 20, 1), (5 << 19, 3), (9 << 20, 5)] {
        for run in [
          try log.rows(in: scope, after: 0, limit: 9, bytes: bytes),
          try log.rows(in: scope, after: nil as RowID?, limit: 9, bytes: bytes),
        ] {
          #expect(run.rows.map(\.synced) == Array(rows.prefix(count)))
          #expect(run.isCut == (count < 5))
        }
      }
      #expect(try log.rows(in: scope, after: 1, limit: 2, bytes: .max).isCut)
      #expect(try !log.rows(in: scope, after: 1, limit: 5, bytes: .max).isCut)
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Rows are ordered by the bytes of table and id`(kind: LogKind) async throws {
    try await check(kind) { [scope] log in
      let places = [
        ("tasks", "b"), ("tasks", "B"), ("Tasks", "z"), ("tasks", "10"), ("tasks", "9"),
      ]
      for (index, (table, id)) in places.enumerated() {
        try log.setRow(.sample(id, seq: Int64(index + 1), table: table), in: scope)
      }
      let all = try log.rows(in: scope, after: nil as RowID?, limit: 9).map(\.row)
      #expect(all.map(\.id) == ["z", "10", "9", "B", "b"])
      #expect(all == all.sorted())
      #expect(try log.rows(in: scope, after: all[1], limit: 2).map(\.row.id) == ["9", "B"])
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Collection removes the tombstones up to a number and nothing else`(
    kind: LogKind
  ) async throws {
    try await check(kind) { [scope, other] log in
      try log.setScope(scope, ScopeState(head: 4, epoch: 7))
      for row in [
        SyncedRow.sample("a", seq: 1), .sample("b", seq: 2, .deleted), .sample("c", seq: 3, .moved),
        .sample("d", seq: 4, .deleted),
      ] { try log.setRow(row, in: scope) }
      try log.setRow(.sample("b", seq: 2, .deleted), in: other)
      try log.collect(scope, upTo: 3)
      #expect(try log.rows(in: scope, after: 0, limit: 9).map(\.row.id) == ["a", "d"])
      #expect(try log.rows(in: other, after: 0, limit: 9).count == 1)
      #expect(try log.scope(scope).minSeq == 3)
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Collection does not lower the smallest number, nor raise it beyond the head`(kind: LogKind)
    async throws
  {
    try await check(kind) { [scope] log in
      try log.setScope(scope, ScopeState(head: 4, minSeq: 2, epoch: 7))
      try log.collect(scope, upTo: 1)
      #expect(try log.scope(scope).minSeq == 2)
      try log.collect(scope, upTo: 99)
      #expect(try log.scope(scope).minSeq == 4)
    }
  }

  // MARK: - Devices and grants

  @Test(arguments: LogKind.allCases)
  func `The state of a device is stored for each scope`(kind: LogKind) async throws {
    let state = DeviceState(
      account: .sample(3), lastNumber: 8, acknowledged: 1 << 40, hasRefusals: true, forbiddenOps: 9)
    try await check(kind) { [scope, other] log in
      try log.setDevice(.sample(1), in: scope, DeviceState(lastNumber: 7))
      try log.setDevice(.sample(1), in: scope, state)
      #expect(try log.device(.sample(1), in: scope) == state)
      #expect(try log.device(.sample(2), in: scope) == DeviceState())
      #expect(try log.device(.sample(1), in: other) == DeviceState())
      #expect(try log.deviceCount(of: .sample(3), in: scope) == 1)
      #expect(try log.deviceCount(of: .sample(4), in: scope) == 0)
      #expect(try log.deviceCount(of: .sample(3), in: other) == 0)
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Results are read with their hashes`(kind: LogKind) async throws {
    let rejection = Rejection(.gone, "It is gone.", row: RowID(table: "tasks", id: "a"))
    let results = [
      StoredResult(
        hash: ContentHash(of: [1]), outcome: .applied(SeqRange(first: 3, count: 0))),
      StoredResult(
        hash: ContentHash(of: [2]), outcome: .rejected(rejection, current: .sample("a", seq: 2))),
    ]
    try await check(kind) { [scope, other] log in
      for (index, result) in results.enumerated() {
        let number = Int64(index + 1)
        try log.addResult(result, of: number, by: .sample(1), in: scope)
        #expect(try log.result(of: number, by: .sample(1), in: scope) == result)
        #expect(try log.result(of: number, by: .sample(2), in: scope) == nil)
        #expect(try log.result(of: number, by: .sample(1), in: other) == nil)
      }
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Refused ops are found by row, in the order of arrival`(kind: LogKind) async throws {
    let row = RowID(table: "tasks", id: "a")
    let refusals = [
      Refusal(Op(.patch, row, generation: 3, stamp: .at(9))),
      Refusal(Op(.put, row, stamp: .at(4))),
    ]
    try await check(kind) { [scope] log in
      for refusal in refusals { try log.addRefusal(refusal, by: .sample(1), in: scope) }
      #expect(try log.refusals(of: row, by: .sample(1), in: scope) == refusals)
      #expect(try log.refusals(of: row, by: .sample(2), in: scope).isEmpty)
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Refused ops are removed by row and stamp`(kind: LogKind) async throws {
    let row = RowID(table: "tasks", id: "a")
    let kept = Refusal(Op(.patch, row, stamp: .at(9)))
    try await check(kind) { [scope, other] log in
      try log.addRefusal(Refusal(Op(.put, row, stamp: .at(4))), by: .sample(1), in: scope)
      try log.addRefusal(kept, by: .sample(1), in: scope)
      try log.removeRefusals(of: row, at: .at(4), by: .sample(1), in: scope)
      try log.removeRefusals(of: row, at: .at(9), by: .sample(2), in: scope)
      try log.removeRefusals(of: row, at: .at(9), by: .sample(1), in: other)
      try log.removeRefusals(
        of: RowID(table: "tasks", id: "b"), at: .at(9), by: .sample(1), in: scope)
      #expect(try log.refusals(of: row, by: .sample(1), in: scope) == [kept])
    }
  }

  @Test(arguments: LogKind.allCases)
  func `A grant replaces the previous one of its scope, with the account's next number`(
    kind: LogKind
  ) async throws {
    try await check(kind) { [scope, other] log in
      try log.grant(.owner, to: .sample(1), in: scope)
      try log.grant(.viewer, to: .sample(1), in: other)
      try log.grant(.owner, to: .sample(2), in: other)
      let last = try log.grant(.left, to: .sample(1), in: scope)
      #expect(last == Grant(scope, .left, seq: 3))
      #expect(try log.grant(of: .sample(1), in: scope) == last)
      #expect(try log.grant(of: .sample(2), in: scope) == nil)
      #expect(try log.grants(of: .sample(1), after: 0) == [Grant(other, .viewer, seq: 2), last])
      #expect(try log.grants(of: .sample(1), after: 2) == [last])
    }
  }

  // MARK: - Transactions

  @Test(arguments: LogKind.allCases)
  func `A transaction that throws changes nothing`(kind: LogKind) async throws {
    struct Failure: Error {}
    struct Failing: LogTest {
      let scope: ScopeID

      func run(on log: some ChangeLog) async throws {
        let written: Bool? = try? await log.write { [scope] transaction in
          try transaction.setRow(.sample("a", seq: 1), in: scope)
          throw Failure()
        }
        #expect(written == nil)
        let rows = try await log.read { [scope] in try $0.rows(in: scope, after: 0, limit: 9) }
        #expect(rows.isEmpty)
      }
    }
    try await onLog(kind, Failing(scope: scope))
  }

  @Test(arguments: LogKind.allCases)
  func `A read sees the committed rows`(kind: LogKind) async throws {
    struct Reading: LogTest {
      let scope: ScopeID

      func run(on log: some ChangeLog) async throws {
        try await log.write { [scope] in try $0.setRow(.sample("a", seq: 1), in: scope) }
        let rows = try await log.read { [scope] in try $0.rows(in: scope, after: 0, limit: 9) }
        #expect(rows == [.sample("a", seq: 1)])
      }
    }
    try await onLog(kind, Reading(scope: scope))
  }
}
