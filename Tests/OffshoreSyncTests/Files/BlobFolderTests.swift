import Foundation
import Offshore
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreSync

/// The folder with the files of a device.
@Suite(.timeLimit(.minutes(1)))
struct BlobFolderTests {
  private let folder: TemporaryFolder
  private let files: BlobFolder

  init() throws {
    folder = try TemporaryFolder()
    files = BlobFolder(folder.file("files"))
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: files.path))
  }

  @Test func `A file is stored once under the hash of its content`() async throws {
    #expect(!FileManager.default.fileExists(atPath: files.path))
    let content = Gallery.image(1, count: 700_000)
    let reference = try await files.add(content)
    #expect(reference == BlobReference(ContentHash(of: content)))
    #expect(try await files.add(content) == reference)
    #expect(try names() == [reference.hash.description, "incoming"])
    let url = try #require(files.url(of: reference))
    #expect(try Data(contentsOf: url) == Data(content))
    #expect(files.url(of: BlobReference(ContentHash(of: [1]))) == nil)
  }

  @Test func `Concurrent additions of the same file succeed`() async throws {
    let content = Gallery.image(2, count: 100_000)
    let references = try await withThrowingTaskGroup(of: BlobReference.self) { [files] group in
      for _ in 0..<8 { group.addTask { try await files.add(content) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(references.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path + "/incoming") == [])
  }

  @Test func `A copy of another file is stored, and a missing one is an error`() async throws {
    let content = Gallery.image(3, count: 600_001)
    let source = URL(filePath: folder.file("photo.png"))
    try Data(content).write(to: source)
    let reference = try await files.add(contentsOf: source)
    #expect(reference.hash == ContentHash(of: content))
    #expect(try Data(contentsOf: source) == Data(content))
    await #expect {
      try await files.add(contentsOf: URL(filePath: folder.file("missing.png")))
    } throws: {
      ($0 as? DatabaseError)?.code == .cannotOpen
    }
  }

  @Test func `An empty file is a file`() async throws {
    let reference = try await files.add([])
    #expect(try await files.size(of: reference.hash) == 0)
    #expect(try await files.read(0..<0, of: reference.hash) == [])
  }

  @Test func `A folder that cannot be created is an error, and nothing remains`() async throws {
    try Data("a file".utf8).write(to: URL(filePath: files.path))
    await #expect { try await files.add([1]) } throws: {
      ($0 as? DatabaseError)?.code == .inputOutput
    }
  }

  @Test func `A file arrives in parts, and resumes after the last one`() async throws {
    let content = Gallery.image(4, count: 1_000)
    let hash = ContentHash(of: content)
    #expect(try await files.arrivedCount(of: hash) == 0)
    try await files.append(Array(content[..<400]), at: 0, of: hash)
    #expect(try await files.arrivedCount(of: hash) == 400)
    #expect(files.url(of: BlobReference(hash)) == nil)
    let resumed = BlobFolder(files.path)
    try await resumed.append(Array(content[400...]), at: 400, of: hash)
    #expect(try await resumed.finish(hash))
    #expect(try await files.read(399..<401, of: hash) == Array(content[399..<401]))
    #expect(try names() == [hash.description, "incoming"])
  }

  @Test func `A file with another hash is discarded`() async throws {
    let hash = ContentHash(of: [1, 2, 3])
    try await files.append([1, 2, 4], at: 0, of: hash)
    #expect(try await !files.finish(hash))
    #expect(try names() == ["incoming"])
  }

  @Test func `Files are removed, and old ones are found without incomplete ones`()
    async throws
  {
    let (first, second) = (try await files.add([1]), try await files.add([2]))
    try await files.append([1], at: 0, of: ContentHash(of: [9, 9]))
    try Data("rest".utf8).write(to: URL(filePath: files.path + "/incoming/rest"))
    #expect(try await files.files(unchangedSince: 0) == [])
    let later = Int64(Date().timeIntervalSince1970 * 1_000) + 60_000
    #expect(
      Set(try await files.files(unchangedSince: later))
        == [first.hash, second.hash, ContentHash(of: [9, 9])])
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path + "/incoming") == [])
    try await files.remove(first.hash)
    try await files.remove(ContentHash(of: [9, 9]))
    #expect(try names() == [second.hash.description, "incoming"])
  }

  @Test func `Files that are set aside are deleted later, and others can be added meanwhile`()
    async throws
  {
    try files.setAside()
    let (former, present) = (try await files.add([1]), ContentHash(of: [2]))
    try files.setAside()
    #expect(files.url(of: former) == nil)
    _ = try await files.add([2])
    #expect(FileManager.default.fileExists(atPath: files.path + ".erased"))
    try files.removeSetAside()
    #expect(!FileManager.default.fileExists(atPath: files.path + ".erased"))
    #expect(try names() == [present.description, "incoming"])
  }

  @Test func `A file that was added again meanwhile is not removed as an old one`() async throws {
    let file = try await files.add([1])
    let before = Int64(Date().timeIntervalSince1970 * 1_000) - 1_000
    #expect(try await files.add([1]) == file)
    try await files.remove(file.hash, ifUnchangedSince: before)
    #expect(files.url(of: file) != nil)
    try await files.remove(file.hash, ifUnchangedSince: before + 60_000)
    #expect(files.url(of: file) == nil)
  }
}
