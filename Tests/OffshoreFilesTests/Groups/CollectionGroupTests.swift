import Foundation
import OffshoreFiles
import Testing

/// The contract of a group of collections, in files, in shared memory, in tables and in memory.
@Suite(.timeLimit(.minutes(1)))
struct CollectionGroupTests {
  private static let engines = FleetEngine.allCases
  private typealias Group = any CollectionGroup<FleetChange>

  private func numbers(_ group: Group) async throws -> [UInt8] {
    try await group.load(Boat.self).map(\.id.uuid.15)
  }

  private func edits(_ group: Group) async throws -> [[FleetEdit]] {
    try await group.loadChanges().map(\.edits)
  }

  // MARK: - Collections

  @Test(arguments: engines) func `A new group is empty`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    #expect(try await group.load(Boat.self) == [])
    #expect(try await group.loadChanges() == [])
    #expect(try await group.content() == GroupContent())
  }

  @Test(arguments: engines)
  func `Replaced elements are loaded by other groups, and their differences are logged`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.replaceLoaded([Boat(3), Boat(1), Boat(2)])
    try await group.replaceLoaded([Port(9, depth: 2.5)])
    try await group.replaceLoaded([Boat(3), Boat(1), Boat(2)])
    try await group.replaceLoaded([Boat(1, "Alma"), Boat(2), Boat(4)])
    #expect(try await place.open().load(Boat.self) == [Boat(1, "Alma"), Boat(2), Boat(4)])
    #expect(try await place.open().load(Port.self) == [Port(9, depth: 2.5)])
    let edits = try await edits(place.open())
    #expect(edits.map(\.count) == [3, 1, 3])
    #expect(edits.first == [3, 1, 2].enumerated().map { .boat(nil, Boat($1), at: $0) })
    #expect(edits.last?.first == .boat(Boat(3), nil, at: 0))
    #expect(edits.last?.dropFirst().first == .boat(Boat(1), Boat(1, "Alma")))
  }

  @Test(arguments: engines)
  func `Two elements with one id are refused, and nothing is stored`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    try await group.replaceLoaded([Boat(1)])
    let error = await #expect(throws: FileError.self) {
      try await group.replaceLoaded([Boat(2), Boat(2)])
    }
    #expect(error?.code == .duplicateID)
    #expect(try await numbers(group) == [1])
    #expect(try await group.loadChanges().count == 1)
  }

  @Test(arguments: engines.filter(\.isSeparate))
  func `A replacement keeps what another group has added since the last load`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let (one, two) = (place.open(), place.open())
    try await one.replaceLoaded([Boat(1), Boat(2)])
    _ = try await one.load(Boat.self)
    try await two.perform(.save(Boat(7)))
    try await one.replaceLoaded([Boat(2)])
    #expect(try await numbers(two) == [2, 7])
    // An own addition is known.
    try await one.perform(.save(Boat(8)))
    try await one.replaceLoaded([Boat(2)])
    #expect(try await numbers(two) == [2, 7])
    #expect(try await numbers(one) == [2, 7])
    try await one.replaceLoaded([Boat(2)])
    #expect(try await numbers(two) == [2])
  }

  @Test(arguments: engines.filter(\.isSeparate))
  func `A replacement keeps elements of a backup that were not loaded`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let (one, two) = (place.open(), place.open())
    try await one.replaceLoaded([Boat(1), Boat(2)])
    _ = try await one.load(Boat.self)
    try await two.perform(.save(Boat(7)))
    #expect(try await one.content()[Boat.self].count == 3)
    try await one.replaceLoaded([Boat(2)])
    #expect(try await numbers(two) == [2, 7])
  }

  @Test(arguments: engines)
  func `All elements are those of one moment`(_ engine: FleetEngine) async throws {
    let place = try engine.makePlace()
    let (reader, writer) = (place.open(), place.open())
    let writing = Task {
      for number in UInt8(1)...15 {
        let port = Port(number)
        try await writer.perform(.apply([.boat(nil, Boat(number)), .port(ElementEdit(nil, port))]))
      }
    }
    var count = 0
    while count < 15 {
      let content = try await reader.content()
      count = content[Boat.self].count
      #expect(content[Port.self].count == count)
      #expect(content.changes.count == min(count, FleetChange.logLimit))
    }
    try await writing.value
  }

  @Test(arguments: engines)
  func `An element of another type is refused`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    for call in [
      { _ = try await group.load(Buoy.self) },
      { try await group.replaceLoaded([Buoy(id: UUID(1))]) },
    ] {
      let error = await #expect(throws: FileError.self) { try await call() }
      #expect(error?.code == .misuse)
    }
  }

  // MARK: - Single elements

  @Test(arguments: engines)
  func `Elements are saved and deleted one by one`(_ engine: FleetEngine) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.perform(.save(Boat(1)))
    try await group.perform(.save(Boat(2)))
    try await group.perform(.save(Boat(1, "Alma")))
    try await group.perform(.save(Boat(1, "Alma")))
    try await group.perform(.delete(UUID(2), Boat.self))
    try await group.perform(.delete(UUID(2), Boat.self))
    #expect(try await place.open().load(Boat.self) == [Boat(1, "Alma")])
    #expect(
      try await edits(group).flatMap(\.self) == [
        .boat(nil, Boat(1), at: 0), .boat(nil, Boat(2), at: 1), .boat(Boat(1), Boat(1, "Alma")),
        .boat(Boat(2), nil, at: 1),
      ])
  }

  @Test(arguments: engines)
  func `Edits of several types are made in one change, or refused together`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.perform(
      .apply([.boat(nil, Boat(1)), .port(ElementEdit(nil, Port(9))), .boat(nil, Boat(2))]))
    let refused: [FleetEdit] = [
      .boat(Boat(1, "Bura"), nil), .port(ElementEdit(Port(9), Port(9, depth: 3))),
      .boat(nil, Boat(2)),
    ]
    let refusal = await #expect(throws: RefusedEdits<FleetEdit>.self) {
      try await group.perform(.apply(refused))
    }
    #expect(
      refusal?.differences == [.boat(Boat(1, "Bura"), Boat(1)), .boat(nil, Boat(2))])
    #expect(try await place.open().load(Port.self) == [Port(9)])
    #expect(try await numbers(place.open()) == [1, 2])
    #expect(try await group.loadChanges().count == 1)
  }

  @Test(arguments: engines)
  func `The inverse of a removal puts the element in its place`(_ engine: FleetEngine) async throws
  {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.replaceLoaded([Boat(1), Boat(2), Boat(3)])
    try await group.perform(.delete(UUID(2), Boat.self))
    let removal = try #require(try await edits(group).last?.first)
    guard case .boat(let edit) = removal else {
      Issue.record("It is an edit of a boat.")
      return
    }
    try await group.perform(.apply([.boat(edit.inverse)]))
    #expect(try await numbers(place.open()) == [1, 2, 3])
  }

  @Test(arguments: engines)
  func `Only the newest changes stay in the log`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    for number in 0..<8 { try await group.perform(.save(Boat(1, "\(number)"))) }
    let changes = try await group.loadChanges()
    #expect(changes.count == FleetChange.logLimit)
    #expect(changes.last?.edits == [.boat(Boat(1, "6"), Boat(1, "7"))])
  }

  // MARK: - Copies

  @Test(arguments: engines, engines)
  func `All elements and changes are copied, and replace others`(
    _ source: FleetEngine, _ target: FleetEngine
  ) async throws {
    let (source, target) = (try source.makePlace().open(), try target.makePlace().open())
    try await source.replaceLoaded([Boat(2), Boat(1, "Alma")])
    try await source.perform(.save(Port(9, depth: 4)))
    try await target.replaceLoaded([Boat(1, "Bura"), Boat(5)])
    let copied = try await source.copy(to: target, replacesExisting: true)
    #expect(Array(copied[Boat.self]) == [Boat(2), Boat(1, "Alma")])
    #expect(copied.changes.count == 2)
    #expect(try await target.content() == source.content())
    // The copied elements are known.
    try await target.replaceLoaded([Boat(1, "Alma")])
    #expect(try await numbers(target) == [1])
    #expect(try await numbers(source) == [2, 1])
  }

  @Test(arguments: engines)
  func `A copy replaces other elements and changes only on request`(
    _ engine: FleetEngine
  ) async throws {
    let (source, target) = (try engine.makePlace().open(), try engine.makePlace().open())
    try await target.perform(.save(Boat(5)))
    let before = try await target.content()
    // An empty source, and one with other elements.
    for _ in 0..<2 {
      let error = await #expect(throws: FileError.self) { try await source.copy(to: target) }
      #expect(error?.code == .targetNotEmpty)
      #expect(try await target.content() == before)
      try await source.perform(.save(Boat(1)))
    }
    try await source.copy(to: target, replacesExisting: true)
    // A copy can be repeated.
    try await source.copy(to: target)
    #expect(try await numbers(target) == [1])
  }

  @Test func `A copy that the target does not load is not proven`() async throws {
    let source = MemoryGroup<FleetChange>()
    source.replaceAll(GroupContent())
    try source.perform(.save(Boat(1)))
    let error = await #expect(throws: FileError.self) {
      try await source.copy(to: ForgetfulGroup())
    }
    #expect(error?.code == .unproven)
  }

  // MARK: - Observation

  @Test(arguments: engines)
  func `A signal follows each change, whichever group makes it`(_ engine: FleetEngine) async throws
  {
    let place = try engine.makePlace()
    let (observed, other) = (place.open(), place.open())
    var boats = observed.signals(of: Boat.self).makeAsyncIterator()
    var changes = observed.changeSignals().makeAsyncIterator()
    _ = try await (boats.next(), changes.next())
    try await other.replaceLoaded([Boat(1)])
    while try await numbers(observed) != [1] { _ = try await boats.next() }
    while try await observed.loadChanges().isEmpty { _ = try await changes.next() }
    try await other.perform(.save(Boat(2)))
    while try await numbers(observed) != [1, 2] { _ = try await boats.next() }
  }
}

/// A group whose changes have no effect.
private final class ForgetfulGroup: CollectionGroup {
  typealias Change = FleetChange
  private let memory = MemoryGroup<FleetChange>()

  func load<Element: LoggedElement<FleetEdit>>(_ type: Element.Type) throws -> [Element] {
    try memory.load(type)
  }
  func loadChanges() -> [FleetChange] { memory.loadChanges() }
  func replaceLoaded<Element: LoggedElement<FleetEdit>>(_ elements: [Element]) {}
  func perform(_ change: ElementChange<FleetEdit>) -> FleetChange? { nil }
  func signals<Element: LoggedElement<FleetEdit>>(of type: Element.Type) -> StoredValues<Void> {
    memory.changeSignals()
  }
  func changeSignals() -> StoredValues<Void> { memory.changeSignals() }
  func content() -> GroupContent<FleetChange> { memory.content() }
  func replaceAll(_ content: GroupContent<FleetChange>) {}
}
