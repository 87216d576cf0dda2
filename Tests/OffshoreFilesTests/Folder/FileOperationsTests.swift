import Foundation
import TestSupport
import Testing

@testable import OffshoreFiles

/// The system's operations on files, and the errors by which they fail.
@Suite(.timeLimit(.minutes(1)))
struct FileOperationsTests {
  private let folder: TestFolder
  private let operations = FileOperations()

  init() throws { folder = try TestFolder() }

  private func write(_ text: String, to name: String, _ operations: FileOperations? = nil) throws {
    try (operations ?? self.operations).write(
      Data(text.utf8), to: folder.file(name), mode: 0o640, isDurable: true)
  }

  private func failure(_ body: () throws -> Void) -> SystemError? {
    #expect(throws: SystemError.self) { try body() }
  }

  // MARK: - Refused operations

  /// Performs an operation of each kind.
  private func perform(_ kind: FileOperations.Kind, _ operations: FileOperations) throws {
    switch kind {
    case .createFolder: try operations.createFolder(folder.file("deep"))
    case .createFile, .write, .synchronize: try write("new", to: "new", operations)
    case .rename: try operations.rename(folder.file("a"), to: folder.file("b"))
    case .synchronizeFolder: try operations.synchronizeFolder(folder.path)
    case .remove: try operations.remove(folder.file("a"))
    }
  }

  @Test(arguments: FileOperations.Kind.allCases)
  func `A refused operation of each kind changes nothing, and has the number of its error`(
    _ kind: FileOperations.Kind
  ) throws {
    try folder.write("old", to: "a")
    for code in [ENOSPC, EROFS, EIO] {
      let refusing = FileOperations { $0 == kind ? code : 0 }
      let failure = failure { try perform(kind, refusing) }
      #expect(failure?.code == code)
      #expect(failure?.isRead == false)
      #expect(try folder.names() == ["a"])
      #expect(folder.text("a") == "old")
    }
    #expect(throws: Never.self) { try perform(kind, operations) }
  }

  @Test func `A file that may be lost is not flushed`() throws {
    let counted = CountedOperations()
    try counted.operations.write(Data(), to: folder.file("a"), mode: 0o600, isDurable: false)
    #expect(counted.kinds == [.createFile, .write])
    #expect(folder.bytes("a") == Data())
  }

  // MARK: - Writing

  @Test func `A file that was not completed is overwritten, and gets the permissions`() throws {
    try folder.write("a longer rest", to: "a")
    try write("new", to: "a")
    #expect(folder.text("a") == "new")
    #expect(operations.mode(of: folder.file("a")) == 0o640)
    // Whichever permissions the process takes from new files.
    try operations.write(Data(), to: folder.file("b"), mode: 0o666, isDurable: true)
    #expect(operations.mode(of: folder.file("b")) == 0o666)
  }

  @Test func `A file in a missing folder is not created`() {
    let failure = failure { try write("new", to: "missing/a") }
    #expect(failure?.code == ENOENT)
    #expect(failure?.description == "not created: No such file or directory")
  }

  @Test func `Nothing is written through a link or over a folder`() throws {
    try folder.write("old", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("target"))
    try operations.createFolder(folder.file("deep"))
    #expect(failure { try write("new", to: "link") }?.code == ELOOP)
    #expect(failure { try write("new", to: "deep") }?.code == EISDIR)
    #expect(failure { try write("new", to: "target/a") }?.code == ENOTDIR)
    #expect(folder.text("target") == "old")
    #expect(try folder.names() == ["deep", "link", "target"])
  }

  @Test func `A renamed file replaces another, and no folder`() throws {
    try folder.write("new", to: "a")
    try folder.write("old", to: "b")
    try operations.rename(folder.file("a"), to: folder.file("b"))
    #expect(folder.text("b") == "new")
    #expect(try folder.names() == ["b"])
    try operations.createFolder(folder.file("deep"))
    let overFolder = failure {
      try operations.rename(folder.file("b"), to: folder.file("deep"))
    }
    #expect(overFolder?.code == EISDIR)
    let missing = failure { try operations.rename(folder.file("a"), to: folder.file("b")) }
    #expect(missing?.code == ENOENT)
    #expect(missing?.description.hasPrefix("not renamed: ") == true)
    #expect(folder.text("b") == "new")
  }

  @Test func `A file is deleted, a missing one counts as deleted, and a folder stays`() throws {
    try folder.write("old", to: "a")
    try operations.remove(folder.file("a"))
    try operations.remove(folder.file("a"))
    #expect(try folder.names() == [])
    try operations.createFolder(folder.file("deep"))
    let failure = failure { try operations.remove(folder.file("deep")) }
    #expect(failure?.description.hasPrefix("not deleted: ") == true)
    #expect(try folder.names() == ["deep"])
  }

  @Test func `Only a folder is flushed as a folder`() throws {
    try folder.write("old", to: "a")
    #expect(failure { try operations.synchronizeFolder(folder.file("a")) }?.code == ENOTDIR)
    let missing = failure { try operations.synchronizeFolder(folder.file("missing")) }
    #expect(missing?.code == ENOENT)
    #expect(missing?.description == "not synchronized: No such file or directory")
  }

  // MARK: - Folders

  @Test func `A new folder is for its user only, and one behind a link is used`() throws {
    try operations.createFolder(folder.file("one/two"))
    #expect(operations.mode(of: folder.file("one")) == 0o700)
    #expect(operations.mode(of: folder.file("one/two")) == 0o700)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("one"))
    let counted = CountedOperations()
    try counted.operations.createFolder(folder.file("link"))
    #expect(counted.kinds == [])
    try counted.operations.createFolder(folder.file("link/three"))
    #expect(operations.mode(of: folder.file("one/three")) == 0o700)
  }

  @Test func `A folder is not created if one above it cannot be`() throws {
    let counted = CountedOperations(failingWith: EROFS)
    counted.restart(failing: 2)
    let failure = failure { try counted.operations.createFolder(folder.file("one/two/three")) }
    #expect(failure?.code == EROFS)
    #expect(try folder.names() == ["one"])
    #expect(operations.mode(of: folder.file("one/two")) == nil)
  }

  // MARK: - Reading

  @Test func `A file is read up to its limit, and a missing one is nothing`() throws {
    try folder.write("12345", to: "a")
    try folder.write("", to: "empty")
    #expect(try operations.read(folder.file("a"), limit: 5) == Data("12345".utf8))
    #expect(try operations.read(folder.file("empty"), limit: 0) == Data())
    #expect(try operations.read(folder.file("missing"), limit: 5) == nil)
    #expect(try operations.read(folder.file("missing/a"), limit: 5) == nil)
    let failure = failure { _ = try operations.read(folder.file("a"), limit: 4) }
    #expect(failure?.code == EFBIG)
    #expect(failure?.isRead == true)
  }

  @Test func `What is not a regular file is not read`() throws {
    try folder.write("12345", to: "a")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("a"))
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    let expected = ["link": ELOOP, "pipe": ENXIO, "a/b": ENOTDIR, ".": ENXIO]
    for (name, code) in expected {
      let failure = failure { _ = try operations.read(folder.file(name), limit: 5) }
      #expect(failure?.code == code, "\(name)")
      #expect(failure?.isRead == true)
      #expect(failure?.description.hasPrefix("not read: ") == true)
    }
    #expect(operations.mode(of: folder.file("missing")) == nil)
  }
}
