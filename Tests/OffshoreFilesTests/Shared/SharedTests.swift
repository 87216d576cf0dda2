import Foundation
import Observation
import Offshore
import TestSupport
import Testing

@testable import OffshoreFiles

/// The locations of a shared list, which behave alike.
private enum Place: CaseIterable {
  case file, memoryFolder, memory
}

/// Shared values, which are stored after a pause that the tests end.
@Suite(.timeLimit(.minutes(1)))
struct SharedTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func location(_ place: Place) -> SharedLocation<[Int]> {
    switch place {
    case .file: .file(folder.file("list.json"))
    case .memoryFolder: .file("list.json", in: .inMemory())
    case .memory: .memory(folder.path)
    }
  }

  /// Returns a value whose changes are stored only by `flush()`.
  private func shared<Value>(_ location: SharedLocation<Value>, default value: Value)
    -> Shared<Value>
  {
    Shared(location, default: value) { try await waitUntilCancelled() }
  }

  private func shared(_ name: String = "list.json") -> Shared<[Int]> {
    shared(.file(folder.file(name)), default: [])
  }

  // MARK: - Holders

  @Test(arguments: Place.allCases)
  fileprivate func `All holders of a location see each change at once`(_ place: Place)
    async throws
  {
    let location = location(place)
    let (one, two) = (shared(location, default: [0]), shared(location, default: [9]))
    #expect(two.value == [0])
    one.change { $0.append(1) }
    two.change { $0.append(2) }
    #expect(one.value == [0, 1, 2])
    #expect(two.value == [0, 1, 2])
    try await one.flush()
    #expect(try await two.load() == [0, 1, 2])
    two.change { $0.append(3) }
    #expect(one.value == [0, 1, 2, 3])
    try await two.flush()
    #expect(try await shared(location, default: []).load() == [0, 1, 2, 3])
  }

  @Test func `Nothing is read or created before the first use`() async throws {
    try folder.write("x", to: "list.json")
    let list = shared()
    #expect(list.value == [])
    #expect(try folder.names() == ["list.json"])
    #expect(list.saveError == nil)
  }

  @Test func `A loaded value is the stored one`() async throws {
    try folder.write("[1, 2]", to: "list.json")
    let list = shared()
    #expect(try await list.load() == [1, 2])
    #expect(list.value == [1, 2])
    #expect(try await list.load() == [1, 2])
  }

  @Test func `Changes before loading apply to the stored value`() async throws {
    try folder.write("[1, 2]", to: "list.json")
    let list = shared()
    list.change { $0.append(3) }
    #expect(list.value == [3])
    #expect(try await list.load() == [1, 2, 3])
    list.change { $0.append(4) }
    try await list.flush()
    #expect(folder.text("list.json") == "[\n  1,\n  2,\n  3,\n  4\n]\n")
  }

  @Test func `Changes that are stored before loading apply to the stored value`() async throws {
    try folder.write("[1, 2]", to: "list.json")
    let list = shared()
    list.change { $0.append(3) }
    try await list.flush()
    #expect(list.value == [1, 2, 3])
    #expect(try await list.load() == [1, 2, 3])
  }

  // MARK: - Storing

  @Test func `Changes are stored once, when the pause ends`() async throws {
    let pause = Gate()
    let location = SharedLocation<[Int]>.file(folder.file("list.json"))
    let list = Shared(location, default: []) { await pause.pass() }
    var stored = JSONDocument(folder.file("list.json"), default: [Int]()).values()
      .makeAsyncIterator()
    #expect(try await stored.next() == [])
    for number in 0..<100 { list.change { $0.append(number) } }
    await pause.waitUntilHeld()
    #expect(try folder.names() == [])
    pause.open()
    #expect(try await stored.next() == Array(0..<100))
  }

  @Test func `A value is stored within its throttle`() async throws {
    let document = JSONDocument(folder.file("list.json"), default: [Int]())
    var stored = document.values().makeAsyncIterator()
    #expect(try await stored.next() == [])
    let list = Shared<[Int]>(
      .file(folder.file("list.json")), default: [], throttle: .milliseconds(1))
    list.change { $0.append(1) }
    #expect(try await stored.next() == [1])
  }

  @Test func `Each value has its own throttle, and the shortest stores those of its folder`()
    async throws
  {
    let documents = folder.open()
    let slow = Shared(.file("slow.json", in: documents), default: 0, throttle: .seconds(3600))
    let fast = Shared(.file("fast.json", in: documents), default: 0, throttle: .milliseconds(1))
    var stored = documents.document("fast.json", default: 0).values().makeAsyncIterator()
    #expect(try await stored.next() == 0)
    SharedChanges.together {
      slow.change { $0 = 1 }
      fast.change { $0 = 2 }
    }
    #expect(try await stored.next() == 2)
    #expect(folder.text("slow.json") == "1\n")
  }

  @Test func `Changes of a holder that was released are stored`() async throws {
    do {
      shared().change { $0.append(1) }
    }
    let other = shared()
    #expect(other.value == [1])
    try await other.flush()
    #expect(try await JSONDocument(folder.file("list.json"), default: [Int]()).load() == [1])
  }

  @Test func `A flush without changes writes nothing`() async throws {
    let list = shared()
    try await list.flush()
    _ = try await list.load()
    try await list.flush()
    #expect(try folder.names() == [])
  }

  @Test func `Values of one folder are stored by one change`() async throws {
    let disk = CountedOperations()
    let documents = folder.open(disk.operations)
    let one = shared(.file("one.json", in: documents), default: 0)
    let two = shared(.file("two.json", in: documents), default: 0)
    one.change { $0 = 1 }
    two.change { $0 = 2 }
    try await one.flush()
    #expect(folder.text("one.json") == "1\n")
    #expect(folder.text("two.json") == "2\n")
    // The journal and both files: one change.
    #expect(disk.kinds.count { $0 == .synchronizeFolder } == 2)
    #expect(disk.kinds.count { $0 == .synchronize } == 3)
  }

  @Test func `Changes made together are never stored apart`() async throws {
    let documents = folder.open()
    let one = shared(.file("one.json", in: documents), default: 0)
    let two = shared(.file("two.json", in: documents), default: 0)
    let reader = folder.open()
    let (first, second) = (
      reader.document("one.json", default: 0), reader.document("two.json", default: 0)
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<200 {
          SharedChanges.together {
            one.change { $0 += 1 }
            // Long enough for a flush in between.
            let end = ContinuousClock.now + .microseconds(500)
            while ContinuousClock.now < end {}
            two.change { $0 += 1 }
          }
          await Task.yield()
        }
      }
      for _ in 0..<10 {
        try await one.flush()
        let values = try await reader.update { update in
          try [update.value(of: first), update.value(of: second)]
        }
        #expect(values[0] == values[1])
      }
      try await group.waitForAll()
    }
    try await two.flush()
    #expect(try await (first.load(), second.load()) == (200, 200))
  }

  // MARK: - Other processes

  @Test func `A change by another process arrives`() async throws {
    let list = shared()
    #expect(try await list.load() == [])
    try await folder.open().document("list.json", default: [Int]()).save([7])
    await waitUntil { list.value == [7] }
  }

  @Test func `A change by another process and a change here both stay`() async throws {
    let list = shared()
    #expect(try await list.load() == [])
    list.change { $0.append(1) }
    let other = folder.open().document("list.json", default: [Int]())
    try await other.update { $0.append(7) }
    await waitUntil { list.value == [7, 1] }
    list.change { $0.append(2) }
    try await other.update { $0.append(8) }
    try await list.flush()
    #expect(list.value == [7, 8, 1, 2])
    #expect(try await other.load() == [7, 8, 1, 2])
  }

  @Test func `The elements that another process has added since loading are kept`() async throws {
    func notes() -> Shared<[Note]> { shared(.file(folder.file("notes.json")), default: []) }
    let other = folder.open().collection("notes.json", of: Note.self)
    try await other.replaceAll([Note("a"), Note("b")])
    let notes = notes()
    #expect(try await notes.load() == [Note("a"), Note("b")])
    try await other.upsert(Note("x"))
    try notes.replaceLoaded([Note("b", "new"), Note("c")])
    try await notes.flush()
    #expect(try await other.load() == [Note("b", "new"), Note("c"), Note("x")])
    try notes.replaceLoaded([Note("c")])
    try await notes.flush()
    #expect(notes.value == [Note("c"), Note("x")])
    _ = try await notes.load()
    try notes.replaceLoaded([])
    try await notes.flush()
    #expect(try await other.load() == [])
    #expect(throws: FileError.self) { try notes.replaceLoaded([Note("a"), Note("a")]) }
  }

  // MARK: - Errors

  @Test func `A damaged file fails the load, and a change over it fails until it is restored`()
    async throws
  {
    let document = folder.open().document("list.json", default: [Int]())
    try await document.save([1])
    try folder.write("x", to: "list.json")
    let list = shared()
    for _ in 0..<2 {
      let error = await #expect(throws: FileError.self) { try await list.load() }
      #expect(error?.code == .corrupted)
    }
    list.change { $0.append(2) }
    await #expect(throws: FileError.self) { try await list.flush() }
    #expect((list.saveError as? FileError)?.code == .corrupted)
    #expect(list.value == [2])
    try await document.restoreLastGoodCopy()
    try await list.flush()
    #expect(list.saveError == nil)
    #expect(list.value == [1, 2])
    #expect(try await list.load() == [1, 2])
    #expect(try await document.load() == [1, 2])
  }

  @Test func `A full disk keeps the changes for the next flush`() async throws {
    let disk = CountedOperations(failingWith: ENOSPC)
    let documents = folder.open(disk.operations)
    let list = shared(.file("list.json", in: documents), default: [Int]())
    try await list.load()
    list.change { $0.append(1) }
    disk.restart(failing: 0)
    let error = await #expect(throws: FileError.self) { try await list.flush() }
    #expect(error?.code == .diskFull)
    #expect(list.value == [1])
    list.change { $0.append(2) }
    disk.restart()
    try await list.flush()
    #expect(folder.text("list.json") == "[\n  1,\n  2\n]\n")
    #expect(list.saveError == nil)
  }

  @Test func `Elements with one id are not stored`() async throws {
    let notes = shared(.file(folder.file("notes.json")), default: [Note("a")])
    notes.change { $0.append(Note("a")) }
    let error = await #expect(throws: FileError.self) { try await notes.flush() }
    #expect(error?.code == .duplicateID)
    notes.change { $0.removeLast() }
    notes.change { $0.append(Note("b")) }
    try await notes.flush()
    #expect(notes.value == [Note("a"), Note("b")])
  }

  // MARK: - Observation

  @Test func `Changes are observed, and equal values of other processes are not`() async throws {
    let list = shared()
    try await list.load()
    let changed = Gate()
    withObservationTracking {
      _ = list.value
    } onChange: {
      changed.open()
    }
    list.change { $0.append(1) }
    await changed.pass()
    #expect(list.value == [1])
    try await list.flush()
    var values = Observations { list.value }.makeAsyncIterator()
    #expect(await values.next() == [1])
    try folder.write("[1, 2]", to: "list.json")
    #expect(await values.next() == [1, 2])
  }

  @Test func `A change is never seen twice while it is stored`() async throws {
    let list = shared()
    try await list.load()
    let seen = SeenValues { list.value }
    for number in 0..<10 {
      list.change { $0.append(number) }
      try await list.flush()
    }
    #expect(seen.values.allSatisfy { $0 == Array(0..<$0.count) }, "\(seen.values)")
    #expect(seen.values.last == Array(0..<10))
  }

  @Test func `A value and its file are released with the last holder`() async throws {
    weak var released: DocumentFolder?
    do {
      let documents = folder.open()
      released = documents
      let list = shared(.file("list.json", in: documents), default: [Int]())
      try await list.load()
      list.change { $0.append(1) }
      try await list.flush()
    }
    while released != nil { await Task.yield() }
  }
}
