import Foundation
import OffshoreHTTP
import OffshoreWire
import Synchronization
import Testing

@testable import OffshoreServer

/// The files of blobs after a crash, a power failure or a restore.
struct BlobSweepTests {
  private let folder: BlobFolder
  private let blobs: BlobStore
  private let ida: RowClient
  private var service: TestService { folder.service }
  private let content = BlobFolder.content(1_000)
  private var hash: ContentHash { ContentHash(of: content) }

  init() async throws {
    folder = try BlobFolder()
    // The times of files are those of the system.
    folder.service.clock.now = SystemClock.now()
    blobs = try #require(folder.service.server.blobs)
    ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
  }

  private var account: AccountID { AccountID(ida.id) }

  /// Stores the file of a blob without an entry, as a crash before the commit leaves it.
  private func addUnknownFile() async throws {
    _ = try await blobs.append(content, at: 0, of: hash, from: account)
    #expect(try await blobs.finish(hash, from: account))
  }

  private func pass(days: Int64) { service.clock.now += days * 86_400_000 }

  private var blobFiles: [String] { folder.files.filter { !$0.contains(".") } }

  @Test func `A file without an entry is removed a week after it was found`() async throws {
    try await addUnknownFile()
    pass(days: 30)
    for _ in 0..<7 {
      await service.server.sweepBlobs()
      #expect(blobFiles.count == 1)
      pass(days: 1)
    }
    await service.server.sweepBlobs()
    #expect(folder.files == [])
    #expect(await ida.put(content).status == .created)
  }

  @Test func `A file whose entry is back stays, and a later loss counts anew`() async throws {
    try await addUnknownFile()
    await service.server.sweepBlobs()
    pass(days: 6)
    #expect(await ida.put(content).status == .created)
    await service.server.sweepBlobs()
    #expect(folder.files == blobFiles)
    pass(days: 6)
    try await service.log.write { try $0.removeBlob(hash, from: Lists.scope()) }
    await service.server.sweepBlobs()
    pass(days: 6)
    await service.server.sweepBlobs()
    #expect(blobFiles.count == 1)
    pass(days: 1)
    await service.server.sweepBlobs()
    #expect(folder.files == [])
  }

  @Test func `A mark from a clock that was ahead counts from the present`() async throws {
    try await addUnknownFile()
    pass(days: 400)
    await service.server.sweepBlobs()
    pass(days: -400)
    for days: Int64 in [6, 1] {
      await service.server.sweepBlobs()
      #expect(blobFiles.count == 1)
      pass(days: days)
    }
    await service.server.sweepBlobs()
    #expect(folder.files == [])
  }

  @Test func `Stored blobs, unfinished uploads and files of others stay`() async throws {
    #expect(await ida.put(content).status == .created)
    let other = BlobFolder.content(10, seed: 2)
    _ = await ida.put([other[0]], as: ContentHash(of: other), at: 0, of: 10)
    let note = "\(folder.path)/00/note.txt"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/00", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: note))
    for _ in 0..<2 {
      await service.server.sweepBlobs()
      pass(days: 8)
    }
    #expect(folder.files.count == 3)
    #expect(await ida.blob(hash).bytes == content)
  }

  @Test func `The file of an upload that the data does not know is removed after a week`()
    async throws
  {
    _ = try await blobs.append([1], at: 0, of: hash, from: account)
    pass(days: 6)
    await service.server.sweepBlobs()
    #expect(folder.files.count == 1)
    pass(days: 2)
    await service.server.sweepBlobs()
    #expect(folder.files == [])
  }

  @Test func `A blob whose bytes arrived before the server was killed can be sent again`()
    async throws
  {
    _ = try await blobs.append(content, at: 0, of: hash, from: account)
    // A new process has the same folder and data.
    #expect(await ida.put(content).status == .created)
    #expect(await ida.blob(hash).bytes == content)
    let other = BlobFolder.content(1_000, seed: 2)
    _ = try await blobs.append(
      Array(other[..<999]), at: 0, of: ContentHash(of: other), from: account)
    #expect(await ida.put(other).status == .created)
    #expect(await ida.blob(ContentHash(of: other)).bytes == other)
  }

  @Test func `The entry of a new folder is written to the disk before the blob is acknowledged`()
    async throws
  {
    let log = FolderLog()
    let folder = try BlobFolder(synchronize: { log.add($0) })
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    #expect(log.take() == [folder.path, (folder.path as NSString).deletingLastPathComponent])
    #expect(await ida.put(content).status == .created)
    #expect(log.take() == [folder.path, "\(folder.path)/\(hash.description.prefix(2))"])
    // The folder exists now, and its entry is written.
    let path = "/v1/blobs/\(hash)?scope=list/1"
    _ = await folder.service.send(.delete, path, token: ida.token)
    #expect(await ida.put(content).status == .created)
    #expect(log.take() == ["\(folder.path)/\(hash.description.prefix(2))"])
  }
}

/// The folders whose entries were written to the disk, in order.
private final class FolderLog: Sendable {
  private let paths = Mutex<[String]>([])

  func add(_ path: String) { paths.withLock { $0.append(path) } }

  /// Removes and returns the paths.
  func take() -> [String] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
