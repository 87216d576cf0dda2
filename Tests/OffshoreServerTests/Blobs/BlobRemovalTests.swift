import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The removal of blobs by members. Only owners write lists, and only its author writes a note; all of
/// them have photos. Ida owns list 1, and ben and eve are editors of it.
struct BlobRemovalTests {
  private let folder: BlobFolder
  private let ida: RowClient
  private let ben: RowClient
  private let eve: RowClient
  private let content = BlobFolder.content(100)
  private var hash: ContentHash { ContentHash(of: content) }
  private var photo: String { BlobReference(hash).text }

  init() async throws {
    let file = SyncedColumn("photo", .text, isNullable: true, isFile: true)
    let lists = SyncedTable(
      "lists", scopeKind: "list", scopeColumn: "id",
      columns: [SyncedColumn("title", .text), file], writers: .owners)
    let notes = SyncedTable(
      "notes", scopeKind: "list", scopeColumn: "listID",
      columns: [SyncedColumn("listID", .text), SyncedColumn("authorID", .text), file],
      writers: .author("authorID"))
    let tasks = SyncedTable(
      "tasks", scopeKind: "list", scopeColumn: "listID",
      columns: [SyncedColumn("listID", .text), file])
    folder = try BlobFolder(
      manifest: Manifest(version: 1, tables: [lists, notes, tasks], claimableKinds: ["list"]))
    ida = try await RowClient(folder.service, "ida")
    ben = try await RowClient(folder.service, "ben")
    eve = try await RowClient(folder.service, "eve")
    _ = await ida.makeList()
    for client in [ben, eve] { try await client.grant(.editor) }
    #expect(await ben.put(content).status == .created)
  }

  private func remove(_ hash: ContentHash? = nil, by client: RowClient) async -> Response {
    await folder.service.send(
      .delete, "/v1/blobs/\(hash ?? self.hash)?scope=list/1", token: client.token)
  }

  /// Expects that an account cannot remove the blob, because of a row.
  private func expectRefusal(
    of client: RowClient, because reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let response = await remove(by: client)
    #expect(
      response.status == .forbidden && response.code == "forbidden", sourceLocation: sourceLocation)
    #expect(response.text.contains(reason), sourceLocation: sourceLocation)
    #expect(await client.blob(hash).status == .ok, sourceLocation: sourceLocation)
  }

  private func insertNote(_ id: String, by client: RowClient) async {
    let response = await client.send(
      .post, "notes/rows",
      """
      {"scope":"list/1","id":"\(id)",
      "values":{"authorID":"\(AccountID(client.id))","photo":"\(photo)"}}
      """)
    #expect(response.status == .created)
  }

  @Test func `Only its author removes the blob of a note`() async throws {
    await insertNote("n", by: ben)
    for client in [ida, eve] { await expectRefusal(of: client, because: "Ask the author") }
    #expect(await remove(by: ben).status == .noContent)
    #expect(await remove(by: ben).status == .notFound)
  }

  @Test func `A blob of notes of several authors is removed by none of them`() async throws {
    await insertNote("n", by: ben)
    await insertNote("o", by: eve)
    for client in [ben, eve, ida] { await expectRefusal(of: client, because: "Ask the author") }
    #expect(await eve.delete("notes/rows/o?scope=list/1").status == .noContent)
    await expectRefusal(of: eve, because: "Ask the author")
    #expect(await remove(by: ben).status == .noContent)
  }

  @Test func `Only owners remove the blob of a row that owners write`() async throws {
    let response = await ida.send(.patch, "lists/rows/1", #"{"values":{"photo":"\#(photo)"}}"#)
    #expect(response.status == .ok)
    await expectRefusal(of: ben, because: "Ask an owner")
    #expect(await remove(by: ida).status == .noContent)
  }

  @Test func `Each member who may write removes the blob of a task, or of no row`() async throws {
    #expect(await remove(by: eve).status == .noContent)
    #expect(await ben.put(content).status == .created)
    let response = await ben.send(
      .post, "tasks/rows", #"{"scope":"list/1","id":"t","values":{"photo":"\#(photo)"}}"#)
    #expect(response.status == .created)
    #expect(await remove(by: eve).status == .noContent)
  }

  @Test func `An account that may not read the scope learns nothing, and a viewer not what it has`()
    async throws
  {
    await insertNote("n", by: ben)
    let unknown = ContentHash(of: [9])
    let stranger = try await RowClient(folder.service, "stranger")
    for (client, status) in [(stranger, Response.Status.notFound), (eve, .forbidden)] {
      if status == .forbidden { try await client.grant(.viewer) }
      let (answer, expected) = (await remove(by: client), await remove(unknown, by: client))
      #expect(answer.status == status && answer.text == expected.text)
      #expect(answer.comparableHeaders == expected.comparableHeaders)
    }
    #expect(await ben.blob(hash).status == .ok)
  }
}
