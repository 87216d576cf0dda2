import Foundation
import OffshoreHTTP
import OffshoreWire
import Synchronization
import TestSupport
import Testing

@testable import OffshoreServer

/// Requests for the same upload, as a client sends them whose connection is cut.
@Suite(.timeLimit(.minutes(1)))
struct UploadOrderTests {
  private let folder: BlobFolder
  private let ida: RowClient
  private var service: TestService { folder.service }

  init() async throws {
    folder = try BlobFolder()
    ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
  }

  /// Asks how much of a content has arrived, as a device does after an interruption.
  private func ask(_ content: [UInt8], by client: RowClient) async -> Response {
    await client.put([], as: ContentHash(of: content), at: 0, of: content.count)
  }

  private func uploads(of client: RowClient) async throws -> [BlobUpload] {
    try await service.log.read { try $0.uploads(of: AccountID(client.id)) }
  }

  // MARK: - One at a time

  @Test func `Questions while a blob is completed leave no file of an upload`() async throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let content = BlobFolder.content(400_000, seed: seed)
      let hash = ContentHash(of: content)
      let first = await ida.put(Array(content[..<200_000]), as: hash, at: 0, of: content.count)
      #expect(first.status.rawValue == 202)
      let last = await withTaskGroup(of: Response.Status?.self) { group -> Response.Status? in
        // The requests of an account that run at once are limited, and one of them is the last part.
        for _ in 1..<AccountTurns.defaultLimit {
          group.addTask {
            while await ask(content, by: ida).status != .ok {}
            return nil
          }
        }
        group.addTask {
          await ida.put(Array(content[200_000...]), as: hash, at: 200_000, of: content.count).status
        }
        return await group.reduce(nil) { $0 ?? $1 }
      }
      #expect(last == .created)
      #expect(await ida.blob(hash).bytes == content)
    }
    #expect(folder.files.count == 5 && !folder.files.contains { $0.hasPrefix("partial") })
    #expect(try await uploads(of: ida) == [])
  }

  @Test func `Requests for one upload run one after the other, and those for another beside them`()
    async throws
  {
    let blobs = try #require(service.server.blobs)
    let (hash, other, account) = (ContentHash(of: [1]), ContentHash(of: [2]), AccountID(ida.id))
    let gate = Gate()
    let running = Running()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await blobs.receiving(hash, from: account) {
            running.begin()
            await gate.pass()
            await Task.yield()
            running.end()
          }
        }
      }
      await gate.waitUntilHeld()
      #expect(try await blobs.receiving(other, from: account) { true })
      #expect(try await blobs.receiving(hash, from: AccountID(UUID())) { true })
      gate.open()
      try await group.waitForAll()
    }
    #expect(running.most == 1)
  }

  // MARK: - Files

  @Test func `An upload has a file from its first byte on`() async throws {
    let content = BlobFolder.content(100)
    let question = await ask(content, by: ida)
    #expect(question.status.rawValue == 202 && question.headers["Upload-Offset"] == "0")
    #expect(folder.files == [])
    let whole = await service.send(
      .put, "/v1/blobs/\(ContentHash(of: content))?scope=list/1", token: ida.token,
      headers: ["Upload-Length": "100"])
    #expect(whole.status.rawValue == 202 && folder.files == [])
    let hash = ContentHash(of: content)
    #expect(await ida.put([content[0]], as: hash, at: 0, of: 100).status.rawValue == 202)
    #expect(folder.files.count == 1)
    #expect(await ida.put(Array(content[1...]), as: hash, at: 1, of: 100).status == .created)
  }

  @Test func `The empty content is complete with a part that has no bytes`() async throws {
    #expect(await ask([], by: ida).status == .created)
    let blob = await ida.blob(ContentHash(of: []))
    #expect(blob.status == .ok && blob.bytes == [])
    #expect(folder.files.count == 1)
  }

  @Test func `An upload of a blob that another member has completed ends with the next request`()
    async throws
  {
    let ben = try await RowClient(service, "ben")
    try await ben.grant(.editor)
    let content = BlobFolder.content(1_000)
    let hash = ContentHash(of: content)
    #expect(
      await ida.put(Array(content[..<400]), as: hash, at: 0, of: 1_000).status.rawValue == 202)
    #expect(await ben.put(content).status == .created)
    #expect(folder.files.count == 2)
    let next = await ida.put(Array(content[400...]), as: hash, at: 400, of: 1_000)
    #expect(next.status == .ok)
    #expect(folder.files == ["\(hash.description.prefix(2))/\(hash)"])
    #expect(try await uploads(of: ida) == [])
  }

  @Test func `The bytes of an upload stay that was begun again after it had expired`() async throws
  {
    let blobs = try #require(service.server.blobs)
    let content = BlobFolder.content(10)
    let (hash, account) = (ContentHash(of: content), AccountID(ida.id))
    #expect(await ida.put([content[0]], as: hash, at: 0, of: 10).status.rawValue == 202)
    try await blobs.discardEnded(hash, from: account, in: service.log)
    #expect(folder.files.count == 1)
    try await service.log.write { try $0.removeUpload(hash, of: account) }
    try await blobs.discardEnded(hash, from: account, in: service.log)
    #expect(folder.files == [])
  }
}

/// The number of operations that run at once.
private final class Running: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  /// The largest number of operations that have run at once.
  var most: Int { counts.withLock { $0.most } }

  func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
  func end() { counts.withLock { $0.now -= 1 } }
}
