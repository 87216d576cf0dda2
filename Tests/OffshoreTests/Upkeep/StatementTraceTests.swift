import Synchronization
import TestSupport
import Testing

@testable import Offshore

struct StatementTraceTests {
  private final class Log: Sendable {
    private let statements = Mutex<[TracedStatement]>([])

    var all: [TracedStatement] { statements.withLock { $0 } }

    func statement(_ start: String) -> TracedStatement? { all.last { $0.sql.hasPrefix(start) } }

    @Sendable func append(_ statement: TracedStatement) {
      statements.withLock { $0.append(statement) }
    }
  }

  private let folder: TemporaryFolder
  private let log = Log()

  init() throws { folder = try TemporaryFolder() }

  private func connection(tracesValues: Bool = false) throws -> Connection {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    configuration.trace = log.append
    configuration.tracesValues = tracesValues
    let connection = try Connection(folder.file("a.sqlite"), configuration: configuration)
    try connection.execute(Charter.creation)
    return connection
  }

  @Test func `A statement is traced with its text, its rows and its duration`() throws {
    let connection = try connection()
    let charters = (0..<3).map { Charter("secret \($0)") }
    try connection.write { try Charter.insert(contentsOf: charters, $0) }
    _ = try connection.read { try Charter.where { $0.name == "secret 1" }.all($0) }
    _ = try connection.read { try Charter.all.all($0) }
    let insertions = log.all.filter { $0.sql.hasPrefix("INSERT") }
    #expect(insertions.map(\.rowCount) == [1, 1, 1])
    #expect(log.statement(Charter.all.sql.text)?.rowCount == 3)
    #expect(log.all.contains { $0.sql == "COMMIT" })
    #expect(log.all.allSatisfy { $0.duration >= .zero && $0.duration < .seconds(60) })
  }

  @Test func `No trace contains bound values`() throws {
    let connection = try connection()
    try connection.write { writer in
      try Charter("secret").insert(writer)
      try SQL("DELETE FROM charters WHERE name = \("secret")").run(writer)
    }
    #expect(log.statement("DELETE")?.sql == "DELETE FROM charters WHERE name = ?")
    #expect(log.all.allSatisfy { $0.sqlWithValues == nil && !$0.sql.contains("secret") })
  }

  @Test func `Bound values are traced if the configuration enables them`() throws {
    let connection = try connection(tracesValues: true)
    try connection.write { try SQL("DELETE FROM charters WHERE name = \("secret")").run($0) }
    #expect(
      log.statement("DELETE")?.sqlWithValues == "DELETE FROM charters WHERE name = 'secret'")
  }

  @Test func `The changed rows of a statement are counted, including those of its triggers`() throws
  {
    let connection = try connection()
    try connection.execute(
      """
      CREATE TABLE log (name TEXT);
      CREATE TRIGGER noted AFTER UPDATE ON charters BEGIN INSERT INTO log VALUES (new.name); END
      """)
    try connection.write { writer in
      try Charter.insert(contentsOf: [Charter("a"), Charter("b")], writer)
      try SQL("UPDATE charters SET guests = 7").run(writer)
    }
    #expect(log.all.count { $0.sql.hasPrefix("UPDATE") } == 1)
    #expect(log.statement("UPDATE")?.rowCount == 4)
  }

  @Test func `An iteration that ends early is traced with the rows that it read`() throws {
    struct Enough: Error {}

    let connection = try connection()
    try connection.write { try Charter.insert(contentsOf: [Charter("a"), Charter("b")], $0) }
    try connection.read { reader throws in
      _ = #expect(throws: Enough.self) { try Charter.all.forEach(reader) { _ in throw Enough() } }
    }
    #expect(log.statement(Charter.all.sql.text)?.rowCount == 1)
  }

  @Test func `Nested statements are traced separately`() throws {
    let connection = try connection()
    try connection.write { try Charter.insert(contentsOf: [Charter("a"), Charter("b")], $0) }
    try connection.read { reader in
      try Charter.all.forEach(reader) { _ in _ = try Charter.all.count(reader) }
    }
    let counts = log.all.filter { $0.sql.hasPrefix("SELECT count") }
    #expect(counts.map(\.rowCount) == [1, 1])
    #expect(log.statement(Charter.all.sql.text)?.rowCount == 2)
  }

  @Test func `All connections of a database are traced`() async throws {
    var configuration = DatabaseConfiguration()
    configuration.trace = log.append
    let database = try Database.temporary(configuration: configuration)
    try await database.write { try $0.run(Charter.creation) }
    _ = try await database.read { try Charter.all.all($0) }
    await database.close()
    #expect(log.statement("CREATE TABLE charters") != nil)
    #expect(log.statement(Charter.all.sql.text)?.rowCount == 0)
  }

  @Test func `A failing statement is traced`() throws {
    let connection = try connection()
    let charter = Charter("a")
    try? connection.write { writer in
      try charter.insert(writer)
      try charter.insert(writer)
    }
    #expect(log.all.filter { $0.sql.hasPrefix("INSERT") }.map(\.rowCount) == [1, 0])
  }
}
