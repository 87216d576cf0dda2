import Foundation
import OffshoreFiles
import Testing

/// Groups of one folder that share their elements in memory.
@Suite(.timeLimit(.minutes(1)))
struct SharedGroupTests {
  private let folder: TestFolder
  private let group: SharedGroup<FleetChange>
  private let files: FileGroup<FleetChange>

  init() throws {
    folder = try TestFolder()
    group = SharedGroup(folder.path)
    files = FileGroup(folder.open())
  }

  // MARK: - Files

  @Test func `Its files are those of a group of files`() async throws {
    try await group.perform(.save(Boat(1)))
    #expect(try await files.content() == group.content())
    try await files.perform(.save(Port(9)))
    #expect(try await group.load(Port.self) == [Port(9)])
    #expect(try await files.content() == group.content())
  }

  @Test func `Nothing is created before the first change`() async throws {
    #expect(try await group.content() == GroupContent())
    try await group.perform(.delete(UUID(1), Boat.self))
    try await group.replaceLoaded([Boat]())
    #expect(try folder.names() == [])
  }

  @Test func `A change is stored when it returns, without a flush`() async throws {
    try await group.apply(.boat(nil, Boat(1)), .port(nil, Port(9)))
    #expect(folder.text("boats.json")?.contains("000000000001") == true)
    #expect(folder.text("ports.json")?.contains("000000000009") == true)
    #expect(folder.text("changes.json")?.contains("000000000009") == true)
  }

  @Test func `Another order of the elements is stored when it returns, too`() async throws {
    try await group.replaceLoaded([Boat(1), Boat(2)])
    try await group.replaceLoaded([Boat(2), Boat(1)])
    #expect(try await files.boatNumbers() == [2, 1])
    #expect(try await files.loadChanges().count == 1)
  }

  @Test func `The elements of a folder in use are found by a new group`() async throws {
    try await files.replaceLoaded([Boat(1), Boat(2)])
    #expect(try await group.boatNumbers() == [1, 2])
    let other = SharedGroup<FleetChange>(folder.path)
    #expect(try await other.boatNumbers() == [1, 2])
    #expect(try await other.loadChanges() == files.loadChanges())
  }

  // MARK: - Holders

  @Test func `Other groups of the process see a change in memory`() async throws {
    let other = SharedGroup<FleetChange>(folder.path)
    _ = try await other.load(Boat.self)
    try await group.replaceLoaded([Boat(1), Boat(2)])
    #expect(try await other.load(Boat.self) == [Boat(1), Boat(2)])
  }

  @Test func `A shared array of the same file has the elements of the group`() async throws {
    let boats = Shared<[Boat]>(.file(folder.file("boats.json")), default: [])
    try await group.perform(.save(Boat(1)))
    #expect(boats.value == [Boat(1)])
    boats.change { $0.append(Boat(2)) }
    #expect(try await group.boatNumbers() == [1, 2])
    // Its change is stored together with the next one of the group.
    try await group.perform(.save(Port(9)))
    #expect(try await files.boatNumbers() == [1, 2])
  }

  @Test func `The elements stay after the last group was released`() async throws {
    try await SharedGroup<FleetChange>(folder.path + "/fleet").perform(.save(Boat(1)))
    let other = SharedGroup<FleetChange>(folder.path + "/fleet")
    #expect(try await other.boatNumbers() == [1])
    #expect(try await other.loadChanges().count == 1)
  }

  @Test func `A replacement keeps what another group of the process has added`() async throws {
    let other = SharedGroup<FleetChange>(folder.path)
    try await group.replaceLoaded([Boat(1), Boat(2)])
    _ = try await group.load(Boat.self)
    try await other.perform(.save(Boat(7)))
    try await group.perform(.save(Boat(8)))
    try await group.perform(.delete(UUID(1), Boat.self))
    try await group.replaceLoaded([Boat(2)])
    #expect(try await files.boatNumbers() == [2, 7])
    _ = try await group.load(Boat.self)
    try await group.replaceLoaded([Boat(2)])
    #expect(try await files.boatNumbers() == [2])
  }

  @Test func `Groups of different folders are apart`() async throws {
    let other = SharedGroup<FleetChange>(folder.path + "/other")
    try await group.perform(.save(Boat(1)))
    try await other.perform(.save(Boat(2)))
    #expect(try await group.boatNumbers() == [1])
    #expect(try await other.boatNumbers() == [2])
  }

  // MARK: - Other processes

  @Test func `A change by another process is loaded and signalled`() async throws {
    var boats = group.signals(of: Boat.self).makeAsyncIterator()
    _ = try await boats.next()
    try await files.perform(.save(Boat(1)))
    while try await group.boatNumbers().isEmpty { _ = try await boats.next() }
    #expect(try await group.loadChanges() == files.loadChanges())
  }

  @Test func `A change is made over that of another process`() async throws {
    try await group.replaceLoaded([Boat(1), Boat(2)])
    try await files.perform(.save(Boat(2, "Theirs")))
    try await group.perform(.save(Boat(1, "Mine")))
    #expect(try await files.load(Boat.self) == [Boat(1, "Mine"), Boat(2, "Theirs")])
    #expect(try await files.loggedEdits().map(\.count) == [2, 1, 1])
  }
}
