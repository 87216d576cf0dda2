import Foundation
import Testing

@testable import OffshoreFiles

/// Damaged files, which are set aside and never overwritten.
@Suite(.timeLimit(.minutes(1)))
struct DamagedFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func document(at time: Date = Date(timeIntervalSinceReferenceDate: 60))
    -> JSONDocument<[Int]>
  {
    var environment = FolderEnvironment()
    environment.now = { time }
    environment.pause = {}
    return DocumentFolder(folder.path, environment).document("n.json", default: [])
  }

  private static let setAside = "n.json.damaged-2001-01-01T00-01-00Z"

  private func loadError(_ document: JSONDocument<[Int]>) async -> FileError? {
    await #expect(throws: FileError.self) { try await document.load() }
  }

  @Test(arguments: ["", "[1, 2", "[1, \u{0} 2]", "{}", "[\"a\"]", "\u{FFFD}"])
  func `A damaged file is set aside with its bytes, and the error names it`(_ text: String)
    async throws
  {
    try folder.write(text, to: "n.json")
    let error = await loadError(document())
    #expect(error?.code == .corrupted)
    #expect(error?.file == "n.json")
    #expect(error?.path == folder.file("n.json"))
    #expect(error?.setAside == folder.file(Self.setAside))
    #expect(error?.lastGoodCopy == nil)
    #expect(error?.message.contains("It was set aside as “\(Self.setAside)”.") == true)
    #expect(error?.message.contains("There is no good copy of it.") == true)
    #expect(folder.text(Self.setAside) == text)
    #expect(try folder.names() == [Self.setAside])
  }

  @Test func `The last good copy is offered and restored`() async throws {
    let document = document()
    try await document.save([1])
    try await document.save([1, 2])
    try folder.write("[1, 2", to: "n.json")
    let error = await loadError(document)
    #expect(error?.lastGoodCopy == folder.file("n.json.backup"))
    #expect(error?.message.contains("Its last good copy is “n.json.backup”") == true)
    #expect(try await document.restoreLastGoodCopy() == [1, 2])
    #expect(try await document.load() == [1, 2])
    #expect(try await self.document().load() == [1, 2])
    #expect(folder.text(Self.setAside) == "[1, 2")
  }

  @Test func `A value that must exist is the last good copy, or the default one`() async throws {
    let document = document()
    try folder.write("[1, 2", to: "n.json")
    #expect(try await document.loadRestoring() == [])
    #expect(folder.text(Self.setAside) == "[1, 2")
    try await document.save([1])
    try await document.save([1, 2])
    try folder.write("[", to: "n.json")
    #expect(try await document.loadRestoring() == [1, 2])
    #expect(try await self.document().load() == [1, 2])
  }

  @Test func `Loading fails until a value is saved, also in another process`() async throws {
    let document = document()
    try await document.save([1])
    try folder.write("x", to: "n.json")
    let error = await loadError(document)
    let again = await loadError(document)
    #expect(again?.code == .corrupted)
    #expect(again?.setAside == error?.setAside)
    #expect(await loadError(self.document())?.lastGoodCopy == folder.file("n.json.backup"))
    await #expect(throws: FileError.self) { try await document.update { $0.append(2) } }
    try await document.save([7])
    #expect(try await document.load() == [7])
    #expect(try await self.document().load() == [7])
    #expect(folder.text(Self.setAside) == "x")
  }

  @Test func `The first save over a damaged file fails, and the second stores`() async throws {
    try folder.write("x", to: "n.json")
    let document = document()
    let error = await #expect(throws: FileError.self) { try await document.save([1]) }
    #expect(error?.code == .corrupted)
    #expect(try folder.names() == [Self.setAside])
    try await document.save([1])
    #expect(try await document.load() == [1])
  }

  @Test func `Each damaged file has its own name`() async throws {
    let document = document()
    for text in ["x", "y", "z"] {
      try folder.write(text, to: "n.json")
      _ = await loadError(document)
    }
    let names = [Self.setAside, Self.setAside + "-2", Self.setAside + "-3"]
    #expect(try folder.names() == names)
    #expect(names.map { folder.text($0) } == ["x", "y", "z"])
    #expect(await loadError(document)?.setAside == folder.file(names[2]))
    // A free name is not that of the next number.
    try FileManager.default.removeItem(atPath: folder.file(names[1]))
    try folder.write("new", to: "n.json")
    _ = await loadError(document)
    #expect(names.map { folder.text($0) } == ["x", "new", "z"])
  }

  @Test func `A value that was loaded before the damage becomes the copy`() async throws {
    try folder.write("[5]", to: "n.json")
    let document = document()
    #expect(try await document.load() == [5])
    try folder.write("[5", to: "n.json")
    #expect(await loadError(document)?.lastGoodCopy != nil)
    #expect(try await document.restoreLastGoodCopy() == [5])
  }

  @Test func `A damaged copy is not offered`() async throws {
    try folder.write("x", to: "n.json")
    try folder.write("y", to: "n.json.backup")
    let document = document()
    #expect(await loadError(document)?.lastGoodCopy == nil)
    let error = await #expect(throws: FileError.self) { try await document.restoreLastGoodCopy() }
    #expect(error?.code == .noCopy)
    #expect(folder.text("n.json.backup") == "y")
    #expect(folder.text(Self.setAside) == "x")
  }

  @Test
  func `Restoring sets a damaged file aside, brings a missing one back, and keeps a good one`()
    async throws
  {
    let document = document()
    try await document.save([1])
    try folder.write("x", to: "n.json")
    #expect(try await document.restoreLastGoodCopy() == [1])
    #expect(folder.text(Self.setAside) == "x")
    try FileManager.default.removeItem(atPath: folder.file("n.json"))
    #expect(try await document.restoreLastGoodCopy() == [1])
    try folder.write("[3]", to: "n.json")
    #expect(try await document.restoreLastGoodCopy() == [3])
    #expect(folder.text("n.json") == "[3]")
  }

  @Test func `A file that an editor is writing in place is not set aside`() async throws {
    var environment = FolderEnvironment()
    let file = folder.file("n.json")
    try folder.write("[1, ", to: "n.json")
    // The editor completes the file during the pause.
    environment.pause = { try? Data("[1, 2]".utf8).write(to: URL(filePath: file)) }
    let document = DocumentFolder(folder.path, environment).document("n.json", default: [Int]())
    #expect(try await document.load() == [1, 2])
    #expect(try folder.names() == ["n.json"])
  }

  @Test func `A file that another program writes without end is reported as busy`() async throws {
    var environment = FolderEnvironment()
    let file = folder.file("n.json")
    try folder.write("[", to: "n.json")
    environment.pause = {
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      try? Data((text + "[").utf8).write(to: URL(filePath: file))
    }
    let document = DocumentFolder(folder.path, environment).document("n.json", default: [Int]())
    #expect(await loadError(document)?.code == .busy)
    #expect(try folder.names() == ["n.json"])
  }

  @Test func `A collection with two elements of one id is damaged`() async throws {
    let text = #"[{"id": "a", "text": "1"}, {"id": "a", "text": "2"}]"#
    try folder.write(text, to: "notes.json")
    let notes = folder.open().collection("notes.json", of: Note.self)
    let error = await #expect(throws: FileError.self) { try await notes.load() }
    #expect(error?.code == .corrupted)
    #expect(error?.message.contains("has two elements with the same id") == true)
    #expect(try folder.names().count == 1)
    await #expect(throws: FileError.self) { try await notes.upsert(Note("b")) }
    try await notes.replaceAll([Note("b")])
    #expect(try await notes.load() == [Note("b")])
  }
}
