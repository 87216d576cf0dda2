import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Blobs over HTTP.
struct BlobRouteTests {
  private let folder: BlobFolder
  private var service: TestService { folder.service }

  init() throws { folder = try BlobFolder() }

  @Test(arguments: [0, 1, 100_000])
  func `A blob sent in one request is stored under its hash and returned unchanged`(count: Int)
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let content = BlobFolder.content(count)
    let hash = ContentHash(of: content)
    let put = await ida.put(content)
    #expect(put.status == .created && put.headers["Location"] == "/v1/blobs/\(hash)")
    let response = await ida.blob(hash)
    #expect(response.status == .ok && response.bytes == content)
    #expect(response.headers["ETag"] == put.headers["ETag"])
    #expect(response.headers["Content-Type"] == "application/octet-stream")
    #expect(folder.files == ["\(hash.description.prefix(2))/\(hash)"])
    #expect(await ida.put(content).status == .ok)
    let known = await ida.blob(hash, ["If-None-Match": put.headers["ETag"] ?? ""])
    #expect(known.status == .notModified && known.bytes.isEmpty)
  }

  @Test func `An interrupted upload resumes at its offset, and its hash is checked at the end`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let content = BlobFolder.content(10_000)
    let hash = ContentHash(of: content)
    #expect(await ida.blob(hash).headers["Upload-Offset"] == nil)
    for range in [0..<4_000, 4_000..<4_001, 4_001..<10_000] {
      let part = await ida.put(Array(content[range]), as: hash, at: range.lowerBound, of: 10_000)
      if range.upperBound == 10_000 {
        #expect(part.status == .created)
      } else {
        #expect(part.status.rawValue == 202)
        #expect(part.headers["Upload-Offset"] == "\(range.upperBound)")
        let head = await ida.blob(hash, method: .head)
        #expect(head.status == .notFound)
        #expect(head.headers["Upload-Offset"] == "\(range.upperBound)")
        // A part with a wrong offset is refused with the right one, and changes nothing.
        for offset in [0, 9_000] {
          let wrong = await ida.put([1, 2], as: hash, at: offset, of: 10_000)
          #expect(wrong.status == .conflict && wrong.code == "wrongOffset")
          #expect(wrong.headers["Upload-Offset"] == "\(range.upperBound)")
        }
      }
    }
    #expect(await ida.blob(hash).bytes == content)
  }

  @Test func `Content with another hash is refused, and no part of it stays`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let content = BlobFolder.content(5_000)
    let hash = ContentHash(of: content)
    let wrong = await ida.put(BlobFolder.content(5_000, seed: 2), as: hash)
    #expect(wrong.status == .unprocessableContent && wrong.code == "wrongHash")
    #expect(await ida.blob(hash).status == .notFound)
    #expect(folder.files == [])
    #expect(try await service.log.read { try $0.uploads(of: AccountID(ida.id)) } == [])
    #expect(await ida.put(content).status == .created)
  }

  @Test func `A range request returns the part of the blob that exists`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let content = BlobFolder.content(100)
    let hash = ContentHash(of: content)
    let tag = await ida.put(content).headers["ETag"]
    for (header, range) in [
      ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=-5", 95..<100),
      ("bytes=50-500", 50..<100), ("bytes=-500", 0..<100), ("BYTES=99-99", 99..<100),
    ] {
      let part = await ida.blob(hash, ["Range": header])
      #expect(part.status.rawValue == 206 && part.bytes == Array(content[range]))
      #expect(
        part.headers["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/100")
    }
    for header in ["bytes=100-", "bytes=-0", "bytes=99999999999999999999-"] {
      let none = await ida.blob(hash, ["Range": header])
      #expect(none.status.rawValue == 416 && none.headers["Content-Range"] == "bytes */100")
    }
    for header in ["bytes=5-1", "bytes=0-1,5-6", "rows=0-1", "bytes=", "bytes=a-b", "bytes=--1"] {
      #expect(await ida.blob(hash, ["Range": header]).bytes == content)
    }
    let same = await ida.blob(hash, ["Range": "bytes=0-1", "If-Range": tag ?? ""])
    let other = await ida.blob(hash, ["Range": "bytes=0-1", "If-Range": "\"x\""])
    #expect(same.bytes.count == 2 && other.bytes.count == 100)
  }

  @Test func `A reader of a scope reads its blobs, and a known hash grants no access`() async throws
  {
    let (ida, eve) = (try await RowClient(service, "ida"), try await RowClient(service, "eve"))
    _ = await ida.makeList()
    _ = await eve.makeList("2")
    let content = BlobFolder.content(1_000)
    let (hash, nothing) = (ContentHash(of: content), ContentHash(of: [9]))
    #expect(await ida.put(content).status == .created)
    let (there, nowhere) = (await eve.blob(hash), await eve.blob(nothing))
    #expect(there.status == .notFound && there.text == nowhere.text)
    #expect(there.comparableHeaders == nowhere.comparableHeaders)
    // Sending the blob to another account's scope gives no access, nor does sending a part of it.
    #expect(await eve.put(content).status == .notFound)
    #expect(await eve.put([], as: hash, to: "2", at: 1_000, of: 1_000).status == .conflict)
    #expect(await eve.put([], as: hash, to: "2").status == .unprocessableContent)
    #expect(await eve.blob(hash).status == .notFound)
    #expect(await eve.put(content, to: "2").status == .created)
    #expect(await eve.blob(hash).bytes == content)
    #expect(folder.files.count == 1)
    try await eve.grant(.viewer)
    #expect(await eve.put(BlobFolder.content(9)).status == .forbidden)
    try await eve.grant(.revoked, in: "2")
    #expect(await eve.blob(hash).status == .ok)
    try await eve.grant(.revoked)
    #expect(await eve.blob(hash).status == .notFound)
    #expect(await service.send(.get, "/v1/blobs/\(hash)").status == .unauthorized)
  }

  @Test(arguments: [
    "", "abc", String(repeating: "g", count: 64), String(repeating: "A", count: 64),
  ])
  func `A malformed hash in the path is refused`(name: String) async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let response = await service.send(
      .put, "/v1/blobs/\(name)?scope=list/1", token: ida.token, body: [1])
    #expect(response.status == (name.isEmpty ? .notFound : .badRequest))
  }

  @Test func `Malformed headers and bodies beyond the announced length are refused`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let path = "/v1/blobs/\(ContentHash(of: [1]))"
    for (query, headers) in [
      ("", [:]), ("?scope=list", [:]), ("?scope=list/1", ["Upload-Length": "-1"]),
      ("?scope=list/1", ["Upload-Length": "0"]), ("?scope=list/1", ["Upload-Offset": "0"]),
      ("?scope=list/1", ["Upload-Offset": "x", "Upload-Length": "9"]),
      ("?scope=list/1", ["Upload-Offset": "9223372036854775807", "Upload-Length": "1"]),
    ] as [(String, Headers)] {
      let response = await service.send(
        .put, path + query, token: ida.token, headers: headers, body: [1])
      #expect(response.status == .badRequest, "\(query) \(headers.fields)")
    }
    let large = [UInt8](repeating: 0, count: BlobStore.partBytes + 1)
    #expect(await ida.put(large).status == .contentTooLarge)
    #expect(folder.files == [])
  }

  @Test func `Lengths up to the largest number are compared with limits of that size`() async throws
  {
    let folder = try BlobFolder(limits: BlobLimits(bytesPerBlob: .max, bytesPerAccount: .max))
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    #expect(await ida.put([1]).status == .created)
    for seed in 2...3 {
      let status = await ida.put([1], as: ContentHash(of: [UInt8(seed)]), at: 0, of: .max).status
      #expect([400, 507].contains(status.rawValue), "\(status)")
    }
    #expect(await ida.put([4]).status == .created)
  }

  @Test func `Blobs and accounts have size limits, and a deletion frees the account's space`()
    async throws
  {
    var limits = BlobLimits()
    (limits.bytesPerBlob, limits.bytesPerAccount) = (1_000, 1_500)
    let folder = try BlobFolder(limits: limits)
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    let tooLarge = await ida.put([1], as: ContentHash(of: [2]), at: 0, of: 1_001)
    #expect(tooLarge.status == .contentTooLarge)
    let first = BlobFolder.content(1_000)
    #expect(await ida.put(first).status == .created)
    let second = BlobFolder.content(501, seed: 2)
    let full = await ida.put(second)
    #expect(full.status.rawValue == 507 && full.code == "quotaExceeded")
    // An unfinished upload counts with its announced length until it expires.
    let third = BlobFolder.content(500, seed: 3)
    #expect(
      await ida.put([third[0]], as: ContentHash(of: third), at: 0, of: 500).status.rawValue == 202)
    #expect(await ida.put([5]).status.rawValue == 507)
    // Announcing a smaller length later frees nothing, since the bytes are already stored.
    _ = await ida.put([], as: ContentHash(of: third), at: 0, of: 0)
    #expect(await ida.put([5]).status.rawValue == 507)
    folder.service.clock.now += limits.uploadLifetime
    #expect(await ida.put([5]).status == .created)
    #expect(!folder.files.contains { $0.hasPrefix("partial") })
    let path = "/v1/blobs/\(ContentHash(of: first))?scope=list/1"
    #expect(await folder.service.send(.delete, path, token: ida.token).status == .noContent)
    #expect(await folder.service.send(.delete, path, token: ida.token).status == .notFound)
    #expect(await ida.blob(ContentHash(of: first)).status == .notFound)
    #expect(await ida.put(second).status == .created)
  }

  @Test func `A blob's file is deleted with the last scope that has the blob`() async throws {
    let ida = try await RowClient(service, "ida")
    for list in ["1", "2"] { _ = await ida.makeList(list) }
    let content = BlobFolder.content(100)
    let path = "/v1/blobs/\(ContentHash(of: content))?scope=list/"
    for list in ["1", "2"] { #expect(await ida.put(content, to: list).status == .created) }
    for (list, count) in [("1", 1), ("2", 0)] {
      let deleted = await service.send(.delete, path + list, token: ida.token)
      #expect(deleted.status == .noContent && folder.files.count == count)
    }
    #expect(await ida.put(content).status == .created)
    #expect(await ida.blob(ContentHash(of: content)).bytes == content)
  }

  @Test func `An upload by an account that may not write any more leaves no file`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    try await ida.grant(.viewer)
    let (content, scope) = (BlobFolder.content(100), try Lists.scope())
    let upload = BlobUpload(
      hash: ContentHash(of: content), account: AccountID(ida.id), byteCount: 100, expires: .max)
    let blobs = try #require(service.server.blobs)
    try await service.log.write { try $0.setUpload(upload) }
    _ = try await blobs.append(content, at: 0, of: upload.hash, from: upload.account)
    await #expect(throws: ResourceError.forbidden) {
      try await BlobRoutes(server: service.server, blobs: blobs).finish(upload, in: scope)
    }
    #expect(folder.files == [])
    #expect(try await service.log.read { try $0.uploads(of: upload.account) } == [])
  }

  @Test func `A blob that is uploaded and deleted concurrently has a file only if the log has it`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let content = BlobFolder.content(2_000)
    let hash = ContentHash(of: content)
    for _ in 0..<50 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask { _ = await ida.put(content) }
          group.addTask {
            let path = "/v1/blobs/\(hash)?scope=list/1"
            _ = await service.send(.delete, path, token: ida.token)
          }
        }
      }
      let isKnown = try await !service.log.read { try $0.blobs(hash) }.isEmpty
      #expect(folder.files.contains { !$0.hasPrefix("partial") } == isKnown)
    }
  }

  @Test func `A full disk is answered with a time to retry, and the log states the cause`()
    async throws
  {
    let lines = LogLines()
    var configuration = ServerConfiguration()
    configuration.log = lines.log
    let folder = try BlobFolder(configuration: configuration)
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    let hash = ContentHash(of: [1])
    // A write to this file fails as on a full disk.
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/partial/\(AccountID(ida.id))-\(hash)",
      withDestinationPath: "/dev/full")
    let response = await ida.put([1])
    #expect(response.status == .serviceUnavailable && response.headers["Retry-After"] == "5")
    let errors = try lines.json().compactMap { $0["error"] as? String }
    #expect(errors.count == 1 && errors.first?.contains("write") == true)
    #expect(errors.first?.contains("(\(ENOSPC))") == true)
    #expect(errors.first?.contains(folder.path) == false)
    #expect(folder.files == [])
  }

  @Test func `A used-up quota is not logged as a failure of the server`() async throws {
    var (limits, configuration) = (BlobLimits(), ServerConfiguration())
    limits.bytesPerAccount = 10
    let lines = LogLines()
    configuration.log = lines.log
    let folder = try BlobFolder(limits: limits, configuration: configuration)
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    #expect(await ida.put(BlobFolder.content(11)).status.rawValue == 507)
    let levels = try lines.json().map { $0["level"] as? String }
    #expect(levels.allSatisfy { $0 == "info" })
  }

  @Test func `An account can begin a limited number of uploads and can finish each of them`()
    async throws
  {
    var limits = BlobLimits()
    limits.uploads = 3
    let folder = try BlobFolder(limits: limits)
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    let contents = (0..<4).map { BlobFolder.content(10, seed: $0) }
    for (number, content) in contents.enumerated() {
      let begun = await ida.put([content[0]], as: ContentHash(of: content), at: 0, of: 10)
      #expect(begun.status.rawValue == (number < 3 ? 202 : 507))
    }
    for content in contents {
      let rest = Array(content[1...])
      let isFirst = content == contents[3]
      let done = await ida.put(
        isFirst ? content : rest, as: ContentHash(of: content), at: isFirst ? 0 : 1, of: 10)
      #expect(done.status == .created)
    }
  }

  @Test func `Concurrent uploads of the same content all succeed, and one file is stored`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let content = BlobFolder.content(50_000)
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { await ida.put(content).status.rawValue }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { [200, 201, 409].contains($0) }, "\(statuses)")
    #expect(await ida.put(content).status == .ok)
    #expect(await ida.blob(ContentHash(of: content)).bytes == content)
    #expect(folder.files.count == 1)
  }
}
