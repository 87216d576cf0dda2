import Foundation
import OffshoreWire
import TestSupport
import Testing

/// The files of blobs, as a server and a device use them.
struct BlobFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("blob") }
  private let content: [UInt8] = (0..<600_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  init() throws { folder = try TemporaryFolder() }

  private func written() throws -> BlobFile {
    let file = try BlobFile(path, O_RDWR | O_CREAT)
    try file.write(content, at: 0)
    return file
  }

  @Test func `Its size, its parts and its hash are those of the content`() throws {
    let file = try written()
    #expect(try file.size() == content.count)
    #expect(try file.hash() == ContentHash(of: content))
    for range in [0..<0, 0..<1, 262_143..<262_146, 599_990..<600_001, 0..<600_001] {
      #expect(try file.read(range) == Array(content[range]))
    }
  }

  @Test func `Parts are written one after the other`() throws {
    let file = try BlobFile(path, O_RDWR | O_CREAT)
    try file.write(Array(content[..<400_000]), at: 0)
    try file.write(Array(content[400_000...]), at: 400_000)
    try file.synchronize()
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(content))
    try file.truncate()
    #expect(try file.size() == 0)
    #expect(try file.hash() == ContentHash(of: []))
  }

  @Test func `A copy has the same content`() throws {
    let file = try written()
    let other = try BlobFile(folder.file("copy"), O_RDWR | O_CREAT)
    try file.copy(to: other)
    #expect(try other.size() == content.count)
    #expect(try other.hash() == file.hash())
    try BlobFile.synchronize(folder: folder.path)
  }

  @Test func `A part beyond the end is an error`() throws {
    let file = try written()
    #expect(throws: BlobFileError.self) { _ = try file.read(600_000..<600_002) }
  }

  @Test func `The time of the last change can be set, and that of a missing file is the latest`()
    throws
  {
    let file = try written()
    try file.setLastChange(1_234_567)
    #expect(try BlobFile.lastChange(of: path) == 1_234_567)
    #expect(try BlobFile.lastChange(of: folder.file("missing")) == .max)
  }

  @Test func `An error names the operation and the reason, but no path`() throws {
    let error = #expect(throws: BlobFileError.self) {
      _ = try BlobFile(folder.file("missing"), O_RDONLY).size()
    }
    #expect(error?.code == ENOENT && error?.operation == "open" && error?.isTransient == false)
    #expect(error?.description.contains("No such file") == true)
    #expect(error?.description.contains(folder.path) == false)
  }

  @Test(arguments: [ENOSPC, EDQUOT, EMFILE, ENFILE])
  func `A full disk and a lack of descriptors may end`(code: Int32) {
    errno = code
    #expect(BlobFileError("write").isTransient)
  }

  // MARK: - Sizes at the borders of pieces

  @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 524_288, 524_289])
  func `A content of any size is hashed, read and copied as a whole`(count: Int) throws {
    let part = Array(content.prefix(count))
    let file = try BlobFile(path, O_RDWR | O_CREAT)
    try file.write(part, at: 0)
    #expect(try file.size() == count)
    #expect(try file.hash() == ContentHash(of: part))
    #expect(try file.read(0..<count) == part)
    let copy = try BlobFile(folder.file("copy"), O_RDWR | O_CREAT)
    try file.copy(to: copy)
    #expect(try copy.read(0..<copy.size()) == part)
  }

  @Test func `A part that is written again replaces the bytes of its range alone`() throws {
    let file = try written()
    let other = [UInt8](repeating: 255, count: 1_000)
    try file.write(other, at: 300_000)
    #expect(try file.size() == content.count)
    #expect(try file.read(299_999..<300_000) == [content[299_999]])
    #expect(try file.read(300_000..<301_000) == other)
    #expect(try file.read(301_000..<301_001) == [content[301_000]])
    #expect(try file.hash() != ContentHash(of: content))
  }

  @Test func `A gap before a part is read as zeros`() throws {
    let file = try BlobFile(path, O_RDWR | O_CREAT)
    try file.write([7], at: 100)
    #expect(try file.size() == 101)
    #expect(try file.read(0..<101) == Array(repeating: 0, count: 100) + [7])
  }

  // MARK: - Files that cannot be used

  @Test func `A new file is for its user alone, and is not created twice`() throws {
    let file = try BlobFile(path, O_RDWR | O_CREAT | O_EXCL)
    #expect(try file.size() == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let error = #expect(throws: BlobFileError.self) {
      _ = try BlobFile(path, O_RDWR | O_CREAT | O_EXCL).size()
    }
    #expect(error?.code == EEXIST && error?.isTransient == false)
  }

  @Test func `A file that is open for reading is not written`() throws {
    _ = try written()
    let file = try BlobFile(path, O_RDONLY)
    let error = #expect(throws: BlobFileError.self) { try file.write([1], at: 0) }
    #expect(error?.code == EBADF && error?.operation == "write")
    #expect(throws: BlobFileError.self) { try file.truncate() }
    #expect(try file.hash() == ContentHash(of: content))
  }

  @Test func `A full disk is an error that may end`() throws {
    // NB: Each write to this device of Linux fails as on a full disk.
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let file = try BlobFile("/dev/full", O_WRONLY)
    let error = #expect(throws: BlobFileError.self) { try file.write([1, 2, 3], at: 0) }
    #expect(error?.code == ENOSPC && error?.isTransient == true)
    #expect(error?.description.contains("No space left") == true)
  }

  @Test func `A folder has neither content nor a hash`() throws {
    let file = try BlobFile(folder.path, O_RDONLY | O_DIRECTORY)
    let error = #expect(throws: BlobFileError.self) { _ = try file.hash() }
    #expect(error?.code == EISDIR && error?.operation == "read")
    #expect(throws: BlobFileError.self) {
      try BlobFile.synchronize(folder: folder.file("missing"))
    }
  }

  @Test func `Many threads read parts of a file at the same time`() async throws {
    _ = try written()
    let parts = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { [path] group in
      for start in stride(from: 0, to: 600_000, by: 50_000) {
        group.addTask { (start, try BlobFile(path, O_RDONLY).read(start..<(start + 50_000))) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(parts.count == 12)
    for (start, part) in parts { #expect(part == Array(content[start..<(start + 50_000)])) }
  }
}
