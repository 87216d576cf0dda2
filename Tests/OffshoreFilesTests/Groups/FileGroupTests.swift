import Foundation
import OffshoreFiles
import Testing

/// The files of a group, and failures to store them.
@Suite(.timeLimit(.minutes(1)))
struct FileGroupTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func makeGroup() -> FileGroup<FleetChange> { FileGroup(folder.open()) }

  @Test func `Each type of element has a file, and so has the log`() async throws {
    let group = makeGroup()
    try await group.perform(.save(Boat(1)))
    #expect(
      try folder.names().filter { !$0.hasSuffix(".backup") } == ["boats.json", "changes.json"])
    try await group.perform(.save(Port(9)))
    #expect(folder.text("ports.json")?.contains(#""depth" : 0"#) == true)
  }

  @Test func `A change without an effect touches no file`() async throws {
    let group = makeGroup()
    try await group.perform(.save(Boat(1)))
    let numbers = try ["boats.json", "changes.json"].map { try folder.number(of: $0) }
    try await group.perform(.save(Boat(1)))
    try await group.replaceLoaded([Boat(1)])
    #expect(try ["boats.json", "changes.json"].map { try folder.number(of: $0) } == numbers)
  }

  @Test(arguments: ["boats.json", "ports.json", "changes.json"])
  func `A damaged file is restored or started again`(_ name: String) async throws {
    let group = makeGroup()
    try await group.perform(.apply([.boat(nil, Boat(1)), .port(ElementEdit(nil, Port(9)))]))
    let content = folder.text(name)
    try folder.write("[", to: name)
    await #expect(throws: FileError.self) { try await group.content() }
    try await group.restoreLastGoodCopy(of: name)
    #expect(folder.text(name) == content)
    try folder.write("[", to: name)
    try await group.restart(name)
    #expect(folder.text(name) == "[\n\n]\n")
  }

  @Test(arguments: ["boats.json", "ports.json", "changes.json"])
  func `A file that can be loaded is not started again`(_ name: String) async throws {
    let group = makeGroup()
    try await group.restart(name)
    #expect(try folder.names() == [])
    try await group.apply(.boat(nil, Boat(1)), .port(nil, Port(9)))
    let content = folder.text(name)
    try folder.write("[", to: name)
    await #expect(throws: FileError.self) { try await group.check(name) }
    // Another group restores it in between.
    try await makeGroup().restoreLastGoodCopy(of: name)
    try await group.restart(name)
    #expect(folder.text(name) == content)
    #expect(folder.text(name + ".backup") == content)
  }

  @Test func `A folder that does not exist is empty, and is not created`() async throws {
    let path = folder.file("fleet")
    let group = FileGroup<FleetChange>(DocumentFolder(path))
    #expect(try await group.content() == GroupContent())
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A replacement keeps elements that were checked or restored, but not loaded`()
    async throws
  {
    let group = makeGroup()
    try await group.replaceLoaded([Boat(1), Boat(2)])
    try await makeGroup().perform(.save(Boat(7)))
    try await group.check("boats.json")
    try folder.write("[", to: "boats.json")
    try await group.restoreLastGoodCopy(of: "boats.json")
    try await group.replaceLoaded([Boat(2)])
    #expect(try await makeGroup().boatNumbers() == [2, 7])
  }

  @Test func `A file of another name is neither restored nor started again`() async throws {
    let group = makeGroup()
    let restoring = await #expect(throws: FileError.self) {
      try await group.restoreLastGoodCopy(of: "buoys.json")
    }
    #expect(restoring?.code == .misuse)
    let restarting = await #expect(throws: FileError.self) {
      try await group.restart("buoys.json")
    }
    #expect(restarting?.code == .misuse)
    #expect(try folder.names() == [])
  }

  @Test func `A damaged log fails a change, which is not stored`() async throws {
    let group = makeGroup()
    try await group.perform(.save(Boat(1)))
    try folder.write("[", to: "changes.json")
    await #expect(throws: FileError.self) { try await group.perform(.save(Boat(2))) }
    await #expect(throws: FileError.self) { try await group.replaceLoaded([Boat(3)]) }
    #expect(try await makeGroup().load(Boat.self) == [Boat(1)])
  }

  @Test func `A disk that fails before any operation leaves all files as they were`() async throws {
    try await makeGroup().perform(.save(Boat(1)))
    let operations = CountedOperations(failingWith: ENOSPC)
    let failing = FileGroup<FleetChange>(folder.open(operations.operations))
    for number in 0... {
      let before = try await makeGroup().content()
      operations.restart(failing: number)
      let change: ElementChange<FleetEdit> = .apply([
        .boat(Boat(1), Boat(1, "Alma")), .port(ElementEdit(nil, Port(9))),
      ])
      let isStored = (try? await failing.perform(change)) != nil
      let after = try await makeGroup().content()
      if isStored {
        #expect(after.changes.count == before.changes.count + 1)
        #expect(after[Port.self].count == 1)
        #expect(number > 3)
        break
      }
      #expect(after == before, "operation \(number)")
    }
  }
}
