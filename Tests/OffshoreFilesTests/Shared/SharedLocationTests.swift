import Foundation
import Offshore
import TestSupport
import Testing

@testable import OffshoreFiles

/// The locations that lead to one value.
@Suite(.timeLimit(.minutes(1)))
struct SharedLocationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func shared<Value>(_ location: SharedLocation<Value>, _ value: Value) -> Shared<Value> {
    Shared(location, default: value) { try await waitUntilCancelled() }
  }

  @Test func `Different paths of one file lead to one value`() {
    let one = shared(.file(folder.file("n.json")), 1)
    let two = shared(.file(folder.file("./deep/../n.json")), 2)
    #expect(two.value == 1)
    one.change { $0 = 3 }
    #expect(two.value == 3)
  }

  @Test func `Different files, folders and types have their own values`() {
    let documents = folder.open()
    let one = shared(.file("n.json", in: documents), 1)
    let others = [
      shared(.file("m.json", in: documents), 2), shared(.file("n.json", in: folder.open()), 2),
      shared(.file(folder.file("n.json")), 2), shared(.memory("n.json"), 2),
    ]
    let text = shared(.file("n.json", in: documents), "text")
    #expect(others.map(\.value) == [2, 2, 2, 2])
    #expect(text.value == "text")
    #expect(shared(.file("n.json", in: documents), 9).value == 1)
    #expect(one.value == 1)
  }

  @Test func `A value in memory ends with its last holder`() async throws {
    let name = folder.path
    do {
      let value = shared(.memory(name), 1)
      value.change { $0 = 2 }
      try await value.flush()
      #expect(shared(.memory(name), 9).value == 2)
    }
    while shared(.memory(name), 9).value != 9 { await Task.yield() }
  }

  @Test func `A shared file has the options of its location`() async throws {
    let upgrade = DocumentUpgrade { (old: [String]) in old.map { $0.count } }
    try folder.write(#"["a", "bb"]"#, to: "n.json")
    let location = SharedLocation<[Int]>.file(
      folder.file("n.json"), configuration: JSONConfiguration(sizeLimit: 50), upgrades: [upgrade])
    let lengths = shared(location, [])
    #expect(try await lengths.load() == [1, 2])
    lengths.change { $0 = Array(0..<50) }
    let error = await #expect(throws: FileError.self) { try await lengths.flush() }
    #expect(error?.code == .tooLarge)
    lengths.change { $0 = [] }
    try await lengths.flush()
    #expect(folder.text("n.json")?.contains("\"version\" : 1") == true)
  }

  @Test func `A name with a slash in a folder is refused when it is used`() async throws {
    let value = shared(.file("a/n.json", in: folder.open()), 1)
    let error = await #expect(throws: FileError.self) { try await value.load() }
    #expect(error?.code == .misuse)
    value.change { $0 = 2 }
    await #expect(throws: FileError.self) { try await value.flush() }
    #expect(try folder.names() == [])
  }

  @Test func `A list of elements is stored as a collection, in dates of its configuration`()
    async throws
  {
    let seconds = JSONConfiguration(datePrecision: .seconds)
    let notes = shared(
      .file("notes.json", in: folder.open(), configuration: seconds), [Note]())
    notes.change { $0.append(Note("a", date: Date(timeIntervalSinceReferenceDate: 1.5))) }
    try await notes.flush()
    let whole = Note("a", date: Date(timeIntervalSinceReferenceDate: 1))
    let stored = folder.open().collection("notes.json", of: Note.self, configuration: seconds)
    #expect(try await stored.load() == [whole])
    try folder.write(#"[{"id": "a", "text": ""}, {"id": "a", "text": ""}]"#, to: "notes.json")
    let error = await #expect(throws: FileError.self) { try await notes.load() }
    #expect(error?.code == .corrupted)
  }

  @Test func `A default with two elements of one id keeps the last`() async throws {
    let notes = shared(
      .file(folder.file("notes.json")), [Note("a", "1"), Note("b"), Note("a", "2")])
    #expect(try await notes.load() == [Note("a", "2"), Note("b")])
  }
}
