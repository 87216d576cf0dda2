import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The access to blobs of other scopes. Ida owns list 1 with a blob, and eve owns list 2. Tasks have
/// photos.
struct BlobAccessTests {
  private let folder: BlobFolder
  private let ida: RowClient
  private let eve: RowClient
  private let content = BlobFolder.content(1_000)
  private var hash: ContentHash { ContentHash(of: content) }

  init() async throws {
    folder = try BlobFolder(manifest: Lists.withPhotos())
    ida = try await RowClient(folder.service, "ida")
    eve = try await RowClient(folder.service, "eve")
    _ = await ida.makeList("1")
    _ = await eve.makeList("2")
    #expect(await ida.put(content).status == .created)
  }

  /// Inserts a task with a photo in eve's list.
  private func refer(to hash: ContentHash) async {
    let photo = BlobReference(hash).text
    let response = await eve.send(
      .post, "tasks/rows",
      #"{"scope":"list/2","id":"\#(hash)","values":{"title":"t","photo":"\#(photo)"}}"#)
    #expect(response.status == .created)
  }

  /// The scopes that have the blob.
  private func scopes() async throws -> [String] {
    try await folder.service.log.read { [hash] in try $0.blobs(hash) }.map(\.scope.text)
  }

  @Test func `A row that refers to a blob of another scope gives no access to it`() async throws {
    let unknown = ContentHash(of: [9])
    for hash in [hash, unknown] { await refer(to: hash) }
    for method in [Request.Method.get, .head] {
      let (answer, expected) = (
        await eve.blob(hash, method: method), await eve.blob(unknown, method: method)
      )
      #expect(answer.status == .notFound && answer.text == expected.text)
      #expect(answer.comparableHeaders == expected.comparableHeaders)
    }
    #expect(try await scopes() == ["list/1"])
    #expect(await ida.blob(hash).bytes == content)
  }

  @Test func `A member of one scope neither sends blobs to another nor removes them there`()
    async throws
  {
    let other = BlobFolder.content(500, seed: 2)
    let refused = await eve.put(other)
    #expect(refused.status == .notFound && refused.code == "notFound")
    let part = await eve.put(Array(other[..<100]), as: ContentHash(of: other), at: 0, of: 500)
    #expect(part.status == .notFound)
    let removal = await folder.service.send(
      .delete, "/v1/blobs/\(hash)?scope=list/1", token: eve.token)
    #expect(removal.status == .notFound)
    #expect(try await scopes() == ["list/1"])
    #expect(folder.files.count == 1)
  }

  @Test func `Without its content, a blob of another scope is not sent to the own one`()
    async throws
  {
    await refer(to: hash)
    #expect(await eve.put([], as: hash, to: "2").status == .unprocessableContent)
    let rest = await eve.put([], as: hash, to: "2", at: 1_000, of: 1_000)
    #expect(rest.status == .conflict)
    #expect(try await scopes() == ["list/1"])
    #expect(await eve.put(content, to: "2").status == .created)
    #expect(await eve.blob(hash).bytes == content)
  }

  @Test func `An account that reads by a rule reads the blobs until the access ends`() async throws
  {
    let path = FileManager.default.temporaryDirectory.path + "/offshore-blobs-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let circles = try Circles(blobs: BlobStore(path))
    let (anna, ben) = (try await circles.person("anna"), try await circles.person("ben"))
    try await circles.circle("c", anna, ben)
    let week = try anna.scope("week")
    let address = "/v1/blobs/\(hash)"
    let sent = await circles.service.send(
      .put, "\(address)?scope=\(week)", token: anna.token, body: content)
    #expect(sent.status == .created)
    func read() async -> Response.Status {
      await circles.service.send(.get, address, token: ben.token).status
    }
    #expect(await read() == .notFound)
    try await circles.share("week", with: "c", of: anna)
    #expect(await read() == .ok)
    let removal = await circles.service.send(
      .delete, "\(address)?scope=\(week)", token: ben.token)
    #expect(removal.status == .forbidden)
    try await circles.block(ben, by: anna)
    #expect(await read() == .notFound)
  }
}
