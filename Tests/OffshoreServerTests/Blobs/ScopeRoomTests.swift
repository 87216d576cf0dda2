import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The room of a scope for blobs, which is 1,500 bytes here.
struct ScopeRoomTests {
  private let folder: BlobFolder
  private let ida: RowClient
  private let ben: RowClient
  private var service: TestService { folder.service }

  init() async throws {
    folder = try BlobFolder(limits: BlobLimits(bytesPerScope: 1_500))
    (ida, ben) = (
      try await RowClient(folder.service, "ida"), try await RowClient(folder.service, "ben")
    )
    for list in ["1", "2"] { _ = await ida.makeList(list) }
    try await ben.grant(.editor)
  }

  private func usedBytes() async throws -> Int64 {
    try await service.log.read { try $0.blobBytes(in: Lists.scope()) }
  }

  @Test func `The blobs of all members share the room of a scope`() async throws {
    let first = BlobFolder.content(1_000)
    #expect(await ida.put(first).status == .created)
    let large = BlobFolder.content(501, seed: 2)
    let refused = await ben.put(large)
    #expect(refused.status.rawValue == 507 && refused.code == "quotaExceeded")
    #expect(refused.text.contains("1500 bytes"))
    // Nothing is reserved, and the content is refused before it is sent.
    #expect(try await service.log.read { try $0.uploads(of: AccountID(ben.id)) } == [])
    #expect(await ben.put([], as: ContentHash(of: large), at: 0, of: 501).status.rawValue == 507)
    #expect(await ida.put(large, to: "2").status == .created)
    #expect(await ben.put(BlobFolder.content(500, seed: 3)).status == .created)
    // What the scope has takes no room again.
    #expect(await ben.put(first).status == .ok)
    let path = "/v1/blobs/\(ContentHash(of: first))?scope=list/1"
    #expect(await service.send(.delete, path, token: ida.token).status == .noContent)
    #expect(await ben.put(large).status == .created)
    #expect(try await usedBytes() == 1_001)
  }

  @Test func `A blob whose room was taken while it was sent is refused, and leaves no file`()
    async throws
  {
    let (blobs, account) = (try #require(service.server.blobs), AccountID(ben.id))
    let content = BlobFolder.content(501)
    let upload = BlobUpload(
      hash: ContentHash(of: content), account: account, byteCount: 501, expires: .max)
    try await service.log.write { try $0.setUpload(upload) }
    _ = try await blobs.append(content, at: 0, of: upload.hash, from: account)
    #expect(await ida.put(BlobFolder.content(1_000, seed: 2)).status == .created)
    let scope = try Lists.scope()
    let error = await #expect(throws: ResourceError.self) {
      try await BlobRoutes(server: service.server, blobs: blobs).finish(upload, in: scope)
    }
    #expect(error?.status.rawValue == 507 && error?.code == "quotaExceeded")
    #expect(folder.files.count == 1)
    #expect(try await service.log.read { try $0.uploads(of: account) } == [])
  }

  @Test func `Blobs that are sent at once do not exceed the room of a scope`() async throws {
    let statuses = await withTaskGroup(of: Int.self) { group in
      for (seed, client) in [ida, ben, ida, ben, ida, ben].enumerated() {
        group.addTask {
          await client.put(BlobFolder.content(500, seed: UInt64(seed))).status.rawValue
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [201, 201, 201, 507, 507, 507])
    #expect(try await usedBytes() == 1_500)
    #expect(folder.files.count == 3)
  }
}
