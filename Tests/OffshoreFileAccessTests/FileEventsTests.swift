import Foundation
import OffshoreFileAccess
import TestSupport
import Testing

/// The events of files and folders that are written, moved and deleted by this process.
@Suite(.timeLimit(.minutes(1)))
struct FileEventsTests {
  private let folder: TemporaryFolder
  private let events: FileEvents

  init() throws {
    folder = try TemporaryFolder()
    events = try FileEvents()
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
  }

  @Test func `A watched folder reports the name of a file that was written or moved there`() throws
  {
    let watch = try events.watch(folder.path, for: .entries)
    try write("one", to: "a.json")
    try FileManager.default.moveItem(atPath: folder.file("a.json"), toPath: folder.file("b.json"))
    try FileManager.default.removeItem(atPath: folder.file("b.json"))
    events.wait(atMost: nil)
    let found = events.read()
    #expect(found.allSatisfy { $0.watch == watch })
    #expect(found.map(\.name) == ["a.json", "a.json", "b.json", "b.json"])
    #expect(found.map(\.isWrite) == [true, false, false, false])
    #expect(found.map(\.concernsPath) == [false, true, true, true])
    #expect(events.read().isEmpty)
    events.end()
  }

  @Test func `A watched file reports writes and its deletion, without a name`() throws {
    try write("one", to: "a.json")
    let watch = try events.watch(folder.file("a.json"), for: [.place, .writes])
    let file = try FileHandle(forWritingTo: URL(filePath: folder.file("a.json")))
    try file.write(contentsOf: Data("two".utf8))
    try file.close()
    try FileManager.default.removeItem(atPath: folder.file("a.json"))
    let found = events.read().filter { $0.watch == watch }
    #expect(found.first?.isWrite == true)
    #expect(found.dropFirst().contains { $0.concernsPath })
    #expect(found.allSatisfy { $0.name == nil })
    events.end()
  }

  @Test func `The end of a watch is an event, which wakes a waiting thread`() throws {
    let watch = try events.watch(folder.path, for: .entries)
    events.remove(watch)
    events.wait(atMost: nil)
    #expect(events.read().map(\.watch) == [watch])
    events.end()
  }

  @Test func `A wait without an event ends after its duration`() throws {
    let start = ContinuousClock.now
    events.wait(atMost: 20)
    #expect(ContinuousClock.now - start >= .milliseconds(20))
    #expect(events.read().isEmpty)
    events.end()
  }

  @Test func `A missing file cannot be watched, and the reason is that of the system`() throws {
    let error = #expect(throws: FileEvents.Failure.self) {
      try events.watch(folder.file("missing"), for: .place)
    }
    #expect(error?.code == ENOENT)
    #expect(error?.reason == "No such file or directory")
    events.end()
  }
}
