import OffshoreFiles
import Testing

/// A group that fails on request.
struct FailingGroupTests {
  private enum Failure: Error { case load, change }

  private let group = FailingGroup(MemoryGroup<FleetChange>())

  @Test func `It is as the other group until a failure is set`() async throws {
    try await group.perform(.save(Boat(1)))
    try await group.replaceLoaded([Boat(1), Boat(2)])
    #expect(try await group.load(Boat.self) == [Boat(1), Boat(2)])
    #expect(try await group.loadChanges().count == 2)
    try await group.replaceAll(GroupContent())
    #expect(try await group.content() == GroupContent())
  }

  @Test func `Loads and changes fail with the chosen errors`() async throws {
    try await group.perform(.save(Boat(1)))
    group.failure = { $0 == .load ? Failure.load : Failure.change }
    await #expect(throws: Failure.load) { try await group.load(Boat.self) }
    await #expect(throws: Failure.load) { try await group.loadChanges() }
    await #expect(throws: Failure.load) { try await group.content() }
    await #expect(throws: Failure.change) { try await group.perform(.save(Boat(2))) }
    await #expect(throws: Failure.change) { try await group.replaceLoaded([Boat(2)]) }
    await #expect(throws: Failure.change) { try await group.replaceAll(GroupContent()) }
    group.failure = nil
    #expect(try await group.load(Boat.self) == [Boat(1)])
  }
}
