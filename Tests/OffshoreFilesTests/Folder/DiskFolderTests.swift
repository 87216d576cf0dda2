import Foundation
import Testing

@testable import OffshoreFiles

/// The operations of a folder on the disk.
@Suite(.timeLimit(.minutes(1)))
struct DiskFolderTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func disk(_ operations: FileOperations = FileOperations()) -> DiskFolder {
    var environment = FolderEnvironment()
    environment.operations = operations
    environment.random = { 0x1F }
    return DiskFolder(folder.path, environment)
  }

  private func write(_ name: String, _ text: String) -> FileWrite {
    FileWrite(name: name, data: Data(text.utf8))
  }

  // MARK: - Rests

  @Test
  func `The rests of an interrupted change are deleted with the first lock, and nothing else`()
    throws
  {
    let rests = [".offshore-new-a.json", ".offshore-journal-new", ".offshore-1f-a.json"]
    let others = ["a.json", "a.json.backup", ".hidden", ".offshore", "offshore-new-a.json"]
    for name in rests + others { try folder.write("x", to: name) }
    let disk = disk()
    try disk.recover()
    #expect(try folder.names() == (rests + others).sorted())
    try disk.withLock {}
    #expect(try folder.names() == others.sorted())
    // A later lock does not read the folder again.
    try folder.write("x", to: rests[0])
    try disk.withLock {}
    #expect(folder.text(rests[0]) == "x")
  }

  @Test func `A change with a journal is completed by reading and by writing`() throws {
    for use in [{ try disk().recover() }, { try disk().withLock {} }] {
      for name in ["a.json", "b.json"] { try folder.write("old", to: name) }
      // The process has ended after the first file.
      try folder.write("new a", to: "a.json")
      try folder.write("new b", to: ".offshore-7-b.json")
      let entries = ["a", "b"].map {
        FolderJournal.Entry(file: ".offshore-7-\($0).json", target: "\($0).json")
      }
      try folder.write(
        try JSONEncoder().encode(FolderJournal(entries: entries)), to: ".offshore-journal")
      try use()
      #expect(folder.text("a.json") == "new a")
      #expect(folder.text("b.json") == "new b")
      #expect(try folder.names() == ["a.json", "b.json"])
    }
  }

  @Test func `A journal that cannot be applied fails the use, and is applied later`() throws {
    let entry = FolderJournal.Entry(file: ".offshore-7-a.json", target: "a.json")
    try folder.write("new", to: entry.file)
    try folder.write(
      try JSONEncoder().encode(FolderJournal(entries: [entry])), to: ".offshore-journal")
    let operations = CountedOperations(failingWith: EIO)
    operations.restart(failing: 0)
    let error = #expect(throws: FileError.self) { try disk(operations.operations).recover() }
    #expect(error?.code == .inputOutput)
    #expect(folder.text("a.json") == nil)
    try disk().recover()
    #expect(folder.text("a.json") == "new")
  }

  @Test func `A name is that of a rest only if it is the library's own`() {
    #expect(FolderJournal.isRest(".offshore-new-a"))
    #expect(!FolderJournal.isRest(".offshore-lock"))
    #expect(!FolderJournal.isRest(".offshore-journal"))
    #expect(!FolderJournal.isRest("a.json"))
  }

  // MARK: - Writing

  @Test func `Several files are committed by names of their own`() throws {
    let disk = disk()
    try disk.withLock { try disk.commit([write("a", "1"), write("b", "2"), write("c", "3")]) }
    #expect(["a", "b", "c"].map { folder.text($0) } == ["1", "2", "3"])
    #expect(try folder.names() == ["a", "b", "c"])
    try disk.commit([])
    #expect(disk.names(withPrefix: "") == [".offshore-lock", "a", "b", "c"])
    #expect(disk.names(withPrefix: "b") == ["b"])
  }

  @Test func `A large file is written and read whole`() throws {
    let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
    let disk = disk()
    try disk.withLock { try disk.commit([FileWrite(name: "large", data: data)]) }
    #expect(try disk.read("large", limit: 3_000_000) == data)
    let error = #expect(throws: FileError.self) { try disk.read("large", limit: 2_999_999) }
    #expect(error?.code == .tooLarge)
    #expect(try disk.read("missing", limit: 1) == nil)
  }

  @Test func `A file that grows while it is read is read up to its limit`() throws {
    // The size of such a file of the system is 0.
    let operations = FileOperations()
    let text = try operations.read("/proc/self/status", limit: 1 << 20)
    #expect((text?.count ?? 0) > 100)
    #expect {
      try operations.read("/proc/self/status", limit: 100)
    } throws: { error in
      (error as? SystemError)?.code == EFBIG
    }
  }

  @Test func `A folder is created with those above it`() throws {
    let operations = CountedOperations()
    try operations.operations.createFolder(folder.file("a/b/c"))
    try operations.operations.createFolder(folder.file("a/b/c"))
    let expected = [FileOperations.Kind](
      repeating: .createFolder, count: 3
    ).flatMap { [$0, .synchronizeFolder] }
    #expect(operations.kinds == expected)
    #expect(try folder.names() == ["a"])
  }

  @Test func `A missing file is renamed to nothing, with an error`() throws {
    let disk = disk()
    let error = #expect(throws: FileError.self) { try disk.rename("a", to: "b") }
    #expect(error?.code == .inputOutput)
    #expect(throws: Never.self) { try FileOperations().remove(folder.file("a")) }
  }

  // MARK: - Paths

  @Test(arguments: [
    ("/a/b.json", "b.json", "/a"), ("/b.json", "b.json", "/"), ("b.json", "b.json", "."),
    ("a/b", "b", "a"),
  ])
  func `A path has a name and a folder`(_ path: String, _ name: String, _ parent: String) {
    #expect(path.fileName == name)
    #expect(path.parentPath == parent)
  }

  @Test func `A path from the root has neither dots nor a slash at its end`() {
    #expect("/a/./b/../c/".absolutePath == "/a/c")
    #expect("/".absolutePath == "/")
    #expect("x".absolutePath == FileManager.default.currentDirectoryPath + "/x")
  }
}
