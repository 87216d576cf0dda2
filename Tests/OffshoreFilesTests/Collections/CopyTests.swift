import Foundation
import Offshore
import OffshoreFiles
import Testing

/// A pair of collections between which elements are copied.
private struct Crossing: CustomStringConvertible {
  let source: Engine
  let target: Engine
  var description: String { "\(source) to \(target)" }

  static let all = Engine.allCases.flatMap { source in
    Engine.allCases.map { Crossing(source: source, target: $0) }
  }
}

/// A collection that runs a closure each time its elements are loaded.
private final class ObservedStore: ElementStore {
  private let store: any ElementStore<Note>
  private let willLoad: @Sendable () async throws -> Void
  private let convert: @Sendable (Note) -> Note

  /// - Parameter convert: Returns the element that is loaded in place of another.
  init(
    _ store: any ElementStore<Note>, convert: @escaping @Sendable (Note) -> Note = { $0 },
    willLoad: @escaping @Sendable () async throws -> Void = {}
  ) {
    (self.store, self.convert, self.willLoad) = (store, convert, willLoad)
  }

  func load() async throws -> [Note] {
    try await willLoad()
    return try await store.load().map(convert)
  }

  func reload() async throws -> [Note] { try await load() }

  func update<Result: Sendable>(
    _ change: @escaping @Sendable (inout ElementList<Note>) throws -> Result
  ) async throws -> Result { try await store.update(change) }
  func replaceAll(_ elements: [Note]) async throws { try await store.replaceAll(elements) }
  func replaceLoaded(_ elements: [Note]) async throws { try await store.replaceLoaded(elements) }
  func upsert(_ elements: [Note]) async throws { try await store.upsert(elements) }
  func remove(_ ids: [String]) async throws { try await store.remove(ids) }
  func values() -> StoredValues<[Note]> { store.values() }
}

/// Copies of collections from files to tables and back.
@Suite(.timeLimit(.minutes(1)))
struct CopyTests {
  private let notes = (0..<50).map {
    Note("\($0)", "text \($0)", date: Date(timeIntervalSinceReferenceDate: Double($0) / 7))
  }

  @Test(arguments: Crossing.all)
  fileprivate func `A copy has the same elements in the same order, and the source stays`(
    _ crossing: Crossing
  ) async throws {
    let (from, to) = (try crossing.source.makePlace(), try crossing.target.makePlace())
    try await from.open().replaceAll(notes)
    #expect(try await from.open().copy(to: to.open()) == 50)
    #expect(try await to.open().load() == notes)
    #expect(try await from.open().load() == notes)
    // A repeated copy is one, too.
    #expect(try await from.open().copy(to: to.open()) == 50)
  }

  @Test(arguments: Crossing.all)
  fileprivate func `A collection moves and comes back`(_ crossing: Crossing) async throws {
    let (from, to) = (try crossing.source.makePlace(), try crossing.target.makePlace())
    try await from.open().replaceAll(notes)
    #expect(try await from.open().move(to: to.open()) == 50)
    #expect(try await from.open().load() == [])
    try await to.open().remove("7")
    #expect(try await to.open().move(to: from.open()) == 49)
    #expect(try await from.open().load() == notes.filter { $0.id != "7" })
    #expect(try await to.open().load() == [])
  }

  @Test func `Other elements of the target are replaced only if that is allowed`() async throws {
    let (from, to) = (try Engine.file.makePlace(), try Engine.table.makePlace())
    try await from.open().replaceAll(notes)
    try await to.open().replaceAll([Note("other")])
    let error = await #expect(throws: FileError.self) { try await from.open().copy(to: to.open()) }
    #expect(error?.code == .targetNotEmpty)
    #expect(try await to.open().load() == [Note("other")])
    #expect(try await from.open().copy(to: to.open(), replacesExisting: true) == 50)
    #expect(try await to.open().load() == notes)
  }

  @Test func `A copy that differs is not accepted, and a move keeps the source`() async throws {
    let (from, to) = (try Engine.file.makePlace(), try Engine.memory.makePlace())
    try await from.open().replaceAll(notes)
    let target = ObservedStore(to.open(), convert: { Note($0.id, "", date: $0.date) })
    for call in [
      { _ = try await from.open().copy(to: target, replacesExisting: true) },
      { _ = try await from.open().move(to: target, replacesExisting: true) },
    ] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .unproven)
    }
    #expect(try await from.open().load() == notes)
  }

  @Test func `A source that changes during a move keeps its elements`() async throws {
    let (from, to) = (try Engine.file.makePlace(), try Engine.memory.makePlace())
    try await from.open().replaceAll(notes)
    // The source changes when the copy is proven.
    let source = from.open()
    let target = ObservedStore(to.open(), willLoad: { try await source.upsert(Note("late")) })
    let error = await #expect(throws: FileError.self) { try await from.open().move(to: target) }
    #expect(error?.code == .unproven)
    #expect(error?.message.contains("Repeat the move") == true)
    #expect(try await from.open().load() == notes + [Note("late")])
    #expect(try await to.open().load() == notes)
  }

  @Test func `An empty collection is copied and moved`() async throws {
    let (from, to) = (try Engine.file.makePlace(), try Engine.table.makePlace())
    #expect(try await from.open().copy(to: to.open()) == 0)
    #expect(try await from.open().move(to: to.open()) == 0)
    try await to.open().replaceAll(notes)
    let error = await #expect(throws: FileError.self) { try await from.open().copy(to: to.open()) }
    #expect(error?.code == .targetNotEmpty)
  }

  @Test func `Dates with fractions do not become whole seconds by a move`() async throws {
    let folder = try TestFolder()
    let table = try Engine.table.makePlace()
    try await table.open().replaceAll(notes)
    let file = folder.open().collection(
      "notes.json", of: Note.self, configuration: JSONConfiguration(datePrecision: .seconds))
    let error = await #expect(throws: FileError.self) { try await table.open().move(to: file) }
    #expect(error?.code == .unproven)
    #expect(try await table.open().load() == notes)
  }

  @Test func `A damaged source is not copied`() async throws {
    let folder = try TestFolder()
    try folder.write("x", to: "notes.json")
    let table = try Engine.table.makePlace()
    let file = folder.open().collection("notes.json", of: Note.self)
    await #expect(throws: FileError.self) { try await file.copy(to: table.open()) }
    #expect(try await table.open().load() == [])
  }
}
