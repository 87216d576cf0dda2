import Testing

@testable import Offshore

struct ConnectionTransactionTests {
  private struct Refusal: Error {}

  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws {
    test = try TestConnection("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
  }

  private func notes() throws -> [String] {
    try connection.texts("SELECT text FROM notes ORDER BY id")
  }

  private func add(_ text: String, _ writer: Writer) throws {
    try writer.run("INSERT INTO notes (text) VALUES (\(text))")
  }

  @Test func `The changes of a write are stored after it`() throws {
    try connection.write { try add("a", $0) }
    #expect(try notes() == ["a"])
  }

  @Test func `A write and a read return what their closures return`() throws {
    #expect(try connection.write { _ in 7 } == 7)
    #expect(try connection.read { _ in "x" } == "x")
  }

  @Test func `A write that throws stores nothing and throws the same error`() throws {
    #expect(throws: Refusal.self) {
      try connection.write { writer in
        try add("a", writer)
        throw Refusal()
      }
    }
    #expect(try notes().isEmpty)
    #expect(!connection.isInTransaction)
  }

  @Test func `After a write that threw, the next one succeeds`() throws {
    _ = try? connection.write { _ in throw Refusal() }
    try connection.write { try add("b", $0) }
    #expect(try notes() == ["b"])
  }

