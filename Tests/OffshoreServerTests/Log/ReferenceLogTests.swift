import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of references between rows that every log shares.
struct ReferenceLogTests {
  private let scope: ScopeID
  private let other: ScopeID
  private let parent = Lists.task("p")

  init() throws {
    scope = try Lists.scope("1")
    other = try Lists.scope("2")
  }

  private func check(
    _ kind: LogKind, _ body: @escaping @Sendable (inout any ChangeLogWriter) throws -> Void
  ) async throws { try await onLog(kind, OneTransaction(body)) }

  @Test(arguments: LogKind.allCases)
  func `Rows that refer to another are found in row order`(kind: LogKind) async throws {
    let rows = [RowID(table: "lists", id: "z"), Lists.task("B"), Lists.task("a")]
    try await check(kind) { [scope, other, parent] log in
      for row in rows.reversed() { try log.addReference(from: row, to: parent, in: scope) }
      try log.addReference(from: Lists.task("c"), to: Lists.list("p"), in: scope)
      try log.addReference(from: Lists.task("c"), to: parent, in: other)
      #expect(try log.referrers(of: parent, in: scope) == rows)
      #expect(try log.referrers(of: Lists.task("q"), in: scope).isEmpty)
    }
  }

  @Test(arguments: LogKind.allCases)
  func `A reference that is added twice is found once, and removed at once`(kind: LogKind)
    async throws
  {
    try await check(kind) { [scope, parent] log in
      for _ in 0..<2 { try log.addReference(from: Lists.task("a"), to: parent, in: scope) }
      #expect(try log.referrers(of: parent, in: scope) == [Lists.task("a")])
      try log.removeReference(from: Lists.task("a"), to: parent, in: scope)
      #expect(try log.referrers(of: parent, in: scope).isEmpty)
    }
  }

  @Test(arguments: LogKind.allCases)
  func `Only the named reference is removed`(kind: LogKind) async throws {
    try await check(kind) { [scope, other, parent] log in
      try log.addReference(from: Lists.task("a"), to: parent, in: scope)
      try log.removeReference(from: Lists.task("b"), to: parent, in: scope)
      try log.removeReference(from: Lists.list("a"), to: parent, in: scope)
      try log.removeReference(from: Lists.task("a"), to: Lists.list("p"), in: scope)
      try log.removeReference(from: Lists.task("a"), to: parent, in: other)
      #expect(try log.referrers(of: parent, in: scope) == [Lists.task("a")])
    }
  }
}
