import Foundation
import OffshoreFiles
import TestSupport
import Testing

/// Random changes that are undone and made again, in groups of all kinds.
@Suite(.timeLimit(.minutes(5)))
struct GroupUndoTests {
  private typealias Group = any CollectionGroup<FleetChange>

  /// The elements of both types.
  private struct Elements: Equatable {
    var boats: [Boat]
    var ports: [Port]
  }

  private func elements(_ group: Group) async throws -> Elements {
    Elements(boats: try await group.load(Boat.self), ports: try await group.load(Port.self))
  }

  /// The log of a group keeps a few changes, so this one has them all.
  private struct Steps {
    var changes: [FleetChange] = []
    var history: UndoHistory<FleetChange> { UndoHistory(changes) }

    /// Adds the change that a group has logged last.
    mutating func add(from group: Group) async throws {
      changes.append(try #require(try await group.loadChanges().last))
    }
  }

  /// Returns a change that has an effect, of one or several elements.
  private func change(
    of elements: Elements, _ number: UInt8, _ random: inout SeededRandom
  ) -> ElementChange<FleetEdit> {
    let boats = elements.boats
    guard boats.count > 2 else { return .save(Boat(number, "new")) }
    // Not the last one: its removal could be the undoing of its insertion.
    let (boat, depth) = (random.pick(Array(boats.dropLast())), Double(number) + 0.5)
    let renamed = Boat(id: boat.id, name: "\(number)")
    switch random.number(below: 6) {
    case 0: return .save(Boat(number, "new"))
    case 1: return .save(renamed)
    case 2: return .delete(boat.id, Boat.self)
    case 3: return .save(Port(number, depth: depth))
    case 4: return .apply([.boat(boat, nil), .boat(nil, Boat(number)), .port(nil, Port(number))])
    default: return .apply([.boat(boat, renamed), .port(nil, Port(number, depth: depth))])
    }
  }

  @Test(arguments: FleetEngine.allCases)
  func `50 changes are undone one by one, and made again`(_ engine: FleetEngine) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    var random = SeededRandom(seed: 50)
    var states = [try await elements(group)]
    var steps = Steps()
    for number in UInt8(1)...50 {
      let last = try #require(states.last)
      try await group.perform(change(of: last, number, &random))
      try await steps.add(from: group)
      states.append(try await elements(group))
    }
    #expect(steps.history.undoable.count == 50)
    for state in states.dropLast().reversed() {
      let change = try #require(steps.history.undoable.last)
      try await group.perform(.apply(change.inverseEdits))
      try await steps.add(from: group)
      #expect(try await elements(group) == state)
    }
    #expect(steps.history.undoable == [])
    #expect(steps.history.redoable.count == 50)
    for state in states.dropFirst() {
      let change = try #require(steps.history.redoable.last)
      try await group.perform(.apply(change.edits))
      try await steps.add(from: group)
      #expect(try await elements(group) == state)
    }
    #expect(steps.history.redoable == [])
    #expect(try await elements(place.open()) == states.last)
  }

  @Test(arguments: FleetEngine.allCases)
  func `An undoing is refused if an element has changed since, and can be repeated`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    try await group.perform(.save(Boat(1)))
    try await group.apply(.boat(Boat(1), Boat(1, "Alma")), .port(nil, Port(9)))
    let change = try #require(try await group.loadChanges().last)
    try await group.perform(.save(Boat(1, "Bura")))
    let refusal = await #expect(throws: RefusedEdits<FleetEdit>.self) {
      try await group.perform(.apply(change.inverseEdits))
    }
    #expect(refusal?.differences == [.boat(Boat(1, "Alma"), Boat(1, "Bura"))])
    #expect(try await group.load(Port.self) == [Port(9)])
    try await group.perform(.save(Boat(1, "Alma")))
    try await group.perform(.apply(change.inverseEdits))
    #expect(try await group.load(Boat.self) == [Boat(1)])
    #expect(try await group.load(Port.self) == [])
  }

  @Test(arguments: FleetEngine.allCases)
  func `Replaced elements are undone with their places`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    let before = [Boat(1), Boat(2), Boat(3), Boat(4)]
    try await group.replaceLoaded(before)
    try await group.replaceLoaded([Boat(2, "Alma"), Boat(4), Boat(5)])
    let change = try #require(try await group.loadChanges().last)
    try await group.perform(.apply(change.inverseEdits))
    #expect(try await group.load(Boat.self) == before)
    try await group.perform(.apply(change.edits))
    #expect(try await group.load(Boat.self) == [Boat(2, "Alma"), Boat(4), Boat(5)])
    let history = UndoHistory(try await group.loadChanges())
    #expect(history.undoable.count == 2)
    #expect(history.redoable == [])
  }
}
