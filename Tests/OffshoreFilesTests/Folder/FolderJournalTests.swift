import Foundation
import Testing

@testable import OffshoreFiles

/// The journal of a change of several files, with which the change takes effect whole or not at all.
@Suite(.timeLimit(.minutes(1)))
struct FolderJournalTests {
  private let folder: TestFolder

  private static let targets = ["a.json", "b.json", "c.json"]
  private static let journal = FolderJournal(
    entries: targets.map { FolderJournal.Entry(file: ".offshore-7-\($0)", target: $0) })

  init() throws { folder = try TestFolder() }

  private func disk() -> DiskFolder { DiskFolder(folder.path, FolderEnvironment()) }

  /// Writes the old files, and the new ones beside them, in place of all others.
  private func prepare() throws {
    for name in try folder.names() { try FileManager.default.removeItem(atPath: folder.file(name)) }
    for entry in Self.journal.entries {
      try folder.write("old", to: entry.target)
      try folder.write("new", to: entry.file)
    }
  }

  private func expectAll(_ text: String, _ comment: Comment) throws {
    #expect(Self.targets.allSatisfy { folder.text($0) == text }, comment)
    #expect(try folder.names() == Self.targets, comment)
  }

  // MARK: - Interrupted changes

  @Test func `A change that ended at any byte of writing its journal has no effect`() throws {
    let bytes = try JSONEncoder().encode(Self.journal)
    for count in 0...bytes.count {
      try prepare()
      try folder.write(bytes.prefix(count), to: ".offshore-journal-new")
      try disk().withLock {}
      try expectAll("old", "\(count)")
    }
  }

  @Test func `A journal that is cut at any byte is refused, and no file changes`() throws {
    let bytes = try JSONEncoder().encode(Self.journal)
    for count in 0..<bytes.count {
      try prepare()
      try folder.write(bytes.prefix(count), to: ".offshore-journal")
      let error = #expect(throws: FileError.self) { try disk().recover() }
      #expect(error?.code == .corrupted, "\(count)")
      #expect(error?.message.contains("“.offshore-journal”") == true)
      #expect(error?.message.contains("Delete it") == true)
      // The remedy leads to the former files.
      try FileManager.default.removeItem(atPath: folder.file(".offshore-journal"))
      try disk().withLock {}
      try expectAll("old", "\(count)")
    }
  }

  @Test func `A change that ended after any of its renames is completed`() throws {
    for count in 0...Self.targets.count {
      try prepare()
      try Self.journal.store(in: folder.path, FileOperations())
      for entry in Self.journal.entries.prefix(count) {
        #expect(rename(folder.file(entry.file), folder.file(entry.target)) == 0)
      }
      try disk().recover()
      try expectAll("new", "\(count)")
    }
  }

  // MARK: - Failing disks

  @Test func `A journal of which any operation fails is applied the next time`() throws {
    let disk = CountedOperations(failingWith: EIO)
    // Three renames, the flush of the folder, and the deletion of the journal.
    for failing in 0..<5 {
      try prepare()
      try Self.journal.store(in: folder.path, FileOperations())
      disk.restart(failing: failing)
      let error = #expect(throws: SystemError.self) {
        try Self.journal.apply(in: folder.path, disk.operations)
      }
      #expect(error?.code == EIO)
      #expect(disk.kinds.count == failing + 1)
      #expect(folder.bytes(".offshore-journal") != nil, "\(failing)")
      disk.restart()
      try Self.journal.apply(in: folder.path, disk.operations)
      try expectAll("new", "\(failing)")
    }
  }

  @Test func `A journal that cannot be stored does not exist, complete or not`() throws {
    let disk = CountedOperations(failingWith: ENOSPC)
    for failing in 0..<5 {
      disk.restart(failing: failing)
      let error = #expect(throws: SystemError.self) {
        try Self.journal.store(in: folder.path, disk.operations)
      }
      #expect(error?.code == ENOSPC)
      #expect(try folder.names() == [], "\(failing)")
      #expect(try FolderJournal.read(in: folder.path, FileOperations()) == nil)
    }
    #expect(
      disk.kinds == [.createFile, .write, .synchronize, .rename, .synchronizeFolder])
  }

  // MARK: - Contents

  @Test func `A stored journal is read with its entries in their order`() throws {
    try Self.journal.store(in: folder.path, FileOperations())
    let entries = try #require(try FolderJournal.read(in: folder.path, FileOperations())).entries
    #expect(entries.map(\.target) == Self.targets)
    #expect(entries.map(\.file) == Self.targets.map { ".offshore-7-\($0)" })
    #expect(FileOperations().mode(of: folder.file(".offshore-journal")) == 0o600)
  }

  @Test func `A journal without entries changes nothing, and is deleted`() throws {
    try folder.write("old", to: "a.json")
    try folder.write(#"{"entries":[]}"#, to: ".offshore-journal")
    try disk().recover()
    #expect(folder.text("a.json") == "old")
    #expect(try folder.names() == ["a.json"])
  }

  @Test(arguments: ["", ".", "..", "a/b.json", "/tmp/a.json", "../a.json"])
  func `A journal with a name outside of the folder is refused`(_ name: String) throws {
    for entry in [(file: "x", target: name), (file: name, target: "x")] {
      let journal = FolderJournal(entries: [.init(file: entry.file, target: entry.target)])
      try folder.write(try JSONEncoder().encode(journal), to: ".offshore-journal")
      let error = #expect(throws: FileError.self) { try disk().recover() }
      #expect(error?.code == .corrupted)
      #expect(error?.path == folder.file(".offshore-journal"))
    }
  }

  @Test func `A folder in place of the journal stops the use of the folder`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file(".offshore-journal"), withIntermediateDirectories: false)
    let error = #expect(throws: FileError.self) { try disk().recover() }
    #expect(error?.code == .cannotOpen)
    #expect(error?.file == ".offshore-journal")
  }

  @Test func `A change with too many files for its journal is refused before it takes effect`()
    throws
  {
    let entries = (0..<20_000).map {
      FolderJournal.Entry(file: ".offshore-7-\($0).json", target: "\($0).json")
    }
    let error = #expect(throws: FileError.self) {
      try FolderJournal(entries: entries).store(in: folder.path, FileOperations())
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("20000 documents") == true)
    #expect(try folder.names() == [])
    let large = FolderJournal(entries: Array(entries.prefix(10_000)))
    try large.store(in: folder.path, FileOperations())
    let read = try FolderJournal.read(in: folder.path, FileOperations())
    #expect(read?.entries.count == 10_000)
  }
}
