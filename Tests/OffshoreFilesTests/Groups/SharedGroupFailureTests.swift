import Foundation
import OffshoreFiles
import Synchronization
import Testing

/// Changes of a shared group that are not stored, or that meet those of another process.
@Suite(.timeLimit(.minutes(1)))
struct SharedGroupFailureTests {
  private let folder: TestFolder
  private let group: SharedGroup<FleetChange>
  private let files: FileGroup<FleetChange>

  init() throws {
    folder = try TestFolder()
    group = SharedGroup(folder.path)
    files = FileGroup(folder.open())
  }

  /// Returns a group whose next change meets an event, after the group has read the files, and
  /// before it stores the change.
  private func group(meeting event: @escaping @Sendable () throws -> Void)
    -> SharedGroup<FleetChange>
  {
    let isOver = Mutex(false)
    let stamp = ChangeStamp(makeID: {
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { #expect(throws: Never.self) { try event() } }
      return UUID()
    })
    return SharedGroup(folder.path, stamp: stamp)
  }

  /// A group whose next change cannot be stored.
  private var failing: SharedGroup<FleetChange> {
    group { [folder] in try folder.write("[", to: "changes.json") }
  }

  /// Expects that a change is not stored, and repairs its file.
  private func expectFailure(of change: () async throws -> Void) async throws {
    let error = await #expect(throws: FileError.self) { try await change() }
    #expect(error?.code == .corrupted)
    try await files.restoreLastGoodCopy(of: "changes.json")
  }

  // MARK: - Failed storing

  @Test func `A damaged file fails the next changes until it is restored`() async throws {
    try await group.replaceLoaded([Boat(1)])
    try folder.write("[", to: "changes.json")
    await #expect(throws: FileError.self) { try await group.replaceLoaded([Boat(2)]) }
    await #expect(throws: FileError.self) { try await group.perform(.save(Boat(3))) }
    #expect(try await group.load(Boat.self) == [Boat(1)])
    try await files.restoreLastGoodCopy(of: "changes.json")
    try await group.perform(.save(Boat(4)))
    #expect(try await files.load(Boat.self) == [Boat(1), Boat(4)])
  }

  @Test func `All elements of a change that is not stored are as before, for all holders`()
    async throws
  {
    try await group.apply(.boat(nil, Boat(1)), .boat(nil, Boat(2)), .port(nil, Port(9)))
    let before = try await group.content()
    let failing = failing
    try await expectFailure {
      try await failing.apply(
        .boat(Boat(1), nil), .boat(Boat(2), Boat(2, "Alma")), .boat(Boat(2, "Alma"), nil),
        .port(Port(9), Port(9, depth: 4)), .port(nil, Port(8), at: 0))
    }
    #expect(try await group.content() == before)
    try await group.perform(.save(Boat(3)))
    #expect(try await files.load(Boat.self) == [Boat(1), Boat(2), Boat(3)])
    #expect(try await files.load(Port.self) == [Port(9)])
    #expect(try await files.loggedEdits().map(\.count) == [3, 1])
  }

  @Test(arguments: [[3, 1], [4, 3, 1], [4]] as [[UInt8]])
  func `A replacement that is not stored leaves the elements in their order`(
    _ numbers: [UInt8]
  ) async throws {
    try await group.replaceLoaded([Boat(1), Boat(2), Boat(3)])
    let failing = failing
    try await expectFailure { try await failing.replaceLoaded(numbers.map { Boat($0) }) }
    #expect(try await group.boatNumbers() == [1, 2, 3])
    try await group.perform(.save(Boat(5)))
    #expect(try await files.boatNumbers() == [1, 2, 3, 5])
    #expect(try await files.loadChanges().count == 2)
  }

  @Test func `A replacement that is not stored does not change which elements are known`()
    async throws
  {
    try await group.replaceLoaded([Boat(1), Boat(2)])
    let failing = failing
    _ = try await failing.load(Boat.self)
    try await expectFailure { try await failing.replaceLoaded([Boat(3)]) }
    try await failing.replaceLoaded([Boat(2)])
    #expect(try await files.boatNumbers() == [2])
  }

  @Test func `A replacement of everything that is not stored has no effect`() async throws {
    try await group.replaceLoaded([Boat(1)])
    let before = try await group.content()
    // JSON has no infinite numbers.
    var content = GroupContent<FleetChange>()
    content[Port.self] = try ElementList([Port(9, depth: .infinity)])
    await #expect(throws: FileError.self) { try await group.replaceAll(content) }
    #expect(try await group.content() == before)
    #expect(try await files.content() == before)
    content[Port.self] = try ElementList([Port(9, depth: 1)])
    try await group.replaceAll(content)
    #expect(try await files.content() == content)
  }

  @Test func `After a replacement that is not stored, changes by others are kept`() async throws {
    try await group.replaceLoaded([Boat(2), Boat(1)])
    var content = GroupContent<FleetChange>()
    content[Boat.self] = try ElementList([Boat(1, "Alma"), Boat(5)])
    content[Port.self] = try ElementList([Port(9, depth: .infinity)])
    await #expect(throws: FileError.self) { try await group.replaceAll(content) }
    try await files.perform(.save(Boat(3)))
    try await group.perform(.save(Boat(4)))
    #expect(try await files.boatNumbers() == [2, 1, 3, 4])
    #expect(try await group.content() == files.content())
    #expect(try await files.loggedEdits().map(\.count) == [2, 1, 1])
  }

  @Test func `A value that JSON cannot express is refused, and the next change is stored`()
    async throws
  {
    let error = await #expect(throws: FileError.self) {
      try await group.apply(.boat(nil, Boat(1)), .port(nil, Port(9, depth: .infinity)))
    }
    #expect(error?.code == .invalidValue)
    #expect(try await group.content() == GroupContent())
    try await group.perform(.save(Boat(2)))
    #expect(try await files.boatNumbers() == [2])
  }

