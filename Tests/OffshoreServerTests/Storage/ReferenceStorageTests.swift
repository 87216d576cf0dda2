import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of references between rows that all storages share.
struct ReferenceStorageTests {
  private let scope: ScopeID
  private let other: ScopeID
  private let parent = Lists.task("p")

  init() throws {
    scope = try Lists.scope("1")
    other = try Lists.scope("2")
  }

  @Test(arguments: StorageKind.allCases)
  func `Rows that refer to another are found in row order`(kind: StorageKind) async throws {
    let rows = [RowID(table: "lists", id: "z"), Lists.task("B"), Lists.task("a")]
    try await kind.write { [scope, other, parent] log in
      for row in rows.reversed() { try log.addReference(from: row, to: parent, in: scope) }
      try log.addReference(from: Lists.task("c"), to: Lists.list("p"), in: scope)
      try log.addReference(from: Lists.task("c"), to: parent, in: other)
      #expect(try log.referrers(of: parent, in: scope) == rows)
      #expect(try log.referrers(of: Lists.task("q"), in: scope).isEmpty)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `A reference that is added twice is found once, and removed at once`(kind: StorageKind)
    async throws
  {
    try await kind.write { [scope, parent] log in
      for _ in 0..<2 { try log.addReference(from: Lists.task("a"), to: parent, in: scope) }
      #expect(try log.referrers(of: parent, in: scope) == [Lists.task("a")])
      try log.removeReference(from: Lists.task("a"), to: parent, in: scope)
      #expect(try log.referrers(of: parent, in: scope).isEmpty)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `All references to the rows of a table are removed at once`(kind: StorageKind) async throws {
    try await kind.write { [scope, other, parent] log in
      let list = Lists.list("p")
      for scope in [scope, other] {
        for target in [parent, Lists.task("q"), list] {
          try log.addReference(from: Lists.task("a"), to: target, in: scope)
        }
      }
      try log.removeReferences(to: "tasks")
      for scope in [scope, other] {
        #expect(try log.referrers(of: parent, in: scope).isEmpty)
        #expect(try log.referrers(of: Lists.task("q"), in: scope).isEmpty)
        #expect(try log.referrers(of: list, in: scope) == [Lists.task("a")])
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Only the named reference is removed`(kind: StorageKind) async throws {
    try await kind.write { [scope, other, parent] log in
      try log.addReference(from: Lists.task("a"), to: parent, in: scope)
      try log.removeReference(from: Lists.task("b"), to: parent, in: scope)
      try log.removeReference(from: Lists.list("a"), to: parent, in: scope)
      try log.removeReference(from: Lists.task("a"), to: Lists.list("p"), in: scope)
      try log.removeReference(from: Lists.task("a"), to: parent, in: other)
      #expect(try log.referrers(of: parent, in: scope) == [Lists.task("a")])
    }
  }
}
