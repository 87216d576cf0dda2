import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Blobs to which no row refers, over HTTP. Tasks have photos.
struct UnusedBlobTests {
  private let folder: BlobFolder
  private let ida: RowClient
  private var service: TestService { folder.service }
  private let content = BlobFolder.content(1_000)
  private var hash: ContentHash { ContentHash(of: content) }

  init() async throws {
    var limits = BlobLimits()
    limits.bytesPerAccount = 1_500
    folder = try BlobFolder(limits: limits, manifest: Lists.withPhotos())
    ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
  }

  /// Lets days pass, and sweeps.
  private func pass(days: Int64) async {
    service.clock.now += days * 86_400_000
    await service.server.sweepBlobs()
  }

  /// Inserts a task with a photo.
  private func insert(
    _ task: String = "a", in list: String = "1", by client: RowClient? = nil
  ) async {
    let photo = BlobReference(hash).text
    let response = await (client ?? ida).send(
      .post, "tasks/rows",
      #"{"scope":"list/\#(list)","id":"\#(task)","values":{"title":"t","photo":"\#(photo)"}}"#)
    #expect(response.status == .created)
  }

  /// The scopes that have the blob, with the times since which it is unused.
  private func entries() async throws -> [String: Int64?] {
    let blobs = try await service.log.read { [hash] in try $0.blobs(hash) }
    return Dictionary(uniqueKeysWithValues: blobs.map { ($0.scope.text, $0.unused) })
  }

  // MARK: - Without a row

  @Test func `A blob without a row is removed after 7 days, and frees the quota`() async throws {
    #expect(await ida.put(content).status == .created)
    #expect(try await entries() == ["list/1": service.clock.now])
    let next = BlobFolder.content(1_000, seed: 2)
    #expect(await ida.put(next).status.rawValue == 507)
    await pass(days: 6)
    #expect(await ida.blob(hash).bytes == content)
    await pass(days: 1)
    #expect(try await entries().isEmpty && folder.files.isEmpty)
    #expect(await ida.blob(hash).status == .notFound)
    #expect(await ida.put(next).status == .created)
  }

  @Test func `An unused blob that is sent again stays for another 7 days`() async throws {
    #expect(await ida.put(content).status == .created)
    await pass(days: 6)
    #expect(await ida.put(content).status == .ok)
    #expect(try await entries() == ["list/1": service.clock.now])
    await pass(days: 6)
    await insert()
    await pass(days: 7)
    #expect(await ida.blob(hash).bytes == content)
  }

  @Test func `A blob in a scope whose tables have no file columns stays`() async throws {
    let folder = try BlobFolder()
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    #expect(await ida.put(content).status == .created)
    folder.service.clock.now += 60 * 86_400_000
    await folder.service.server.sweepBlobs()
    #expect(await ida.blob(hash).bytes == content)
    let blobs = try await folder.service.log.read { [hash] in try $0.blobs(hash) }
    #expect(blobs.map(\.unused) == [nil])
  }

  // MARK: - With rows

  @Test(arguments: [false, true])
  func `A blob stays whether it is sent before its row or after it`(isFirst: Bool) async throws {
    if isFirst { #expect(await ida.put(content).status == .created) }
    await pass(days: 6)
    await insert()
    await pass(days: 20)
    if !isFirst { #expect(await ida.put(content).status == .created) }
    #expect(try await entries() == ["list/1": nil])
    await pass(days: 20)
    #expect(await ida.blob(hash).bytes == content)
  }

  @Test(arguments: [Request.Method.patch, .delete])
  func `The 7 days of a blob begin when its last row does not refer to it any more`(
    method: Request.Method
  ) async throws {
    #expect(await ida.put(content).status == .created)
    for task in ["a", "b"] { await insert(task) }
    for task in ["a", "b"] {
      await pass(days: 10)
      #expect(try await entries() == ["list/1": nil])
      let path = "tasks/rows/\(task)?scope=list/1"
      let response =
        if method == .delete {
          await ida.delete(path)
        } else {
          await ida.send(.patch, path, #"{"values":{"photo":null}}"#)
        }
      #expect(response.status == (method == .delete ? .noContent : .ok))
    }
    #expect(try await entries() == ["list/1": service.clock.now])
    await pass(days: 6)
    #expect(await ida.blob(hash).status == .ok)
    await pass(days: 1)
    #expect(try await entries().isEmpty && folder.files.isEmpty)
  }

  @Test func `A blob of two scopes stays in that with a row, and so does its file`() async throws {
    var limits = BlobLimits()
    limits.bytesPerAccount = 2_000
    let folder = try BlobFolder(limits: limits, manifest: Lists.withPhotos())
    let ida = try await RowClient(folder.service, "ida")
    for list in ["1", "2"] {
      _ = await ida.makeList(list)
      #expect(await ida.put(content, to: list).status == .created)
    }
    await insert(in: "2", by: ida)
    folder.service.clock.now += 7 * 86_400_000
    await folder.service.server.sweepBlobs()
    let blobs = try await folder.service.log.read { [hash] in try $0.blobs(hash) }
    #expect(blobs.map(\.scope.text) == ["list/2"] && folder.files.count == 1)
    #expect(await ida.blob(hash).bytes == content)
  }

  @Test func `A blob that a client removes can be sent again for its row`() async throws {
    #expect(await ida.put(content).status == .created)
    await insert()
    let path = "/v1/blobs/\(hash)?scope=list/1"
    #expect(await service.send(.delete, path, token: ida.token).status == .noContent)
    #expect(await ida.put(content).status == .created)
    #expect(try await entries() == ["list/1": nil])
  }

  // MARK: - The sweep

  @Test func `Any number of unused blobs is removed, and the others stay`() async throws {
    let (account, time) = (AccountID(ida.id), service.clock.now)
    let blobs = try (0..<500 as Range<Int64>).map { number in
      StoredBlob(
        hash: ContentHash(of: WireValue.integer(number).encoded()), scope: try Lists.scope(),
        account: account, byteCount: 1, unused: time + number % 2)
    }
    try await service.log.write { log in
      for blob in blobs { try log.addBlob(blob) }
    }
    await pass(days: 7)
    #expect(try await service.log.read { try $0.blobBytes(of: account) } == 250)
  }

  @Test func `A blob that is sent while unused ones are removed has a file if the log has it`()
    async throws
  {
    var limits = BlobLimits()
    limits.unusedLifetime = 0
    let folder = try BlobFolder(limits: limits, manifest: Lists.withPhotos())
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    let blobs = try #require(folder.service.server.blobs)
    let sweep = UnusedBlobs(
      blobs: blobs, storage: folder.service.log, now: folder.service.clock.now)
    for _ in 0..<50 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask { _ = await ida.put(content) }
          group.addTask { try await sweep.remove() }
        }
        try await group.waitForAll()
      }
      let isKnown = try await !folder.service.log.read { [hash] in try $0.blobs(hash) }.isEmpty
      #expect(folder.files.contains { !$0.hasPrefix("partial") } == isKnown)
    }
    try await sweep.remove()
    #expect(!folder.files.contains { !$0.hasPrefix("partial") })
  }
}
