import Foundation
import OffshoreFiles
import Testing

/// Backups that are restored to groups of all kinds.
@Suite(.timeLimit(.minutes(1)))
struct GroupRestoreTests {
  private typealias Content = GroupContent<FleetChange>
  private static let engines = FleetEngine.allCases

  /// Returns a backup of two boats and a port, with the log of their insertion.
  private func makeBackup() throws -> Data {
    var content = Content()
    try content.replace(by: [Boat(1), Boat(2, "Alma")])
    try content.replace(by: [Port(9, depth: 2.5)])
    return try content.backup()
  }

  @Test(arguments: engines)
  func `A restoration over other elements is one change of the log`(
    _ engine: FleetEngine
  ) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.replaceLoaded([Boat(1, "Bura"), Boat(2, "Alma"), Boat(3)])
    let before = try await group.content()
    let restoration = try await group.restore(Content(backup: makeBackup()))
    #expect(try await place.open().load(Boat.self) == [Boat(1), Boat(2, "Alma")])
    #expect(try await place.open().load(Port.self) == [Port(9, depth: 2.5)])
    let changes = try await group.loadChanges()
    #expect(changes.count == 2)
    #expect(changes.last?.id == restoration?.id)
    #expect(
      changes.last?.edits == [
        .boat(Boat(3), nil, at: 2), .boat(Boat(1, "Bura"), Boat(1)),
        .port(nil, Port(9, depth: 2.5), at: 0),
      ])
    // The restoration can be undone.
    try await group.perform(.apply(try #require(changes.last).inverseEdits))
    #expect(try await group.load(Boat.self) == Array(before[Boat.self]))
    #expect(try await group.load(Port.self) == [])
  }

  @Test(arguments: engines)
  func `A backup of the present elements changes nothing`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    try await group.replaceLoaded([Boat(2), Boat(1)])
    try await group.perform(.save(Port(9)))
    let content = try await group.content()
    #expect(try await group.restore(Content(backup: content.backup())) == nil)
    #expect(try await group.content() == content)
  }

  @Test(arguments: engines)
  func `The restoration to an empty group is no change`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    #expect(try await group.restore(Content(backup: makeBackup())) == nil)
    #expect(try await group.loadChanges().count == 2)
  }

  @Test(arguments: engines)
  func `Elements that were removed are restored in their places`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    let boats = [Boat(5), Boat(1), Boat(3), Boat(2)]
    try await group.replaceLoaded(boats)
    let backup = try await group.content().backup()
    try await group.perform(.delete(UUID(3), Boat.self))
    try await group.perform(.delete(UUID(5), Boat.self))
    try await group.restore(Content(backup: backup))
    #expect(try await group.load(Boat.self) == boats)
  }

  @Test(arguments: engines)
  func `A group whose elements were all removed keeps its own log`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    try await group.perform(.save(Boat(3)))
    try await group.perform(.delete(UUID(3), Boat.self))
    try await group.restore(Content(backup: makeBackup()))
    #expect(try await group.boatNumbers() == [1, 2])
    #expect(try await group.loggedEdits().map(\.count) == [1, 1, 3])
  }

  @Test(arguments: engines)
  func `A damaged backup, and one of a newer version, change nothing`(
    _ engine: FleetEngine
  ) async throws {
    let group = try engine.makePlace().open()
    try await group.replaceLoaded([Boat(3)])
    let before = try await group.content()
    let text = String(decoding: try makeBackup(), as: UTF8.self)
    let backups: [(text: String, code: FileError.Code)] = [
      (String(text.dropLast(3)), .notABackup),
      (text.replacing("2.5", with: "\"deep\""), .notABackup),
      (text.replacing("\"boats\"", with: "\"buoys\""), .notABackup),
      (text.replacing("[", with: "{"), .notABackup),
      (text.replacing("\"version\" : 1", with: "\"version\" : 2"), .newerBackup),
    ]
    for backup in backups {
      let error = await #expect(throws: FileError.self) {
        try await group.restore(Content(backup: Data(backup.text.utf8)))
      }
      #expect(error?.code == backup.code)
    }
    #expect(try await group.content() == before)
  }

  @Test func `A backup names each file of the group once`() throws {
    let object = try JSONSerialization.jsonObject(with: makeBackup()) as? [String: Any]
    #expect(object?.keys.sorted() == ["boats", "changes", "ports", "version"])
    #expect((object?["boats"] as? [Any])?.count == 2)
    #expect((object?["changes"] as? [Any])?.count == 2)
  }

  @Test func `A backup with further keys is read`() throws {
    let backup = try makeBackup()
    let text = String(decoding: backup, as: UTF8.self)
    let further = text.replacing("{\n  \"boats\"", with: "{\n  \"app\" : 3,\n  \"boats\"")
    #expect(further != text)
    #expect(try Content(backup: Data(further.utf8)) == Content(backup: backup))
  }
}
