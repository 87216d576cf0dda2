import Foundation
import OffshoreFiles
import TestSupport
import Testing

/// Disks that are full or do not allow writing. They fail the store, and keep the old files.
@Suite(.timeLimit(.minutes(1)))
struct FailingDiskTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `A full disk at any operation of a store fails it and keeps the old value`()
    async throws
  {
    let disk = CountedOperations(failingWith: ENOSPC)
    let document = folder.open(disk.operations).document("n.json", default: 0)
    try await document.save(0)
    let whole = try await operations(disk) { try await document.save(1) }
    #expect(
      whole == [
        .createFile, .write, .synchronize, .rename, .synchronizeFolder,
        // The last good copy.
        .createFile, .write, .rename,
      ])
    for (operation, kind) in whole.enumerated() {
      try await document.save(0)
      let copy = folder.bytes("n.json.backup")
      disk.restart(failing: operation)
      // The copy is not needed, and after the rename the new value is there.
      let (isStored, fails) = (operation >= 4, operation <= 4)
      if fails {
        let error = await #expect(throws: FileError.self) { try await document.save(1) }
        #expect(error?.code == .diskFull, "\(kind)")
        #expect(folder.bytes("n.json.backup") == copy, "\(kind)")
      } else {
        try await document.save(1)
      }
      #expect(try await document.load() == (isStored ? 1 : 0), "\(operation) \(kind)")
      #expect(try await folder.open().document("n.json", default: 9).load() == (isStored ? 1 : 0))
      disk.restart()
      try await document.save(2)
      #expect(try await document.load() == 2)
      #expect(try folder.names() == ["n.json", "n.json.backup"])
    }
  }

  @Test func `A full disk at any operation of a change of several files keeps all or none`()
    async throws
  {
    let disk = CountedOperations(failingWith: ENOSPC)
    let documents = folder.open(disk.operations)
    let (a, b) = (
      documents.document("a.json", default: 0), documents.document("b.json", default: 0)
    )
    @Sendable func save(_ value: Int) async throws {
      try await documents.update { update in
        try update.save(value, in: a)
        try update.save(value, in: b)
      }
    }
    try await save(0)
    let whole = try await operations(disk) { try await save(1) }
    #expect(
      whole.prefix(14) == [
        .createFile, .write, .synchronize, .createFile, .write, .synchronize,
        // The journal, with which the change takes effect.
        .createFile, .write, .synchronize, .rename, .synchronizeFolder,
        .rename, .rename, .synchronizeFolder,
      ])
    for (operation, kind) in whole.enumerated() {
      try await save(0)
      disk.restart(failing: operation)
      let fails = operation <= 10
      if fails {
        let error = await #expect(throws: FileError.self) { try await save(1) }
        #expect(error?.code == .diskFull, "\(operation) \(kind)")
      } else {
        try await save(1)
      }
      disk.restart()
      let expected = fails ? 0 : 1
      let other = folder.open()
      #expect(try await other.document("a.json", default: 9).load() == expected, "\(operation)")
      #expect(try await other.document("b.json", default: 9).load() == expected, "\(operation)")
      #expect(try await (a.load(), b.load()) == (expected, expected), "\(operation) \(kind)")
      try await save(2)
      #expect(
        try folder.names() == ["a.json", "a.json.backup", "b.json", "b.json.backup"])
    }
  }

  @Test func `A damaged file that cannot be set aside stays, and is not overwritten`() async throws
  {
    try folder.write("x", to: "n.json")
    let disk = CountedOperations(failingWith: EACCES)
    let document = folder.open(disk.operations).document("n.json", default: 0)
    for _ in 0..<2 {
      disk.restart(failing: 0)
      let error = await #expect(throws: FileError.self) { try await document.save(1) }
      #expect(error?.code == .corrupted)
      #expect(error?.setAside == nil)
      #expect(error?.message.contains("It stays as it is") == true)
    }
    #expect(try folder.names() == ["n.json"])
    #expect(folder.text("n.json") == "x")
  }

  @Test func `A folder that cannot be created fails the store`() async throws {
    let disk = CountedOperations(failingWith: ENOSPC)
    var environment = FolderEnvironment()
    environment.operations = disk.operations
    let document = DocumentFolder(folder.file("new"), environment).document("n.json", default: 0)
    disk.restart(failing: 0)
    let error = await #expect(throws: FileError.self) { try await document.save(1) }
    #expect(error?.code == .diskFull)
    #expect(disk.kinds == [.createFolder])
    #expect(try folder.names() == [])
  }

  private func operations(
    _ disk: CountedOperations, of body: () async throws -> Void
  ) async throws -> [FileOperations.Kind] {
    disk.restart()
    try await body()
    return disk.kinds
  }

  // MARK: - Real disks

  private static let smallDisk = ProcessInfo.processInfo.environment["OFFSHORE_SMALL_DISK"]

  @Test(.enabled(if: smallDisk != nil, "Set OFFSHORE_SMALL_DISK to a folder on a disk of 4 MB."))
  func `A disk that is really full keeps all documents, and stores again when there is room`()
    async throws
  {
    let path = try #require(Self.smallDisk) + "/\(UUID().uuidString)"
    let folder = DocumentFolder(path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (a, b) = (folder.document("a.json", default: ""), folder.document("b.json", default: ""))
    var (stored, size) = ("", 0)
    var isFull = false
    while !isFull {
      size += 1
      let text = String(repeating: "\(size % 10)", count: size * 50_000)
      do {
        try await folder.update { update in
          try update.save(text, in: a)
          try update.save(text, in: b)
        }
        stored = text
      } catch let error as FileError {
        #expect(error.code == .diskFull)
        isFull = true
      }
      let other = DocumentFolder(path)
      #expect(try await other.document("a.json", default: "").load() == stored)
      #expect(try await other.document("b.json", default: "").load() == stored)
    }
    try await a.save("small")
    #expect(try await DocumentFolder(path).document("a.json", default: "").load() == "small")
  }
}

