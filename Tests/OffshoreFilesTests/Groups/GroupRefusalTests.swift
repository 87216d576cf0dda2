import Foundation
import OffshoreFiles
import Testing

/// Changes that a group of any kind refuses, or that have no effect.
@Suite(.timeLimit(.minutes(1)))
struct GroupRefusalTests {
  private static let engines = FleetEngine.allCases

  /// Expects that edits are refused, and that nothing changes.
  private func expectRefusal(
    of edits: [FleetEdit], _ differences: [FleetEdit], by group: any CollectionGroup<FleetChange>,
    at place: FleetPlace
  ) async throws {
    let before = try await group.content()
    let refusal = await #expect(throws: RefusedEdits<FleetEdit>.self) {
      try await group.perform(.apply(edits))
    }
    #expect(refusal?.differences == differences)
    #expect(try await group.content() == before)
    #expect(try await place.open().content() == before)
  }

  // MARK: - Refused edits

  @Test(arguments: engines)
  func `An element that was changed meanwhile is reported, and stays`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let (mine, theirs) = (place.open(), place.open())
    try await mine.perform(.save(Boat(1)))
    _ = try await mine.load(Boat.self)
    try await theirs.perform(.save(Boat(1, "Theirs")))
    try await expectRefusal(
      of: [.boat(Boat(1), Boat(1, "Mine"))], [.boat(Boat(1), Boat(1, "Theirs"))], by: mine,
      at: place)
    try await expectRefusal(
      of: [.boat(Boat(1), nil)], [.boat(Boat(1), Boat(1, "Theirs"))], by: mine, at: place)
  }

  @Test(arguments: engines)
  func `An element that was removed meanwhile is reported, and stays removed`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let (mine, theirs) = (place.open(), place.open())
    try await mine.replaceLoaded([Boat(1), Boat(2)])
    _ = try await mine.load(Boat.self)
    try await theirs.perform(.delete(UUID(1), Boat.self))
    try await expectRefusal(
      of: [.boat(Boat(1), Boat(1, "Mine"))], [.boat(Boat(1), nil)], by: mine, at: place)
    try await expectRefusal(of: [.boat(Boat(1), nil)], [.boat(Boat(1), nil)], by: mine, at: place)
  }

  @Test(arguments: engines)
  func `An element that exists is not inserted again`(_ engine: FleetEngine) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.perform(.save(Port(9, depth: 2)))
    try await expectRefusal(
      of: [.port(nil, Port(9, depth: 3), at: 0)], [.port(nil, Port(9, depth: 2))], by: group,
      at: place)
  }

  @Test(arguments: engines)
  func `Nothing of a change is made if its last edit is refused`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.replaceLoaded([Boat(1), Boat(2)])
    try await group.perform(.save(Port(9)))
    try await expectRefusal(
      of: [
        .boat(Boat(1), Boat(1, "Alma")), .boat(Boat(2), nil), .boat(nil, Boat(3)),
        .port(Port(9), Port(9, depth: 5)), .port(Port(8), nil),
      ], [.port(Port(8), nil)], by: group, at: place)
  }

  @Test(arguments: engines)
  func `An edit must not change the id of an element`(_ engine: FleetEngine) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.perform(.save(Boat(1)))
    try await expectRefusal(
      of: [.boat(Boat(1), Boat(2))], [.boat(Boat(1), Boat(1))], by: group, at: place)
  }

  @Test(arguments: engines)
  func `The second of two edits that find the same value is refused, and so is the first`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.perform(.save(Boat(1)))
    try await expectRefusal(
      of: [.boat(Boat(1), Boat(1, "Alma")), .boat(Boat(1), Boat(1, "Bura"))],
      [.boat(Boat(1), Boat(1, "Alma"))], by: group, at: place)
  }

  // MARK: - Edits without an effect

  @Test(arguments: engines)
  func `Edits without a difference are neither made nor logged`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    try await group.perform(.save(Boat(1)))
    let before = try await group.content()
    try await group.apply()
    try await group.apply(.boat(nil, nil), .boat(Boat(1), Boat(1)))
    // They are not compared with stored elements.
    try await group.apply(.boat(Boat(7), Boat(7)), .port(Port(9), Port(9)))
    try await group.perform(.delete(UUID(7), Boat.self))
    #expect(try await group.content() == before)
  }

  @Test(arguments: engines)
  func `Only the edits with a difference are logged`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    try await group.apply(.boat(Boat(7), Boat(7)), .boat(nil, Boat(1)), .boat(nil, nil))
    #expect(try await group.loggedEdits() == [[.boat(nil, Boat(1), at: 0)]])
  }

  @Test(arguments: engines)
  func `An element of another type is neither saved nor deleted`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    let buoy = Buoy(id: UUID(1))
    for change: ElementChange<FleetEdit> in [.save(buoy), .delete(buoy.id, Buoy.self)] {
      let error = await #expect(throws: FileError.self) { try await group.perform(change) }
      #expect(error?.code == .misuse)
    }
    #expect(try await group.content() == GroupContent())
  }
}
