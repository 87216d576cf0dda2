import Foundation
import OffshoreFiles
import Testing

/// Changes of one element after each other, and by several tasks at once, in groups of all kinds.
@Suite(.timeLimit(.minutes(1)))
struct GroupSequenceTests {
  private static let engines = FleetEngine.allCases

  // MARK: - Edits of one element

  @Test(arguments: engines)
  func `Edits of one element in one change follow each other`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.apply(
      .boat(nil, Boat(1)), .boat(Boat(1), Boat(1, "Alma")),
      .boat(Boat(1, "Alma"), Boat(1, "Bura")))
    #expect(try await place.open().load(Boat.self) == [Boat(1, "Bura")])
    #expect(try await group.loggedEdits().map(\.count) == [3])
  }

  @Test(arguments: engines)
  func `An element is removed and inserted again in one change`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.replaceLoaded([Boat(1), Boat(2)])
    try await group.apply(.boat(Boat(1), nil), .boat(nil, Boat(1, "Jugo")))
    #expect(try await place.open().load(Boat.self) == [Boat(2), Boat(1, "Jugo")])
  }

  @Test(arguments: engines)
  func `The inverse edits of such a change restore the elements`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.replaceLoaded([Boat(1), Boat(2), Boat(3)])
    try await group.apply(
      .boat(Boat(2), Boat(2, "Alma")), .boat(Boat(2, "Alma"), nil), .boat(Boat(1), nil),
      .boat(nil, Boat(4)), .boat(Boat(4), Boat(4, "Bura")))
    #expect(try await group.boatNumbers() == [3, 4])
    let change = try #require(try await group.loadChanges().last)
    try await group.perform(.apply(change.inverseEdits))
    #expect(try await place.open().load(Boat.self) == [Boat(1), Boat(2), Boat(3)])
  }

  @Test(arguments: engines)
  func `The edits of different types are in the log in their order`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    let edits: [FleetEdit] = [
      .port(nil, Port(9), at: 0), .boat(nil, Boat(1), at: 0), .port(nil, Port(8), at: 1),
    ]
    try await group.perform(.apply(edits))
    #expect(try await group.loggedEdits() == [edits])
  }

  // MARK: - Several tasks

  @Test(arguments: engines)
  func `Changes of one element by several tasks are all made, one after the other`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<12 {
        tasks.addTask { try await group.perform(.save(Boat(1, "\(number)"))) }
      }
      try await tasks.waitForAll()
    }
    let values = try await group.loadChanges().map { change in
      try #require(change.edits.first.flatMap { Boat.values(of: $0) })
    }
    #expect(values.count == FleetChange.logLimit)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0.after == $1.before })
    let last = try #require(values.last?.after)
    #expect(try await place.open().load(Boat.self) == [last])
  }

  @Test(arguments: engines)
  func `Elements that several groups add at once are all stored`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let groups = [place.open(), place.open(), place.open()]
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in UInt8(0)..<24 {
        let group = groups[Int(number) % groups.count]
        tasks.addTask { try await group.perform(.save(Boat(number))) }
      }
      try await tasks.waitForAll()
    }
    for group in groups { #expect(try await group.boatNumbers().sorted() == Array(0..<24)) }
    #expect(try await place.open().boatNumbers().count == 24)
  }

  @Test(arguments: engines)
  func `Of several tasks that edit the same value, one succeeds`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.perform(.save(Boat(1)))
    let made = await withTaskGroup(of: String?.self) { tasks in
      for number in 0..<6 {
        tasks.addTask {
          let isMade = (try? await group.apply(.boat(Boat(1), Boat(1, "\(number)")))) != nil
          return isMade ? "\(number)" : nil
        }
      }
      return await tasks.reduce(into: [String]()) { names, name in
        if let name { names.append(name) }
      }
    }
    let name = try #require(made.first)
    #expect(made.count == 1)
    #expect(try await place.open().load(Boat.self) == [Boat(1, name)])
    #expect(try await group.loadChanges().count == 2)
  }

  // MARK: - Known elements

  @Test(arguments: engines)
  func `A replacement removes elements that the group itself has added`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.replaceLoaded([Boat(1)])
    _ = try await group.load(Boat.self)
    try await group.perform(.save(Boat(2)))
    try await group.apply(.boat(nil, Boat(3)), .port(nil, Port(9)))
    try await group.replaceLoaded([Boat(1)])
    #expect(try await place.open().boatNumbers() == [1])
  }
}
