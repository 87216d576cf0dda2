import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The behaviour that all storages share.
struct StorageTests {
  private let scope: ScopeID
  private let other: ScopeID

  init() throws {
    scope = try ScopeID("list/1")
    other = try ScopeID("list/2")
  }

  // MARK: - Scopes

  @Test(arguments: StorageKind.allCases)
  func `A scope without writes is empty and has the log's epoch`(kind: StorageKind) async throws {
    try await kind.write { [scope] log in
      let state = try log.scope(scope)
      #expect(state == ScopeState(epoch: 7))
      #expect(try log.rows(in: scope, after: 0, limit: 9).isEmpty)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `The state of a scope is stored exactly, and other scopes do not change`(kind: StorageKind)
    async throws
  {
    let state = ScopeState(
      head: 1 << 40, minSeq: 5, digest: Digest(value: .max - 3), conflicts: 1 << 41,
      epoch: .max - 1)
    try await kind.write { [scope, other] log in
      try log.setScope(scope, state)
      #expect(try log.scope(scope) == state)
      #expect(try log.scope(other) == ScopeState(epoch: 7))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `A new epoch applies to all scopes and resets acknowledgements`(
    kind: StorageKind
  ) async throws {
    try await kind.write { [scope, other] log in
      try log.setScope(scope, ScopeState(head: 3, epoch: 7))
      try log.setDevice(.sample(1), in: scope, StoredDevice(lastNumber: 4, acknowledged: 3))
      try log.beginEpoch(.max)
      #expect(try log.epoch() == .max)
      #expect(try log.scope(scope) == ScopeState(head: 3, epoch: .max))
      #expect(try log.scope(other).epoch == .max)
      #expect(try log.device(.sample(1), in: scope) == StoredDevice(lastNumber: 4))
    }
  }

  // MARK: - Rows

  @Test(arguments: StorageKind.allCases)
  func `A row is read as it was written, and so is a tombstone`(kind: StorageKind) async throws {
    try await kind.write { [scope, other] log in
      for row in [
        SyncedRow.sample("a", seq: 1), .sample("b", seq: 2, .deleted), .sample("c", seq: 3, .moved),
      ] {
        try log.setRow(row, in: scope)
        #expect(try log.row(row.row, in: scope) == row)
        #expect(try log.row(row.row, in: other) == nil)
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Rows after a sequence number are ordered by it, each once`(kind: StorageKind) async throws {
    try await kind.write { [scope] log in
      for (index, id) in ["d", "b", "a", "c"].enumerated() {
        try log.setRow(.sample(id, seq: Int64(index + 1)), in: scope)
      }
      try log.setRow(.sample("b", seq: 5), in: scope)
      let seqs = try log.rows(in: scope, after: 1, limit: 9).map(\.seq)
      #expect(seqs == [3, 4, 5])
      #expect(try log.rows(in: scope, after: 1, limit: 2).map(\.row.id) == ["a", "c"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Rows are read up to a number of bytes, and at least one`(
    kind: StorageKind
  ) async throws {
    let text = WireValue.text(Array(repeating: 0x61, count: 1 << 20))
    let rows = (1...5).map { number in
      SyncedRow(
        RowID(table: "tasks", id: "\(number)"), seq: Int64(number),
        state: RowState(stamp: .at(1), fields: ["title": text]))
    }
    try await kind.write { [scope] log in
      for row in rows { try log.setRow(row, in: scope) }
      for (bytes, count) in [(1, 1), (1 << 20, 1), (5 << 19, 3), (9 << 20, 5)] {
        for run in [
          try log.rows(in: scope, after: 0, limit: 9, bytes: bytes),
          try log.rows(in: scope, after: nil as RowID?, limit: 9, bytes: bytes),
        ] {
          #expect(run.rows.map(\.syncedRow) == Array(rows.prefix(count)))
          #expect(run.isCut == (count < 5))
        }
      }
      #expect(try log.rows(in: scope, after: 1, limit: 2, bytes: .max).isCut)
      #expect(try !log.rows(in: scope, after: 1, limit: 5, bytes: .max).isCut)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Rows are ordered by the bytes of table and id`(kind: StorageKind) async throws {
    try await kind.write { [scope] log in
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

  @Test(arguments: StorageKind.allCases)
  func `The rows of one table are read in the order of their ids`(kind: StorageKind) async throws {
    try await kind.write { [scope, other] log in
      for (index, id) in ["b", "B", "10", "9"].enumerated() {
        for (offset, table) in ["lists", "tasks", "tasks2"].enumerated() {
          let seq = Int64(3 * index + offset + 1)
          try log.setRow(.sample(id, seq: seq, table: table), in: scope)
        }
      }
      try log.setRow(.sample("x", seq: 1, table: "tasks"), in: other)
      func ids(after id: String, limit: Int = 9, bytes: Int = .max) throws -> [String] {
        let run = try log.rows(of: "tasks", in: scope, after: id, limit: limit, bytes: bytes)
        #expect(run.rows.allSatisfy { $0.row.table == "tasks" })
        #expect(run.isCut == (run.rows.count == limit || bytes == 1))
        return run.rows.map(\.row.id)
      }
      #expect(try ids(after: "") == ["10", "9", "B", "b"])
      #expect(try ids(after: "10", limit: 2) == ["9", "B"])
      #expect(try ids(after: "9", bytes: 1) == ["B"])
      #expect(try ids(after: "b") == [])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Collection removes the tombstones up to a number and nothing else`(
    kind: StorageKind
  ) async throws {
    try await kind.write { [scope, other] log in
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

  @Test(arguments: StorageKind.allCases)
  func `Collection does not lower the smallest number, nor raise it beyond the head`(
    kind: StorageKind
  )
    async throws
  {
    try await kind.write { [scope] log in
      try log.setScope(scope, ScopeState(head: 4, minSeq: 2, epoch: 7))
      try log.collect(scope, upTo: 1)
      #expect(try log.scope(scope).minSeq == 2)
      try log.collect(scope, upTo: 99)
      #expect(try log.scope(scope).minSeq == 4)
    }
  }

  // MARK: - Devices and grants

  @Test(arguments: StorageKind.allCases)
  func `The state of a device is stored for each scope`(kind: StorageKind) async throws {
    let state = StoredDevice(
      account: .sample(3), lastNumber: 8, acknowledged: 1 << 40, hasRefusals: true, forbiddenOps: 9)
    try await kind.write { [scope, other] log in
      try log.setDevice(.sample(1), in: scope, StoredDevice(lastNumber: 7))
      try log.setDevice(.sample(1), in: scope, state)
      #expect(try log.device(.sample(1), in: scope) == state)
      #expect(try log.device(.sample(2), in: scope) == StoredDevice())
      #expect(try log.device(.sample(1), in: other) == StoredDevice())
      #expect(try log.deviceCount(of: .sample(3), in: scope) == 1)
      #expect(try log.deviceCount(of: .sample(4), in: scope) == 0)
      #expect(try log.deviceCount(of: .sample(3), in: other) == 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Results are read with their hashes`(kind: StorageKind) async throws {
    let rejection = Rejection(.gone, "It is gone.", row: RowID(table: "tasks", id: "a"))
    let results = [
      StoredResult(
        hash: ContentHash(of: [1]), outcome: .applied(SeqRange(first: 3, count: 0))),
      StoredResult(
        hash: ContentHash(of: [2]), outcome: .rejected(rejection, current: .sample("a", seq: 2))),
    ]
    try await kind.write { [scope, other] log in
      for (index, result) in results.enumerated() {
        let number = Int64(index + 1)
        try log.addResult(result, of: number, by: .sample(1), in: scope)
        #expect(try log.result(of: number, by: .sample(1), in: scope) == result)
        #expect(try log.result(of: number, by: .sample(2), in: scope) == nil)
        #expect(try log.result(of: number, by: .sample(1), in: other) == nil)
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Refused ops are found by row, in the order of arrival`(kind: StorageKind) async throws {
    let row = RowID(table: "tasks", id: "a")
    let refusals = [
      Refusal(Op(.patch, row, generation: 3, stamp: .at(9))),
      Refusal(Op(.put, row, stamp: .at(4))),
    ]
    try await kind.write { [scope] log in
      for refusal in refusals { try log.addRefusal(refusal, by: .sample(1), in: scope) }
      #expect(try log.refusals(of: row, by: .sample(1), in: scope) == refusals)
      #expect(try log.refusals(of: row, by: .sample(2), in: scope).isEmpty)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Refused ops are removed by row and stamp`(kind: StorageKind) async throws {
    let row = RowID(table: "tasks", id: "a")
    let kept = Refusal(Op(.patch, row, stamp: .at(9)))
    try await kind.write { [scope, other] log in
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

  @Test(arguments: StorageKind.allCases)
  func `A grant replaces the previous one of its scope, with the account's next number`(
    kind: StorageKind
  ) async throws {
    try await kind.write { [scope, other] log in
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

  @Test(arguments: StorageKind.allCases)
  func `A transaction that throws changes nothing`(kind: StorageKind) async throws {
    struct Failure: Error {}
    let storage = try kind.storage()
    let written: Bool? = try? await storage.write { [scope] transaction in
      try transaction.setRow(.sample("a", seq: 1), in: scope)
      throw Failure()
    }
    #expect(written == nil)
    let rows = try await storage.read { [scope] in try $0.rows(in: scope, after: 0, limit: 9) }
    #expect(rows.isEmpty)
  }

  @Test(arguments: StorageKind.allCases)
  func `A read sees the committed rows`(kind: StorageKind) async throws {
    let storage = try kind.storage()
    try await storage.write { [scope] in try $0.setRow(.sample("a", seq: 1), in: scope) }
    let rows = try await storage.read { [scope] in try $0.rows(in: scope, after: 0, limit: 9) }
    #expect(rows == [.sample("a", seq: 1)])
  }
}

/// The storages with the same behaviour.
enum StorageKind: CaseIterable {
  case memory, sqlite

  /// Creates an empty storage.
  func storage(epoch: UInt64 = 7) throws -> any ServerStorage {
    switch self {
    case .memory: MemoryStorage(epoch: epoch)
    case .sqlite: try SQLiteStorage.temporary(epoch: epoch)
    }
  }

  /// Runs a test in one write to an empty storage.
  func write(
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Void
  ) async throws {
    try await storage().write(body)
  }
}
