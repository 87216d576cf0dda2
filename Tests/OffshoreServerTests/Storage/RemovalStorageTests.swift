import OffshoreWire
import Testing

@testable import OffshoreServer

/// The removal of scopes and accounts, which all storages share.
struct RemovalStorageTests {
  private let scopes: [ScopeID]

  init() throws { scopes = try (1...2).map { try Lists.scope("\($0)") } }

  /// Stores one of each in a scope, for account 1.
  private static func fill(
    _ scope: ScopeID, _ number: UInt8, _ log: inout any StorageTransaction
  ) throws {
    try log.setScope(scope, ScopeState(head: 2, conflicts: 1, epoch: 7, payer: .sample(1)))
    try log.setRow(.sample("a", seq: 1), in: scope)
    try log.setRow(.sample("b", seq: 2, .deleted), in: scope)
    try log.addReference(from: Lists.task("a"), to: Lists.list(), in: scope)
    try log.addConflict(.sample(1), in: scope, at: 5)
    try log.addTombstoneMark(TombstoneMark(scope, seq: 2, time: 5))
    try log.setDevice(.sample(1), in: scope, StoredDevice(account: .sample(1), lastNumber: 1))
    try log.addResult(
      StoredResult(
        hash: ContentHash(of: [1]), outcome: .applied(SeqRange(first: 1, count: 2))),
      of: 1, by: .sample(1), in: scope)
    try log.addRefusal(
      Refusal(Op(.put, Lists.task("c"), stamp: .at(9))), by: .sample(1), in: scope)
    try log.addInvitation(
      Invitation(
        hash: Secret.sample(number).hash, scope: scope, role: .viewer, inviter: .sample(1),
        expires: 9))
    try log.addBlob(
      StoredBlob(hash: ContentHash(of: [9]), scope: scope, account: .sample(1), byteCount: 1))
    try log.grant(.owner, to: .sample(1), in: scope)
  }

  /// Returns the numbers of stored values in a scope, in the order in which they are stored.
  private static func counts(
    _ scope: ScopeID, _ log: any StorageTransaction
  ) throws -> [Int] {
    [
      try log.rows(in: scope, after: 0, limit: 9).count,
      try log.referrers(of: Lists.list(), in: scope).count,
      try log.conflicts(in: scope, after: 0, limit: 9).count,
      try log.tombstoneMarks().count { $0.scope == scope }, try log.devices(in: scope).count,
      try log.result(of: 1, by: .sample(1), in: scope) == nil ? 0 : 1,
      try log.refusals(of: Lists.task("c"), by: .sample(1), in: scope).count,
      try log.invitations(to: scope).count,
      try log.blobs(ContentHash(of: [9])).count { $0.scope == scope },
    ]
  }

  @Test(arguments: StorageKind.allCases)
  func `A removed scope has nothing any more, and other scopes stay as they are`(kind: StorageKind)
    async throws
  {
    try await kind.write { [scopes] log in
      try log.setAccount(.sample(1))
      for (number, scope) in scopes.enumerated() { try Self.fill(scope, UInt8(number), &log) }
      let full = [2, 1, 1, 1, 1, 1, 1, 1, 1]
      #expect(try Self.counts(scopes[0], log) == full)
      #expect(try log.removeScope(scopes[0]) == [ContentHash(of: [9])])
      #expect(try Self.counts(scopes[0], log) == Array(repeating: 0, count: full.count))
      #expect(try Self.counts(scopes[1], log) == full)
      #expect(
        try log.scope(scopes[0]) == ScopeState(head: 2, minSeq: 2, conflicts: 1, epoch: 7))
      #expect(try log.scope(scopes[1]).payer == .sample(1))
      #expect(try log.hasGrants(in: scopes[0]), "The caller ends the grants.")
      // The results of batches stay on request.
      #expect(try log.removeScope(scopes[1], retainingResults: true) == [ContentHash(of: [9])])
      #expect(try Self.counts(scopes[1], log) == [0, 0, 0, 0, 1, 1, 0, 0, 0])
      // A scope without changes has had none that a device could still know.
      let unknown = try Lists.scope("3")
      #expect(try log.removeScope(unknown).isEmpty)
      #expect(try log.scope(unknown) == ScopeState(head: 1, minSeq: 1, epoch: 7))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `A removed account leaves its id, and the rows of scopes`(kind: StorageKind) async throws {
    try await kind.write { [scope = scopes[0]] log in
      for number in [UInt8(1), 2] { try log.setAccount(.sample(number)) }
      try Self.fill(scope, 1, &log)
      for number in [UInt8(1), 2] {
        let hash = Secret.sample(number).hash
        try log.addToken(
          AccessToken(hash: hash, account: .sample(number), label: "", created: 1, expires: 9))
        try log.setUpload(
          BlobUpload(hash: hash, account: .sample(number), byteCount: 1, expires: 9))
        try log.addClaim(of: .sample(number))
      }
      try log.grant(.viewer, to: .sample(2), in: scope)
      #expect(try !log.isRemoved(.sample(1)))
      try log.removeAccount(.sample(1))

      #expect(try log.isRemoved(.sample(1)) && !log.isRemoved(.sample(2)))
      #expect(try log.account(.sample(1)) == nil)
      #expect(try log.account(named: Account.sample(1).name) == nil)
      #expect(try log.accounts(after: nil, limit: 9) == [.sample(2)])
      #expect(try log.tokens(of: .sample(1)).isEmpty && log.uploads(of: .sample(1)).isEmpty)
      #expect(try log.grants(of: .sample(1), after: 0).isEmpty)
      #expect(try log.claimCount(of: .sample(1)) == 0 && log.invitations(to: scope).isEmpty)
      #expect(try log.scope(scope).payer == nil && log.usage(of: .sample(1)) == StorageUsage())
      // The rest stays.
      #expect(try Self.counts(scope, log) == [2, 1, 1, 1, 1, 1, 1, 0, 1])
      #expect(try log.members(of: scope).map(\.account) == [.sample(2)])
      #expect(try log.tokens(of: .sample(2)).count == 1 && log.uploads(of: .sample(2)).count == 1)
      #expect(try log.claimCount(of: .sample(2)) == 1)
    }
  }
}
