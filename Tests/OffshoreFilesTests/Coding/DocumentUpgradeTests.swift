import Foundation
import Synchronization
import Testing

@testable import OffshoreFiles

private struct Refused: Error {}

/// A value of version 0, and those of versions 1 to 3.
private struct Name: Codable { var name: String }
private struct Names: Codable { var names: [String] }
private struct Crew: Codable {
  var names: [String]
  var since: Date
}
private struct Team: Codable, Equatable, Sendable {
  var members: [String]
  var since: Date
}

/// The upgrades of a document through several versions.
@Suite(.timeLimit(.minutes(1)))
struct DocumentUpgradeTests {
  private let folder: TestFolder
  /// The numbers of the upgrades that were applied.
  private let applied = Applied()

  private static let since = Date(timeIntervalSinceReferenceDate: 0.1)

  init() throws { folder = try TestFolder() }

  private final class Applied: Sendable {
    private let applied = Mutex<[Int]>([])
    var numbers: [Int] { applied.withLock { $0 } }
    func append(_ number: Int) { applied.withLock { $0.append(number) } }
  }

  private var upgrades: [DocumentUpgrade] {
    [
      DocumentUpgrade { [applied] (old: Name) in
        applied.append(0)
        return Names(names: [old.name])
      },
      DocumentUpgrade { [applied] (old: Names) in
        applied.append(1)
        return Crew(names: old.names, since: Self.since)
      },
      DocumentUpgrade { [applied] (old: Crew) in
        applied.append(2)
        return Team(members: old.names, since: old.since)
      },
    ]
  }

  private func document(_ upgrades: [DocumentUpgrade]? = nil) -> JSONDocument<Team> {
    folder.open().document(
      "team.json", default: Team(members: [], since: .distantPast),
      upgrades: upgrades ?? self.upgrades)
  }

  // MARK: - Chains

