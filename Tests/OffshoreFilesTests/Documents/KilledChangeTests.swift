import Foundation
import OffshoreFiles
import TestSupport
import Testing

/// Processes that end before each of their operations on files.
@Suite(.timeLimit(.minutes(5)))
struct KilledChangeTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let names = ["a.json", "b.json", "c.json"]

  private func values() async throws -> [Int] {
    let documents = folder.open()
    var values: [Int] = []
    for name in Self.names {
      values.append(try await documents.document(name, default: 0).load())
    }
    return values
  }

  /// Runs the program for each number of an operation until it survives.
  /// - Parameter check: Called with the number, and whether the process was killed.
  /// - Returns: The number of operations.
  private func killEach(
    _ kind: String, prepare: () async throws -> Void = {},
    _ check: (_ number: Int, _ isKilled: Bool) async throws -> Void
  ) async throws -> Int {
    for number in 0... {
      try await prepare()
      let process = try FaultProcess("fault-files", ["change", folder.path, kind, "\(number)"])
      let status = await process.status()
      try #require([0, SIGKILL].contains(status), "\(process.errors)")
      try await check(number, status == SIGKILL)
      if status == 0 { return number }
    }
    return 0
  }

  @Test func `A process killed before any operation leaves the old document or the new one`()
    async throws
  {
    try await expectOldOrNew("one", names: ["a.json"], atLeast: 8)
  }

  @Test func `A process killed before any operation changes all documents or none`() async throws {
    try await expectOldOrNew("several", names: Self.names, atLeast: 28)
  }

  @Test func `A process killed before any operation stores all shared values or none`() async throws
  {
    try await expectOldOrNew("shared", names: Self.names, atLeast: 28)
  }

  private func expectOldOrNew(_ kind: String, names: [String], atLeast least: Int) async throws {
    let documents = folder.open()
    for name in names { try await documents.document(name, default: 0).save(1) }
    var last = 1
    var isStored: [Bool] = []
    let count = try await killEach(kind) { number, isKilled in
      let values = try await self.values().prefix(names.count)
      #expect(Set(values).count == 1, "\(number): \(values)")
      #expect([last, last + 1].contains(values[0]), "\(number): \(values)")
      isStored.append(values[0] > last)
      last = values[0]
      if !isKilled { #expect(isStored.last == true) }
    }
    #expect(count >= least)
    // A change takes effect by one operation: before it the process leaves the old values, and after
    // it the new ones.
    let first = try #require(isStored.firstIndex(of: true))
    #expect(first > 3)
    #expect(!isStored[first...].contains(false))
    // The next change deletes the rests.
    try await documents.document(names[0], default: 0).save(0)
    try await folder.open().document(names[0], default: 0).save(1)
    #expect(try folder.names() == (names + names.map { $0 + ".backup" }).sorted())
  }

  @Test func `A process killed while it sets a damaged file aside keeps its bytes`() async throws {
    let damage = Data("[1, 2".utf8)
    _ = try await killEach("damaged") {
      try folder.write(damage, to: "a.json")
    } _: { number, _ in
      let names = try folder.names()
      #expect(names.contains { folder.bytes($0) == damage }, "\(number)")
      for name in names {
        try FileManager.default.removeItem(atPath: folder.file(name))
      }
    }
  }

  @Test func `A process killed while it restores the copy leaves the copy`() async throws {
    _ = try await killEach("restore") {
      try? FileManager.default.removeItem(atPath: folder.file("a.json"))
      try folder.write("7\n", to: "a.json.backup")
    } _: { number, _ in
      let restored = try await folder.open().document("a.json", default: 0).restoreLastGoodCopy()
      #expect(restored == 7, "\(number)")
    }
  }

  @Test func `A damaged journal stops all use of the folder until it is deleted`() async throws {
    let document = folder.open().document("a.json", default: 0)
    try await document.save(1)
    for journal in ["{", #"{"entries":[{"file":"../x","target":"a.json"}]}"#] {
      try folder.write(journal, to: ".offshore-journal")
      for call in [{ _ = try await document.load() }, { try await document.save(2) }] {
        let error = await #expect(throws: FileError.self) { try await call() }
        #expect(error?.code == .corrupted)
        #expect(error?.file == ".offshore-journal")
      }
    }
    try FileManager.default.removeItem(atPath: folder.file(".offshore-journal"))
    #expect(try await document.load() == 1)
  }

  @Test func `A journal that exists again after its change was completed does nothing`()
    async throws
  {
    let documents = folder.open()
    try await documents.document("a.json", default: 0).save(1)
    let journal = #"{"entries":[{"file":".offshore-1f-a.json","target":"a.json"}]}"#
    try folder.write(journal, to: ".offshore-journal")
    #expect(try await documents.document("a.json", default: 0).load() == 1)
    #expect(try folder.names() == ["a.json", "a.json.backup"])
  }
}
