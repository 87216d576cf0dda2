import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of conflicts that all storages share.
struct ConflictStorageTests {
  private let scope: ScopeID
  private let other: ScopeID
  private let row = Lists.task("a")

  init() throws {
    scope = try Lists.scope("1")
    other = try Lists.scope("2")
  }

  @Test(arguments: StorageKind.allCases)
  func `Conflicts of a row are ordered by number`(kind: StorageKind) async throws {
    let conflicts = try (1...3).map { try NumberedConflict.sample($0) }
    try await kind.write { [scope, other, row] log in
      try log.addConflict(.sample(4, of: "b"), in: scope, at: 1)
      for conflict in conflicts.reversed() { try log.addConflict(conflict, in: scope, at: 1) }
      #expect(try log.conflicts(of: row, in: scope) == conflicts)
      #expect(try log.conflicts(of: row, in: other).isEmpty)
      #expect(try log.conflicts(of: Lists.task("c"), in: scope).isEmpty)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Conflicts of a scope are read after a number, up to a limit`(
    kind: StorageKind
  ) async throws {
    try await kind.write { [scope, other] log in
      for number in [2, 1, 4, 3] as [Int64] {
        try log.addConflict(.sample(number, of: "row\(number % 2)"), in: scope, at: 1)
      }
      try log.addConflict(.sample(9), in: other, at: 1)
      let all = try log.conflicts(in: scope, after: 0, limit: 9)
      #expect(all.map(\.number) == [1, 2, 3, 4])
      #expect(all.first == (try .sample(1, of: "row1")))
      #expect(try log.conflicts(in: scope, after: 1, limit: 2) == Array(all[1...2]))
      #expect(try log.conflicts(in: scope, after: 4, limit: 9).isEmpty)
      #expect(try log.conflicts(in: scope, after: 0, limit: 9, bytes: 1) == [all[0]])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `A new epoch preserves the conflicts and continues their numbers`(
    kind: StorageKind
  ) async throws {
    try await kind.write { [scope] log in
      try log.setScope(scope, ScopeState(conflicts: 1, epoch: 7))
      try log.addConflict(.sample(1), in: scope, at: 1)
      try log.beginEpoch(8)
      #expect(try log.scope(scope) == ScopeState(conflicts: 1, epoch: 8))
      #expect(try log.conflicts(in: scope, after: 0, limit: 9).map(\.number) == [1])
    }
  }
}
