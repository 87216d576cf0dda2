import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The writers of tables in requests for single rows. Only owners write lists, and only its author
/// writes a note. Ida owns list 1, ben is an editor of it, and note n is by ben.
struct RowWriterTests {
  private let service: TestService
  private let ida: RowClient
  private let ben: RowClient
  private let path = "notes/rows/n?scope=list/1"
  private let title = #"{"values":{"title":"T"}}"#

  init() async throws {
    let notes = SyncedTable(
      "notes", scopeKind: "list", scopeColumn: "listID",
      columns: [
        SyncedColumn("listID", .text), SyncedColumn("title", .text),
        SyncedColumn("authorID", .text),
      ], writers: .author("authorID"))
    let lists = SyncedTable(
      "lists", scopeKind: "list", scopeColumn: "id", columns: [SyncedColumn("title", .text)],
      writers: .owners)
    service = try TestService(
      manifest: Manifest(version: 1, tables: [lists, notes], claimableKinds: ["list"]))
    ida = try await RowClient(service, "ida")
    ben = try await RowClient(service, "ben")
    _ = await ida.makeList()
    try await ben.grant(.editor)
    let note = await ben.send(.post, "notes/rows", Self.note("n", of: ben))
    #expect(note.status == .created)
  }

  private static func note(_ id: String, of author: RowClient) -> String {
    """
    {"scope":"list/1","id":"\(id)","values":{"title":"t","authorID":"\(AccountID(author.id))"}}
    """
  }

  private func replacement(by author: RowClient) -> String {
    #"{"values":{"title":"T","authorID":"\#(AccountID(author.id))"}}"#
  }

  /// Expects that a request is refused, and that the list has not changed.
  private func expectRefusal(
    _ code: String = "forbidden", sourceLocation: SourceLocation = #_sourceLocation,
    _ request: () async -> Response
  ) async throws {
    let before = try await stored()
    let response = await request()
    #expect(response.code == code, sourceLocation: sourceLocation)
    let after = try await stored()
    #expect(after == before, sourceLocation: sourceLocation)
  }

  private func stored() async throws -> ScopeState {
    let scope = try Lists.scope()
    return try await service.log.read { try $0.scope(scope) }
  }

  // MARK: - Owners

  @Test func `An editor neither changes nor deletes a row that owners write`() async throws {
    try await expectRefusal { await ben.send(.patch, "lists/rows/1", title) }
    try await expectRefusal { await ben.send(.put, "lists/rows/1", title) }
    try await expectRefusal { await ben.delete("lists/rows/1") }
    #expect(await ida.send(.patch, "lists/rows/1", title).status == .ok)
    #expect(await ida.send(.put, "lists/rows/1", title).status == .ok)
  }

  @Test func `An editor inserts no row that owners write`() async throws {
    #expect(await ida.delete("lists/rows/1").status == .noContent)
    let list = #"{"scope":"list/1","values":{"title":"T"}}"#
    try await expectRefusal { await ben.send(.post, "lists/rows", list) }
    try await expectRefusal { await ben.send(.put, "lists/rows/1", title) }
    #expect(await ida.send(.post, "lists/rows", list).status == .created)
  }

  // MARK: - Authors

  @Test func `An owner neither changes nor deletes the row of another author`() async throws {
    try await expectRefusal { await ida.send(.patch, path, title) }
    try await expectRefusal {
      await ida.send(.put, path, replacement(by: ben))
    }
    try await expectRefusal { await ida.delete(path) }
    let found = await ida.get(path)
    try await expectRefusal {
      await ida.delete(path, ["If-Match": found.headers["ETag"] ?? ""])
    }
  }

  @Test func `No row is inserted in the name of another account`() async throws {
    try await expectRefusal { await ida.send(.post, "notes/rows", Self.note("m", of: ben)) }
    try await expectRefusal { await ben.send(.post, "notes/rows", Self.note("m", of: ida)) }
    try await expectRefusal {
      await ben.send(.put, "notes/rows/m?scope=list/1", replacement(by: ida))
    }
    let own = await ida.send(.post, "notes/rows", Self.note("m", of: ida))
    #expect(own.status == .created)
  }

  @Test func `The author of a row stays`() async throws {
    let moved = #"{"values":{"authorID":"\#(AccountID(ida.id))"}}"#
    try await expectRefusal("invalidOp") { await ben.send(.patch, path, moved) }
    try await expectRefusal("invalidOp") { await ben.send(.put, path, replacement(by: ida)) }
    #expect(await ben.get(path).text.contains(AccountID(ben.id).description))
  }

  @Test func `An author changes and deletes own rows`() async throws {
    #expect(await ben.send(.patch, path, title).status == .ok)
    #expect(await ben.send(.put, path, replacement(by: ben)).status == .ok)
    #expect(await ben.delete(path).status == .noContent)
    #expect(await ida.get(path).status == .gone)
  }
}