  // MARK: - Changes by another process at the same time

  /// Returns a group during whose next change another process stores boats.
  private func group(beside boats: [Boat]) -> SharedGroup<FleetChange> {
    group { [folder] in try folder.write(JSONEncoder().encode(boats), to: "boats.json") }
  }

  @Test func `A value that another process stores meanwhile stays, and is reported`()
    async throws
  {
    try await files.replaceLoaded([Boat(1), Boat(2)])
    let group = group(beside: [Boat(1, "Theirs"), Boat(2)])
    let refusal = await #expect(throws: RefusedEdits<FleetEdit>.self) {
      try await group.apply(.boat(Boat(1), Boat(1, "Mine")), .boat(Boat(2), nil))
    }
    #expect(refusal?.differences == [.boat(Boat(1), Boat(1, "Theirs"))])
    #expect(try await group.load(Boat.self) == [Boat(1, "Theirs"), Boat(2)])
    #expect(try await files.load(Boat.self) == [Boat(1, "Theirs"), Boat(2)])
    #expect(try await files.loadChanges().count == 1)
  }

  @Test func `An element that another process adds meanwhile stays, though it is the same`()
    async throws
  {
    let group = group(beside: [Boat(1)])
    let refusal = await #expect(throws: RefusedEdits<FleetEdit>.self) {
      try await group.apply(.boat(nil, Boat(1)), .port(nil, Port(9)))
    }
    #expect(refusal?.differences == [.boat(nil, Boat(1))])
    #expect(try await files.load(Boat.self) == [Boat(1)])
    #expect(try await files.load(Port.self) == [])
    #expect(try await files.loadChanges() == [])
  }

  @Test func `Other elements that another process stores meanwhile are kept`() async throws {
    try await files.replaceLoaded([Boat(1), Boat(2)])
    let group = group(beside: [Boat(1), Boat(2, "Theirs"), Boat(7)])
    try await group.perform(.save(Boat(1, "Mine")))
    #expect(
      try await files.load(Boat.self) == [Boat(1, "Mine"), Boat(2, "Theirs"), Boat(7)])
    #expect(try await group.load(Boat.self) == files.load(Boat.self))
    #expect(try await files.loadChanges().count == 2)
  }
}