  @Test func `Only the savepoint that throws is undone`() throws {
    try connection.write { writer in
      try add("before", writer)
      #expect(throws: Refusal.self) {
        try writer.savepoint { writer in
          try add("inside", writer)
          throw Refusal()
        }
      }
      try add("after", writer)
    }
    #expect(try notes() == ["before", "after"])
  }

  @Test func `Savepoints nest, and undoing the outer one undoes the inner one`() throws {
    try connection.write { writer in
      try add("kept", writer)
      _ = try? writer.savepoint { writer in
        try add("outer", writer)
        try writer.savepoint { try add("inner", $0) }
        throw Refusal()
      }
      try writer.savepoint { writer in
        try add("outer 2", writer)
        _ = try? writer.savepoint { writer in
          try add("inner 2", writer)
          throw Refusal()
        }
      }
    }
    #expect(try notes() == ["kept", "outer 2"])
  }

  @Test func `A savepoint returns what its closure returns`() throws {
    #expect(try connection.write { writer in try writer.savepoint { _ in 3 } } == 3)
  }

  @Test func `A hundred nested savepoints are undone from the middle`() throws {
    func descend(_ depth: Int, _ writer: Writer) throws {
      guard depth < 100 else { return }
      try add("\(depth)", writer)
      if depth == 49 {
        _ = try? writer.savepoint { writer in
          try descend(depth + 1, writer)
          throw Refusal()
        }
      } else {
        try writer.savepoint { try descend(depth + 1, $0) }
      }
    }
    try connection.write { try descend(0, $0) }
    #expect(try notes().count == 50)
  }

  @Test(arguments: [
    "CREATE TABLE other (x)", "CREATE INDEX texts ON notes (text)", "ANALYZE",
    "DROP TABLE spare",
  ]) func `A savepoint is undone even if the schema changed since its statements were compiled`(
    sql: String
  ) throws {
    try connection.execute("CREATE TABLE spare (x)")
    try connection.execute("CREATE INDEX spares ON notes (text, id)")
    try connection.write { writer in
      for round in 0..<3 {
        #expect(throws: Refusal.self) {
          try writer.savepoint { writer in
            try add("undone \(round)", writer)
            try writer.run(SQL(raw: sql))
            throw Refusal()
          }
        }
        #expect(throws: Refusal.self) {
          try writer.savepoint { writer in
            try add("undone \(round)", writer)
            throw Refusal()
          }
        }
        try writer.savepoint { try add("kept \(round)", $0) }
      }
    }
    #expect(try notes() == ["kept 0", "kept 1", "kept 2"])
  }

  @Test func `A savepoint that cannot be undone undoes the whole write`() throws {
    let error = databaseError {
      try connection.write { writer in
        try add("before", writer)
        _ = try? writer.savepoint { writer in
          try add("half", writer)
          try connection.unguarded { _ = try connection.run("RELEASE offshore; RELEASE offshore") }
          throw Refusal()
        }
        try add("must not be stored on its own", writer)
      }
    }
    #expect(error?.code == .transaction)
    #expect(try notes().isEmpty)
    try connection.write { try add("next", $0) }
    #expect(try notes() == ["next"])
  }

  @Test func `A transaction inside another is an error that recommends savepoints`() throws {
    let error = try #require(
      databaseError {
        try connection.write { writer in try writer.connection.write { _ in } }
      })
    #expect(error.code == .transaction)
    #expect(error.message.contains("savepoint"))
    #expect(!connection.isInTransaction)
  }

  @Test(arguments: [
    "INSERT INTO notes (text) VALUES ('x')", "UPDATE notes SET text = ''", "DELETE FROM notes",
    "CREATE TABLE other (x)", "DROP TABLE notes", "PRAGMA user_version = 9",
    "INSERT INTO notes (text) VALUES ('x') RETURNING id",
  ]) func `A reader cannot write`(sql: String) throws {
    try connection.write { try add("a", $0) }
    let error = databaseError {
      try connection.read { reader in _ = try reader.connection.run(SQL(raw: sql)) }
    }
    #expect(error?.code == .readOnly)
    #expect(try notes() == ["a"])
    #expect(try connection.number("PRAGMA user_version") == 0)
  }

  @Test func `A read sees one snapshot while another connection writes`() throws {
    let other = try Connection(connection.path)
    try connection.read { _ in
      #expect(try notes().isEmpty)
      try other.write { try add("a", $0) }
      #expect(try notes().isEmpty)
    }
    #expect(try notes() == ["a"])
  }

  @Test func `A second writer waits no longer than the busy timeout`() throws {
    var configuration = DatabaseConfiguration()
    configuration.busyTimeout = .milliseconds(20)
    let other = try Connection(connection.path, configuration: configuration)
    try connection.write { writer in
      try add("a", writer)
      #expect(databaseError { try other.write { try add("b", $0) } }?.code == .busy)
    }
    #expect(try notes() == ["a"])
  }

  // MARK: - References

  @Test func `A dangling deferred reference fails the write`() throws {
    try makeDeferred()
    let error = databaseError {
      try connection.write { _ = try $0.run("INSERT INTO pages VALUES (1, 99)") }
    }
    #expect(error?.code == .danglingReference)
    #expect(try connection.number("SELECT count(*) FROM pages") == 0)
  }

  @Test func `A deferred reference may dangle until its row is inserted later in the write`() throws
  {
    try makeDeferred()
    try connection.write { writer in
      try writer.run("INSERT INTO pages VALUES (1, 99)")
      try writer.run("INSERT INTO notes VALUES (99, '')")
    }
    #expect(try connection.number("SELECT count(*) FROM pages") == 1)
  }

  @Test func `A reference that is not deferred is refused by its statement`() throws {
    try connection.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, note REFERENCES notes(id))")
    let error = databaseError {
      try connection.write { _ = try $0.run("INSERT INTO pages VALUES (1, 99)") }
    }
    #expect(error?.code == .constraint)
  }

  private func makeDeferred() throws {
    try connection.execute(
      """
      CREATE TABLE pages (
        id INTEGER PRIMARY KEY, note REFERENCES notes(id) DEFERRABLE INITIALLY DEFERRED)
      """)
  }

  // MARK: - Transactions that SQLite ends

  @Test func `A ROLLBACK by a conflict clause inside a write ends it with nothing stored`()
    throws
  {
    try connection.write { _ = try $0.run("INSERT INTO notes VALUES (1, 'first')") }
    let error = databaseError {
      try connection.write { writer in
        try add("lost", writer)
        _ = try? writer.run("INSERT OR ROLLBACK INTO notes VALUES (1, 'second')")
        try add("must not be stored on its own", writer)
      }
    }
    #expect(error?.code == .transaction)
    #expect(try notes() == ["first"])
  }

  @Test
  func `A ROLLBACK by a trigger ends the write, even if the closure ignores the error`()
    throws
  {
    try connection.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON notes WHEN new.text = 'bad'
      BEGIN SELECT RAISE(ROLLBACK, 'no'); END
      """)
    let error = databaseError {
      try connection.write { writer in
        try add("good", writer)
        _ = try? add("bad", writer)
      }
    }
    #expect(error?.code == .transaction)
    #expect(try notes().isEmpty)
    try connection.write { try add("next", $0) }
    #expect(try notes() == ["next"])
  }

  @Test func `A ROLLBACK inside a savepoint ends the whole write`() throws {
    try connection.write { _ = try $0.run("INSERT INTO notes VALUES (1, 'first')") }
    let error = databaseError {
      try connection.write { writer in
        try add("lost", writer)
        _ = try? writer.savepoint { writer in
          _ = try writer.run("INSERT OR ROLLBACK INTO notes VALUES (1, 'second')")
        }
        try add("lost too", writer)
      }
    }
    #expect(error?.code == .transaction)
    #expect(try notes() == ["first"])
  }

  // MARK: - Before release

  @Test func `A step before release runs inside the write, after its closure`() throws {
    connection.beforeRelease.append { try add("step", $0) }
    try connection.write { try add("closure", $0) }
    #expect(try notes() == ["closure", "step"])
  }

  @Test func `A step before release that throws undoes the write`() throws {
    connection.beforeRelease.append { _ in throw Refusal() }
    #expect(throws: Refusal.self) { try connection.write { try add("closure", $0) } }
    #expect(try notes().isEmpty)
  }

  @Test func `A step replaces the former one of the same name`() throws {
    connection.setStep(named: "note") { try add("former", $0) }
    connection.beforeRelease.append { try add("other", $0) }
    connection.setStep(named: "note") { try add("present", $0) }
    try connection.write { try add("closure", $0) }
    #expect(try notes() == ["closure", "present", "other"])
  }

  @Test func `A step before release cannot control the transaction, just like a closure`() throws {
    connection.beforeRelease.append { _ = try $0.connection.run("COMMIT") }
    #expect(databaseError { try connection.write { try add("closure", $0) } } != nil)
    #expect(try notes().isEmpty)
  }

  @Test func `A step before release does not run if the closure threw`() throws {
    let runs = Counter()
    connection.beforeRelease.append { _ in runs.increase() }
    _ = try? connection.write { _ in throw Refusal() }
    #expect(runs.value == 0)
  }

  @Test func `A reference that a step before release leaves dangling fails the write`()
    throws
  {
    try makeDeferred()
    connection.beforeRelease.append { _ = try $0.run("INSERT INTO pages VALUES (1, 99)") }
    #expect(databaseError { try connection.write { _ in } }?.code == .danglingReference)
    #expect(try connection.number("SELECT count(*) FROM pages") == 0)
  }

  @Test func `A cancelled write stops at its next statement, and stores nothing`()
    throws
  {
    let flag = CancellationFlag()
    connection.cancellation = flag
    #expect(throws: CancellationError.self) {
      try connection.write { writer in
        try add("a", writer)
        flag.set()
        try add("b", writer)
      }
    }
    connection.cancellation = nil
    #expect(try notes().isEmpty)
  }
}