/// A folder and a file that do not allow writing. The superuser may write everywhere.
@Suite(.enabled(if: geteuid() != 0), .timeLimit(.minutes(1)))
struct ReadOnlyFolderTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func `A folder that does not allow writing is read, and fails the store`() async throws {
    let document = folder.open().document("n.json", default: 0)
    try await document.save(1)
    try setMode(0o500, of: folder.path)
    defer { try? setMode(0o700, of: folder.path) }
    #expect(try await folder.open().document("n.json", default: 0).load() == 1)
    for document in [document, folder.open().document("n.json", default: 0)] {
      let error = await #expect(throws: FileError.self) { try await document.save(2) }
      #expect(error?.code == .readOnly)
      #expect(error?.message.contains("does not allow writing. Check") == true)
      #expect(try await document.load() == 1)
    }
    #expect(folder.text("n.json") == "1\n")
  }

  @Test func `A group in a folder that does not allow writing is read without its lock`()
    async throws
  {
    try await FileGroup<FleetChange>(folder.open()).perform(.save(Boat(1)))
    try FileManager.default.removeItem(atPath: folder.file(".offshore-lock"))
    try setMode(0o500, of: folder.path)
    defer { try? setMode(0o700, of: folder.path) }
    let content = try await FileGroup<FleetChange>(folder.open()).content()
    #expect(Array(content[Boat.self]) == [Boat(1)])
  }

  @Test func `A damaged file in a folder that does not allow writing stays`() async throws {
    try folder.write("x", to: "n.json")
    try setMode(0o500, of: folder.path)
    defer { try? setMode(0o700, of: folder.path) }
    let document = folder.open().document("n.json", default: 0)
    let error = await #expect(throws: FileError.self) { try await document.load() }
    #expect(error?.code == .corrupted)
    #expect(error?.setAside == nil)
    #expect(folder.text("n.json") == "x")
  }

  @Test func `A folder that cannot be watched is reported, and read when it is used`() async throws
  {
    let documents = folder.open()
    let document = documents.document("n.json", default: 0)
    // A watch needs the right to list the files.
    try setMode(0o300, of: folder.path)
    defer { try? setMode(0o700, of: folder.path) }
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 0)
    #expect(await documents.watchError?.code == .inputOutput)
    try folder.write("1", to: "n.json")
    #expect(try await document.load() == 1)
    #expect(try await values.next() == 1)
  }

  @Test func `A file that cannot be read is neither set aside nor overwritten`() async throws {
    let document = folder.open().document("n.json", default: 0)
    try await document.save(1)
    try setMode(0o000, of: folder.file("n.json"))
    for call in [{ _ = try await document.load() }, { try await document.save(2) }] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .cannotOpen)
    }
    try setMode(0o600, of: folder.file("n.json"))
    #expect(folder.text("n.json") == "1\n")
  }
}
