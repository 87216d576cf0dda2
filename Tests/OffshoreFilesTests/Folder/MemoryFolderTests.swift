import Foundation
import Testing

@testable import OffshoreFiles

/// The storages of a folder, which behave alike.
private enum Twin: CaseIterable {
  case disk, memory

  func make(_ folder: TestFolder) -> any FolderStorage {
    switch self {
    case .disk: DiskFolder(folder.path, FolderEnvironment())
    case .memory: MemoryFolder()
    }
  }
}

/// The contract of a folder's files, on the disk and in memory.
@Suite(.timeLimit(.minutes(1)))
struct MemoryFolderTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func write(_ name: String, _ text: String) -> FileWrite {
    FileWrite(name: name, data: Data(text.utf8))
  }

  private func text(_ name: String, _ storage: any FolderStorage) throws -> String? {
    try storage.read(name, limit: 100).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `A new folder has no files`(_ twin: Twin) throws {
    let storage = twin.make(folder)
    #expect(try storage.read("a", limit: 0) == nil)
    #expect(storage.names(withPrefix: "") == [])
    try storage.recover()
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `Files are committed, replaced and read`(_ twin: Twin) throws {
    let storage = twin.make(folder)
    try storage.withLock { try storage.commit([write("a", "1")]) }
    try storage.withLock { try storage.commit([write("b", "2"), write("a", "3"), write("c", "")]) }
    try storage.withLock { try storage.commit([]) }
    #expect(try text("a", storage) == "3")
    #expect(try text("b", storage) == "2")
    #expect(try text("c", storage) == "")
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `A file is read up to its limit`(_ twin: Twin) throws {
    let storage = twin.make(folder)
    try storage.withLock { try storage.commit([write("a", "12345")]) }
    #expect(try storage.read("a", limit: 5)?.count == 5)
    let error = #expect(throws: FileError.self) { try storage.read("a", limit: 4) }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.hasPrefix("“a” has more than 4 bytes") == true)
    #expect(error?.message.contains("limit of its configuration") == true)
    #expect(error?.path == storage.path(of: "a"))
    #expect(error?.file == "a")
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `A copy is stored as a file, and replaced`(_ twin: Twin) throws {
    let storage = twin.make(folder)
    for text in ["long text", "short"] {
      try storage.withLock { try storage.storeCopy(write("a.backup", text)) }
      #expect(try self.text("a.backup", storage) == text)
    }
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `The names with a prefix are sorted, in any script`(_ twin: Twin) throws {
    let storage = twin.make(folder)
    let names = ["лодка", "b 10", "b 9", "B", "á", "b"]
    try storage.withLock { try storage.commit(names.map { write($0, $0) }) }
    #expect(storage.names(withPrefix: "b") == ["b", "b 10", "b 9"])
    #expect(storage.names(withPrefix: "лод") == ["лодка"])
    #expect(storage.names(withPrefix: "x") == [])
    let all = storage.names(withPrefix: "").filter { !$0.hasPrefix(FolderJournal.prefix) }
    #expect(all == names.sorted())
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `A renamed file has its new name only, and replaces another`(_ twin: Twin)
    throws
  {
    let storage = twin.make(folder)
    try storage.withLock {
      try storage.commit([write("a", "1"), write("b", "2")])
      try storage.rename("a", to: "b")
    }
    #expect(try text("a", storage) == nil)
    #expect(try text("b", storage) == "1")
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `Renaming a missing file fails, and keeps the target`(_ twin: Twin) throws {
    let storage = twin.make(folder)
    try storage.withLock { try storage.commit([write("b", "2")]) }
    let error = #expect(throws: FileError.self) { try storage.rename("a", to: "b") }
    #expect(error?.code == .inputOutput)
    #expect(error?.file == "a")
    #expect((error?.cause as? SystemError)?.code == ENOENT)
    #expect(try text("b", storage) == "2")
  }

  @Test(arguments: Twin.allCases)
  fileprivate func `The lock passes on the result or the error of its closure`(_ twin: Twin) throws
  {
    let storage = twin.make(folder)
    #expect(try storage.withLock { 7 } == 7)
    #expect(throws: CancellationError.self) { try storage.withLock { throw CancellationError() } }
    // The lock was released.
    #expect(try storage.withLock { "free" } == "free")
  }

  @Test func `Only the disk has paths and other writers`() throws {
    let (disk, memory) = (Twin.disk.make(folder), Twin.memory.make(folder))
    #expect(disk.path(of: "a") == folder.file("a"))
    #expect(memory.path(of: "a") == "a")
    #expect(try disk.watch({ _ in }) != nil)
    #expect(try memory.watch({ _ in }) == nil)
  }
}