  @Test(
    arguments: [
      (#"{"name": "Ada"}"#, [0, 1, 2]),
      (#"{"value": {"names": ["Ada"]}, "version": 1}"#, [1, 2]),
      (#"{"value": {"names": ["Ada"], "since": "2001-01-01T00:00:00.1Z"}, "version": 2}"#, [2]),
      (#"{"value": {"members": ["Ada"], "since": "2001-01-01T00:00:00.1Z"}, "version": 3}"#, []),
    ] as [(String, [Int])])
  func `Each version leads to the current one by the upgrades after it`(
    _ text: String, _ numbers: [Int]
  ) async throws {
    try folder.write(text, to: "team.json")
    let document = document()
    #expect(try await document.load() == Team(members: ["Ada"], since: Self.since))
    #expect(applied.numbers == numbers)
    // The value in memory is not upgraded again, and the file stays until it is stored.
    _ = try await document.load()
    #expect(applied.numbers == numbers)
    #expect(folder.text("team.json") == text)
  }

  @Test func `An upgraded file is stored with its version, also if its value has not changed`()
    async throws
  {
    try folder.write(#"{"name": "Ada"}"#, to: "team.json")
    let document = document()
    try await document.save(document.load())
    let stored = try #require(folder.text("team.json"))
    #expect(stored.hasSuffix("\n  \"version\" : 3\n}\n"))
    #expect(try await self.document().load() == Team(members: ["Ada"], since: Self.since))
    #expect(applied.numbers == [0, 1, 2])
  }

  @Test func `The copy of a former version is upgraded when it is restored`() async throws {
    let former = folder.open().document(
      "team.json", default: Names(names: []), upgrades: Array(upgrades.prefix(1)))
    try await former.save(Names(names: ["Ada", "Eva"]))
    try folder.write("[", to: "team.json")
    let restored = try await document().restoreLastGoodCopy()
    #expect(restored == Team(members: ["Ada", "Eva"], since: Self.since))
    #expect(folder.text("team.json")?.contains("\"version\" : 1") == true)
  }

  @Test func `Elements of a collection are upgraded as an array`() async throws {
    try folder.write(#"["a", "b"]"#, to: "notes.json")
    let upgrade = DocumentUpgrade { (ids: [String]) in ids.map { Note($0, "upgraded") } }
    let notes = folder.open().collection("notes.json", of: Note.self, upgrades: [upgrade])
    try await notes.upsert(Note("c"))
    #expect(try await notes.load().map(\.text) == ["upgraded", "upgraded", ""])
    #expect(folder.text("notes.json")?.contains("\"version\" : 1") == true)
  }

  // MARK: - Refusals

  @Test func `An app with fewer upgrades refuses a newer file, and both versions are named`()
    async throws
  {
    try await document().save(Team(members: ["Ada"], since: Self.since))
    let stored = folder.text("team.json")
    for count in 0..<3 {
      let former = document(Array(upgrades.prefix(count)))
      for call in [
        { _ = try await former.load() }, { try await former.update { $0.members = [] } },
        { _ = try await former.restoreLastGoodCopy() },
      ] {
        let error = await #expect(throws: FileError.self) { try await call() }
        #expect(error?.code == .newerVersion)
        #expect(
          error?.message.contains("has version 3, and this app stores version \(count).") == true)
      }
    }
    #expect(folder.text("team.json") == stored)
    #expect(try folder.names() == ["team.json", "team.json.backup"])
  }

  @Test(arguments: 0..<3)
  func `A failing upgrade is named by the version from which it starts`(_ number: Int) async throws
  {
    try folder.write(#"{"name": "Ada"}"#, to: "team.json")
    var upgrades = self.upgrades
    let failing = [
      DocumentUpgrade { (_: Name) -> Names in throw Refused() },
      DocumentUpgrade { (_: Names) -> Crew in throw Refused() },
      DocumentUpgrade { (_: Crew) -> Team in throw Refused() },
    ]
    upgrades[number] = failing[number]
    let error = await #expect(throws: FileError.self) { try await document(upgrades).load() }
    #expect(error?.code == .upgradeFailed)
    #expect(error?.message.contains("“team.json” from version \(number) has failed") == true)
    #expect(error?.cause is Refused)
    #expect(applied.numbers == Array(0..<number))
    #expect(folder.text("team.json") == #"{"name": "Ada"}"#)
  }

  @Test func `A missing upgrade is named by the version that does not fit the next one`()
    async throws
  {
    // The second upgrade was left out, so the file counts as older than it is.
    for text in [#"{"name": "Ada"}"#, #"{"value": {"names": ["Ada"]}, "version": 1}"#] {
      try folder.write(text, to: "team.json")
      let error = await #expect(throws: FileError.self) {
        try await document([upgrades[0], upgrades[2]]).load()
      }
      #expect(error?.code == .upgradeFailed)
      #expect(error?.message.contains("from version 1 has failed") == true)
      #expect(error?.cause is DecodingError)
      #expect(folder.text("team.json") == text)
    }
  }

  @Test func `A damaged file of a former version is damage, not a failed upgrade`() async throws {
    for text in [#"{"name": "Ada""#, #"{"name": "Ada"} x"#, #"{"value": {"names": ["#] {
      try folder.write(text, to: "team.json")
      let error = await #expect(throws: FileError.self) { try await document().load() }
      #expect(error?.code == .corrupted, "\(text)")
      #expect(error?.setAside != nil)
    }
    #expect(applied.numbers == [])
  }

  @Test(arguments: ["-1", "1.5", "\"1\"", "null", "99999999999999999999"])
  func `A version that is not a number from 0 on is not that of an envelope`(_ version: String)
    async throws
  {
    let text = "{\"value\": {\"name\": \"Ada\"}, \"version\": \(version)}"
    try folder.write(text, to: "team.json")
    let error = await #expect(throws: FileError.self) { try await document().load() }
    // The whole file is taken for a value of version 0, which it does not fit.
    #expect(error?.code == .upgradeFailed)
    #expect(error?.message.contains("from version 0") == true)
    #expect(folder.text("team.json") == text)
  }
}
