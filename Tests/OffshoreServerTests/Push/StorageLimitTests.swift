import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The limits of rows and bytes of scopes and accounts.
struct StorageLimitTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
    _ = try server.push(1, in: "2", [.list("2", at: 1)])
  }

  private func rejection(_ outcome: BatchResult.Outcome?) throws -> Rejection {
    guard case .rejected(let rejection, _)? = outcome else {
      throw Rejection(.invalidOp, "The batch is applied.")
    }
    return rejection
  }

  /// Returns the usage that a full count of the rows gives.
  private func counted(_ list: String = "1") throws -> StorageUsage {
    server.log.rows(in: try Lists.scope(list), after: 0, limit: .max).filter(\.state.isLiving)
      .reduce(into: StorageUsage()) { sum, row in
        sum.rows += 1
        sum.bytes += Int64(row.state.byteCount)
      }
  }

  // MARK: - Counting

  @Test mutating func `Rows and bytes are counted with each change`() throws {
    _ = try server.push(2, [.task("b", at: 3, ["after": "a"]), .task("c", at: 4)])
    #expect(try server.scope().usage == counted())
    #expect(try server.scope().usage.rows == 4)
    _ = try server.push(3, [.edit("b", ["title": "longer than before"], at: 5)])
    #expect(try server.scope().usage == counted())
    _ = try server.push(4, [try .move("c", to: "2", at: 6), .delete(Lists.task("a"), at: 7)])
    #expect(try server.scope().usage == counted() && counted().rows == 2)
    #expect(try server.scope("2").usage == counted("2") && counted("2").rows == 2)
    _ = try server.push(5, [.delete(Lists.list(), at: 8)])
    #expect(try server.scope().usage == StorageUsage())
  }

  @Test mutating func `The first owner who writes pays, also for what an editor writes`() throws {
    #expect(try server.scope().payer == .sample(1))
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope("9"))
    _ = try server.push(1, in: "9", [.list("9", at: 1, by: 2)], device: 2, account: 2)
    #expect(try server.scope("9").payer == nil)
    try server.log.grant(.owner, to: .sample(3), in: Lists.scope("9"))
    let edit = Op.task("z", in: "9", at: 2, by: 3)
    _ = try server.push(1, in: "9", [edit], device: 3, account: 3)
    #expect(try server.scope("9").payer == .sample(3))
    #expect(server.log.usage(of: .sample(3)) == (try server.scope("9").usage))
  }

  // MARK: - Scopes

  @Test mutating func `A scope with as many rows as allowed takes no more, but deletions`() throws {
    server.pushRules.limits.rowsPerScope = 2
    let refused = try rejection(try server.push(2, [.task("b", at: 3)]))
    #expect(refused.code == .limitReached && refused.row == Lists.task("b"))
    #expect(refused.message.contains("2 rows") && refused.message.contains("Delete"))
    #expect(try server.state(Lists.task("b")) == nil)
    #expect(try server.push(3, [.edit("a", ["note": "x"], at: 4)])?.range?.count == 1)
    #expect(try server.push(4, [.delete(Lists.task("a"), at: 5), .task("b", at: 6)])?.range != nil)
    server.pushRules.limits.rowsPerScope = 0
    #expect(try server.push(5, [.delete(Lists.task("b"), at: 7)])?.range?.count == 1)
  }

  @Test mutating func `A scope with as many bytes as allowed takes shorter values only`() throws {
    server.pushRules.limits.bytesPerScope = try server.scope().usage.bytes
    let longer = Op.edit("a", ["title": "much longer"], at: 3)
    #expect(try rejection(try server.push(2, [longer])).code == .limitReached)
    #expect(try server.push(3, [.edit("a", ["title": "b"], at: 4)])?.range?.count == 1)
    // Another scope has room.
    #expect(try server.push(2, in: "2", [.task("n", in: "2", at: 5)])?.range?.count == 1)
  }

  @Test mutating func `A row does not move to a scope without room`() throws {
    server.pushRules.limits.rowsPerScope = 2
    _ = try server.push(2, in: "2", [.task("n", in: "2", at: 3)])
    let move = try Op.move("a", to: "2", at: 4)
    #expect(try rejection(try server.push(2, [move])).code == .limitReached)
    #expect(try server.state(Lists.task("a"))?.isLiving == true)
  }

  // MARK: - Accounts

  @Test mutating func `The rows of all scopes of an account are limited together`() throws {
    server.pushRules.limits.rowsPerAccount = 4
    let batches = [
      try TestServer.batch(2, [.task("b", at: 3)]),
      try TestServer.batch(2, in: "2", [.task("n", in: "2", at: 4)]),
    ]
    let outcomes = try server.push(batches).results.map(\.outcome)
    #expect(outcomes.map(\.rejection) == [nil, .limitReached])
    #expect(server.log.usage(of: .sample(1)).rows == 4)
    #expect(try server.push(3, [.delete(Lists.task("b"), at: 5)])?.range?.count == 1)
    #expect(try server.push(3, in: "2", [.task("n", in: "2", at: 6)])?.range?.count == 1)
  }

  @Test mutating func `An editor cannot exceed the limit of the owner`() throws {
    server.pushRules.limits.bytesPerAccount = server.log.usage(of: .sample(1)).bytes
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    let refused = try rejection(
      try server.push(1, [.task("b", at: 3, by: 2)], device: 2, account: 2))
    #expect(refused.code == .limitReached && refused.message.contains("bytes for one account"))
  }

  @Test mutating func `A refused batch does not count for the next one of a push`() throws {
    server.pushRules.limits.rowsPerAccount = 4
    let batches = [
      try TestServer.batch(2, [.task("b", at: 3), .task("c", at: 4)]),
      try TestServer.batch(3, [.task("d", at: 5)]),
    ]
    let outcomes = try server.push(batches).results.map(\.outcome)
    #expect(outcomes.map(\.rejection) == [.limitReached, nil])
  }

  @Test(arguments: StorageKind.allCases)
  func `The rows and bytes of an account are the sum of its scopes`(kind: StorageKind) async throws
  {
    let scopes = try ["1", "2", "3"].map { try Lists.scope($0) }
    try await kind.write { log in
      for (index, scope) in scopes.enumerated() {
        let usage = StorageUsage(rows: Int64(index + 1), bytes: 100)
        let payer = AccountID.sample(index == 2 ? 2 : 1)
        let state = ScopeState(head: 9, epoch: 7, usage: usage, payer: payer)
        try log.setScope(scope, state)
        #expect(try log.scope(scope) == state)
      }
      #expect(try log.usage(of: .sample(1)) == StorageUsage(rows: 3, bytes: 200))
      #expect(try log.usage(of: .sample(3)) == StorageUsage())
    }
  }
}
