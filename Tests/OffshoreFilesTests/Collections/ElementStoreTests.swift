import Foundation
import OffshoreFiles
import Testing

/// The contract of a collection, in a file, in memory and in a table.
@Suite(.timeLimit(.minutes(1)))
struct ElementStoreTests {
  private static let engines = Engine.allCases

  private func ids(_ store: any ElementStore<Note>) async throws -> String {
    try await store.load().map(\.id).joined()
  }

  private func notes(_ ids: String) -> [Note] { ids.map { Note("\($0)", "\($0)") } }

  // MARK: - Loading and storing

  @Test(arguments: engines) func `A new collection is empty`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    #expect(try await place.open().load() == [])
    #expect(try await place.open().reload() == [])
  }

  @Test(arguments: engines)
  func `Stored elements are loaded by other objects, in their order`(_ engine: Engine) async throws
  {
    let place = try engine.makePlace()
    let dated = Note("z", "text “ö”\n", date: Date(timeIntervalSinceReferenceDate: 0.1))
    try await place.open().replaceAll(notes("cab") + [dated])
    #expect(try await place.open().load() == notes("cab") + [dated])
    #expect(try await place.open().reload() == notes("cab") + [dated])
  }

  @Test(arguments: engines)
  func `An upsert replaces in place, or appends`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    let store = place.open()
    try await store.upsert(notes("cab"))
    try await store.upsert([Note("a", "new"), Note("d")])
    try await store.upsert(Note("e"))
    #expect(
      try await place.open().load() == notes("c") + [Note("a", "new")] + notes("b") + [
        Note("d"), Note("e"),
      ])
  }

  @Test(arguments: engines)
  func `An element that appears twice in an upsert is stored once`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    try await place.open().upsert([Note("a", "1"), Note("b"), Note("a", "2")])
    #expect(try await place.open().load() == [Note("a", "2"), Note("b")])
  }

  @Test(arguments: engines)
  func `Removed elements are not stored any more`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    let store = place.open()
    try await store.upsert(notes("abcd"))
    try await store.remove(["a", "c", "missing"])
    #expect(try await ids(place.open()) == "bd")
    try await store.remove("b")
    try await store.upsert(Note("a"))
    #expect(try await ids(place.open()) == "da")
  }

  @Test(arguments: engines)
  func `Replacing all elements changes, adds, removes and orders them`(_ engine: Engine)
    async throws
  {
    let place = try engine.makePlace()
    let store = place.open()
    for order in ["abc", "cba", "bxa", "a", "", "zab", "zabq", "qab"] {
      try await store.replaceAll(notes(order))
      #expect(try await place.open().load() == notes(order), "\(order)")
    }
  }

  @Test(arguments: engines)
  func `An update returns the result of its closure`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    let store = place.open()
    let count = try await store.update { elements in
      elements.upsert(Note("a"))
      elements.upsert(Note("b"))
      elements.remove("a")
      return elements.count
    }
    #expect(count == 1)
    #expect(try await ids(place.open()) == "b")
  }

  @Test(arguments: engines)
  func `An update whose closure throws stores nothing`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    let store = place.open()
    try await store.upsert(Note("a"))
    await #expect(throws: CancellationError.self) {
      try await store.update { elements in
        elements.remove("a")
        throw CancellationError()
      }
    }
    #expect(try await ids(place.open()) == "a")
  }

  @Test(arguments: engines)
  func `Two elements with one id are refused, and nothing is stored`(_ engine: Engine) async throws
  {
    let place = try engine.makePlace()
    let store = place.open()
    try await store.upsert(Note("a"))
    for call in [
      { try await store.replaceAll(notes("bcb")) }, { try await store.replaceLoaded(notes("bcb")) },
    ] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .duplicateID)
    }
    #expect(try await ids(place.open()) == "a")
  }

  @Test(arguments: engines)
  func `Updates of many tasks are all stored`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    let stores = [place.open(), place.open()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        let store = stores[number % 2]
        group.addTask { try await store.upsert(Note("\(number)")) }
      }
      try await group.waitForAll()
    }
    #expect(try await Set(place.open().load().map(\.id)) == Set((0..<40).map { "\($0)" }))
  }

  // MARK: - Elements of others

  @Test(arguments: engines)
  func `Replacing the loaded elements keeps those that another object has added since`(
    _ engine: Engine
  ) async throws {
    let place = try engine.makePlace()
    let (one, two) = (place.open(), place.open())
    try await one.replaceAll(notes("abc"))
    #expect(try await ids(two) == "abc")
    try await one.upsert(notes("xy"))
    try await one.remove("c")
    try await two.replaceLoaded(notes("bcd"))
    #expect(try await ids(place.open()) == "bcdxy")
    // They are still unknown.
    try await two.replaceLoaded(notes("d"))
    #expect(try await ids(place.open()) == "dxy")
    #expect(try await ids(two) == "dxy")
    try await two.replaceLoaded(notes("x"))
    #expect(try await ids(place.open()) == "x")
  }

  @Test(arguments: engines)
  func `Own additions are known, and own removals are not brought back`(_ engine: Engine)
    async throws
  {
    let place = try engine.makePlace()
    let (one, two) = (place.open(), place.open())
    #expect(try await ids(one) == "")
    try await one.upsert(notes("ab"))
    try await one.replaceLoaded(notes("b"))
    #expect(try await ids(two) == "b")
    try await one.update { $0.upsert(Note("c")) }
    try await one.remove("b")
    // Another object adds it again.
    try await two.upsert(Note("b"))
    try await one.replaceLoaded([])
    #expect(try await ids(place.open()) == "b")
  }

  @Test(arguments: engines)
  func `An element that is known from elsewhere can be replaced and removed`(_ engine: Engine)
    async throws
  {
    let place = try engine.makePlace()
    let (one, two) = (place.open(), place.open())
    #expect(try await ids(one) == "")
    try await two.upsert(Note("x", "theirs"))
    try await one.replaceLoaded([Note("x", "mine")])
    #expect(try await two.load() == [Note("x", "mine")])
    try await one.replaceLoaded([])
    #expect(try await ids(two) == "")
  }

  @Test(arguments: engines)
  func `A collection that was never loaded is replaced as a whole`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    try await place.open().replaceAll(notes("ab"))
    let other = place.open()
    try await other.upsert(Note("c"))
    try await other.replaceLoaded(notes("d"))
    #expect(try await ids(place.open()) == "d")
  }

  @Test(arguments: engines)
  func `Observed elements count as loaded`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    let (one, two) = (place.open(), place.open())
    var values = two.values().makeAsyncIterator()
    #expect(try await values.next() == [])
    try await one.upsert(Note("a"))
    #expect(try await values.next() == [Note("a")])
    try await two.replaceLoaded([])
    #expect(try await ids(one) == "")
  }

  // MARK: - Observation

  @Test(arguments: engines)
  func `The elements are observed, whichever object changes them`(_ engine: Engine) async throws {
    let place = try engine.makePlace()
    let (one, two) = (place.open(), place.open())
    try await one.replaceAll(notes("ab"))
    var values = one.values().makeAsyncIterator()
    #expect(try await values.next() == notes("ab"))
    try await two.remove("a")
    #expect(try await values.next() == notes("b"))
    try await one.upsert(Note("c"))
    #expect(try await values.next() == notes("b") + [Note("c")])
  }
}
