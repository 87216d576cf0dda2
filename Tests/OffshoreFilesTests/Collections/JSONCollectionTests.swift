import Foundation
import Testing

@testable import OffshoreFiles

/// The file of a collection, beyond the contract that all collections pass.
@Suite(.timeLimit(.minutes(1)))
struct JSONCollectionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func notes() -> JSONCollection<Note> {
    folder.open().collection("notes.json", of: Note.self)
  }

  // MARK: - The file

  @Test func `The file is an array of the elements, in their order`() async throws {
    try await notes().replaceAll([Note("b", "1"), Note("a", "2")])
    let expected = """
      [
        {
          "id" : "b",
          "text" : "1"
        },
        {
          "id" : "a",
          "text" : "2"
        }
      ]

      """
    #expect(folder.text("notes.json") == expected)
    #expect(folder.text("notes.json.backup") == expected)
  }

  @Test func `A collection in a folder of its own has the path of its file`() async throws {
    let path = folder.file("deep/notes.json")
    let collection = JSONCollection<Note>(path)
    #expect(collection.path == path)
    #expect(collection.folder.path == folder.file("deep"))
    #expect(try await collection.load() == [])
    #expect(try folder.names() == [])
    try await collection.upsert(Note("a"))
    #expect(try await JSONCollection<Note>(path).load() == [Note("a")])
  }

  @Test func `A change without effect writes nothing`() async throws {
    let collection = notes()
    try await collection.upsert([])
    try await collection.remove(["a"])
    try await collection.update { $0.remove("a") }
    #expect(try folder.names() == [])
    try await collection.replaceAll([Note("a"), Note("b")])
    let number = try folder.number(of: "notes.json")
    try await collection.upsert(Note("b"))
    try await collection.remove("c")
    try await collection.replaceAll([Note("a"), Note("b")])
    try await collection.replaceLoaded([Note("a"), Note("b")])
    #expect(try folder.number(of: "notes.json") == number)
  }

  @Test func `Replacing all elements by none creates the file of an empty array`() async throws {
    try await notes().replaceAll([])
    let text = try #require(folder.text("notes.json"))
    #expect(text.filter { !$0.isWhitespace } == "[]")
    #expect(try await notes().load() == [])
  }

  @Test func `An array that was written by hand is loaded, and stored in the form of the library`()
    async throws
  {
    try folder.write(#" [{"text":"1","id":"a","more":[1]}] "#, to: "notes.json")
    let collection = notes()
    #expect(try await collection.load() == [Note("a", "1")])
    try await collection.upsert(Note("b"))
    #expect(folder.text("notes.json")?.hasPrefix("[\n  {\n    \"id\" : \"a\"") == true)
    #expect(folder.text("notes.json")?.contains("more") == false)
  }

  // MARK: - Copies

  @Test func `The last good copy is restored, and counts as loaded`() async throws {
    let (one, two) = (notes(), notes())
    try await one.replaceAll([Note("a"), Note("b")])
    try folder.write("[", to: "notes.json")
    let error = await #expect(throws: FileError.self) { try await two.load() }
    #expect(error?.code == .corrupted)
    #expect(error?.lastGoodCopy == folder.file("notes.json.backup"))
    #expect(try await two.restoreLastGoodCopy() == [Note("a"), Note("b")])
    try await one.upsert(Note("x"))
    // The other object does not know the element that was added since.
    try await two.replaceLoaded([Note("b")])
    #expect(try await one.load() == [Note("b"), Note("x")])
  }

  @Test func `Without a copy, nothing is restored, and replacing all elements goes on`()
    async throws
  {
    try folder.write("[", to: "notes.json")
    let collection = notes()
    let error = await #expect(throws: FileError.self) {
      try await collection.restoreLastGoodCopy()
    }
    #expect(error?.code == .noCopy)
    await #expect(throws: FileError.self) { try await collection.remove("a") }
    try await collection.replaceAll([Note("a")])
    #expect(try await notes().load() == [Note("a")])
  }

  // MARK: - Known elements

  @Test func `A failed change does not count for the elements that are known`() async throws {
    let disk = CountedOperations(failingWith: ENOSPC)
    let collection = folder.open(disk.operations).collection("notes.json", of: Note.self)
    try await collection.replaceAll([Note("a")])
    let other = notes()
    disk.restart(failing: 0)
    await #expect(throws: FileError.self) { try await collection.upsert(Note("b")) }
    disk.restart()
    try await other.upsert(Note("b", "theirs"))
    try await collection.replaceLoaded([Note("a", "new")])
    #expect(try await other.load() == [Note("a", "new"), Note("b", "theirs")])
  }

  @Test func `An error of the observed file is delivered, and the next elements follow`()
    async throws
  {
    let collection = notes()
    try await collection.replaceAll([Note("a")])
    var values = collection.values().makeAsyncIterator()
    #expect(try await values.next() == [Note("a")])
    try folder.write("[", to: "notes.json")
    let error = await #expect(throws: FileError.self) { try await values.next() }
    #expect(error?.code == .corrupted)
    #expect(try await collection.restoreLastGoodCopy() == [Note("a")])
    #expect(try await values.next() == [Note("a")])
    try await collection.remove("a")
    #expect(try await values.next() == [])
  }
}
