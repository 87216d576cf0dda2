import Foundation
import TestSupport
import Testing

@testable import Offshore

/// The replacement of the whole content of a file that is in use.
@Suite(.timeLimit(.minutes(1)))
struct ContentReplacementTests {
  private let folder: TemporaryFolder
  private let target: Connection
  private let source: Connection

  init() throws {
    folder = try TemporaryFolder()
    target = try Connection(folder.file("target.sqlite"))
    source = try Connection(folder.file("source.sqlite"))
    try target.execute("CREATE TABLE former (text TEXT)")
    try target.write { writer in
      for number in 0..<1_000 {
        try SQL("INSERT INTO former VALUES (\("Kornati \(number)"))").run(writer)
      }
    }
    try source.execute("CREATE TABLE present (text TEXT)")
    try source.write { try SQL("INSERT INTO present VALUES ('Vis')").run($0) }
  }

  private func texts(_ table: String, _ connection: Connection) throws -> [String] {
    try connection.read {
      try SQL("SELECT text FROM \(identifier: table)").all($0, as: String.self)
    }
  }

  @Test func `The file has the schema and the rows of the other, and can be written`() throws {
    #expect(try texts("former", target).count == 1_000)
    try target.replaceContent(by: source)
    #expect(try texts("present", target) == ["Vis"])
    #expect(throws: DatabaseError.self) { try texts("former", target) }
    try target.write { try SQL("INSERT INTO present VALUES ('Brač')").run($0) }
    #expect(try texts("present", target) == ["Vis", "Brač"])
    #expect(try texts("present", source) == ["Vis"])
  }

  @Test func `Another connection reads the former content until its read ends`() throws {
    let reader = try Connection(folder.file("target.sqlite"))
    let former = try reader.read { former in
      let before = try SQL("SELECT count(*) FROM former").first(former, as: Int.self)
      try target.replaceContent(by: source)
      return [before, try SQL("SELECT count(*) FROM former").first(former, as: Int.self)]
    }
    #expect(former == [1_000, 1_000])
    #expect(try texts("present", reader) == ["Vis"])
  }

  @Test func `Nothing of the former content remains after the log was moved`() throws {
    try target.replaceContent(by: source)
    #expect(try target.moveWholeLog())
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let content = try Data(contentsOf: URL(filePath: folder.file(name)))
      #expect(content.range(of: Data("Kornati".utf8)) == nil, "\(name)")
    }
    #expect(try target.integrityProblems() == [])
  }

  @Test func `The commit counts as a change of everything`() throws {
    var changes: [ChangeSet] = []
    target.afterCommit = { changes.append($0) }
    try target.replaceContent(by: source)
    var region = Region()
    region.insert(table: "anything", column: "text")
    #expect(changes.map { region.cause(in: $0) } == ["the content of the file"])
  }

  @Test func `Inside a transaction and with other pages it is refused`() throws {
    let error = databaseError {
      try target.write { _ in try target.replaceContent(by: source) }
    }
    #expect(error?.code == .transaction)
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { try $0.execute("PRAGMA page_size = 1024") }
    let other = try Connection(folder.file("other.sqlite"), configuration: configuration)
    try other.execute("CREATE TABLE present (text TEXT)")
    #expect(databaseError { try target.replaceContent(by: other) }?.code == .readOnly)
    #expect(try texts("former", target).count == 1_000)
  }

  @Test func `No other connection writes between the decision and the replacement`() throws {
    var configuration = DatabaseConfiguration()
    configuration.busyTimeout = .zero
    let other = try Connection(folder.file("target.sqlite"), configuration: configuration)
    for isWanted in [false, true] {
      var (count, isBusy) = (0, false)
      try target.replaceContent(by: source) {
        count = try texts("former", other).count
        let error = databaseError { try other.write { _ = try SQL("DELETE FROM former").run($0) } }
        isBusy = error?.code == .busy
        return isWanted
      }
      #expect(count == 1_000 && isBusy)
      #expect(try texts(isWanted ? "present" : "former", other).count == (isWanted ? 1 : 1_000))
    }
  }

  @Test func `After an error of the decision, the file can be written and replaced`() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try target.replaceContent(by: source) { throw Refusal() }
    }
    try target.write { try SQL("DELETE FROM former").run($0) }
    #expect(try texts("former", target) == [])
    try target.replaceContent(by: source)
    #expect(try texts("present", target) == ["Vis"])
  }

  @Test func `The copies of migrations are deleted, and no other file`() throws {
    let names = ["target.sqlite.before-v2.backup", "target.sqlite.before-v3.backup.partial"]
    let others = ["target.sqlite.backup", "other.sqlite.before-v2.backup"]
    for name in names + others {
      try Data("Kornati".utf8).write(to: URL(filePath: folder.file(name)))
    }
    try target.removeMigrationBackups()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(left).isDisjoint(with: names) && Set(left).isSuperset(of: others))
  }

  @Test func `Reads that are not observed leave the region as it is`() throws {
    try target.read { reader in
      target.recordedRegion = Region()
      _ = try reader.unobserved { try SQL("SELECT text FROM former").first($0, as: String.self) }
      #expect(target.recordedRegion == Region())
      _ = try SQL("SELECT text FROM former").first(reader, as: String.self)
      #expect(target.recordedRegion != Region())
      target.recordedRegion = nil
    }
  }
}
