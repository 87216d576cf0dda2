import Foundation
import OffshoreFiles
import Testing

/// Backups of all elements of a group.
struct GroupBackupTests {
  private typealias Content = GroupContent<FleetChange>

  private func makeGroup(_ boats: Boat...) throws -> MemoryGroup<FleetChange> {
    let group = MemoryGroup<FleetChange>()
    try group.replaceLoaded(boats)
    return group
  }

  @Test(arguments: FleetEngine.allCases)
  func `A backup is restored to an empty group with its log`(_ engine: FleetEngine) async throws {
    let source = try engine.makePlace().open()
    try await source.perform(.save(Port(9, depth: 2.5)))
    try await source.replaceLoaded([Boat(2, "Bura"), Boat(1)])
    let content = try await source.content()
    let target = try engine.makePlace().open()
    try await target.restore(Content(backup: content.backup()))
    #expect(try await target.content() == content)
    #expect(content.changes.count == 2)
  }

  @Test func `A restoration of other elements is a change that can be undone`() async throws {
    let group = try makeGroup(Boat(1), Boat(2))
    let backup = try makeGroup(Boat(2, "Jugo"), Boat(3)).content().backup()
    try await group.restore(Content(backup: backup))
    #expect(try group.load(Boat.self) == [Boat(2, "Jugo"), Boat(3)])
    let change = try #require(group.loadChanges().last)
    try group.perform(.apply(change.inverseEdits))
    #expect(try group.load(Boat.self) == [Boat(1), Boat(2)])
  }

  @Test func `A backup is a file that people can read`() throws {
    var content = Content()
    content[Port.self] = try ElementList([Port(7, depth: 3)])
    #expect(
      String(decoding: try content.backup(), as: UTF8.self) == """
        {
          "boats" : [

          ],
          "changes" : [

          ],
          "ports" : [
            {
              "depth" : 3,
              "id" : "00000000-0000-0000-0000-000000000007"
            }
          ],
          "version" : 1
        }

        """)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"version":1}"#, #"{"version":1,"boats":3,"changes":[],"ports":[]}"#,
    #"{"version":0,"boats":[],"changes":[],"ports":[]}"#,
    #"{"version":-1,"boats":[],"changes":[],"ports":[]}"#,
    """
    {"version":1,"boats":[{"id":"00000000-0000-0000-0000-000000000007","name":""},
    {"id":"00000000-0000-0000-0000-000000000007","name":""}],"changes":[],"ports":[]}
    """,
  ])
  func `Data that is not a backup, or has an id twice, is refused`(_ text: String) {
    let error = #expect(throws: FileError.self) { try Content(backup: Data(text.utf8)) }
    #expect(error?.code == .notABackup)
  }

  @Test func `A backup of a newer version is refused`() {
    let error = #expect(throws: FileError.self) {
      try Content(backup: Data(#"{"version":2}"#.utf8))
    }
    #expect(error?.code == .newerBackup)
  }
}
