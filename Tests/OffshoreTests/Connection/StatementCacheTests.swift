import Foundation
import TestSupport
import Testing

@testable import Offshore

struct StatementCacheTests {
  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws {
    test = try TestConnection("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
  }

  private func statement(_ sql: String) throws -> Statement { try connection.prepare(sql).0 }

  @Test func `A statement is found by its text`() throws {
    var cache = StatementCache(capacity: 2)
    let one = try statement("SELECT 1")
    cache.insert(one)
    #expect(cache.statement(for: "SELECT 1") === one)
    #expect(cache.statement(for: "SELECT 2") == nil)
  }

  @Test func `Beyond the capacity, the least recently used statement is removed`() throws {
    var cache = StatementCache(capacity: 2)
    for number in [1, 2, 1, 3] {
      let sql = "SELECT \(number)"
      if cache.statement(for: sql) == nil { cache.insert(try statement(sql)) }
    }
    #expect(cache.count == 2)
    #expect(cache.statement(for: "SELECT 1") != nil)
    #expect(cache.statement(for: "SELECT 2") == nil)
    #expect(cache.statement(for: "SELECT 3") != nil)
  }

  @Test func `A running statement is not returned again`() throws {
    var cache = StatementCache(capacity: 2)
    let one = try statement("SELECT 1")
    cache.insert(one)
    one.isBusy = true
    #expect(cache.statement(for: "SELECT 1") == nil)
    one.isBusy = false
    #expect(cache.statement(for: "SELECT 1") === one)
  }

  @Test func `The first of two statements with one text stays`() throws {
    var cache = StatementCache(capacity: 2)
    let (first, second) = (try statement("SELECT 1"), try statement("SELECT 1"))
    cache.insert(first)
    cache.insert(second)
    #expect(cache.statement(for: "SELECT 1") === first)
  }

  @Test func `Only the cached statement is removed, not another of its text`() throws {
    var cache = StatementCache(capacity: 2)
    let (first, second) = (try statement("SELECT 1"), try statement("SELECT 1"))
    cache.insert(first)
    cache.remove(second)
    #expect(cache.count == 1)
    cache.remove(first)
    #expect(cache.count == 0)
  }

  @Test(arguments: [0, -5]) func `A cache holds at least one statement`(capacity: Int) throws {
    var cache = StatementCache(capacity: capacity)
    cache.insert(try statement("SELECT 1"))
    #expect(cache.count == 1)
  }

  @Test func `A connection prepares a repeated text once`() throws {
    try connection.write { _ in
      let text = "SELECT text FROM notes"
      let first = try connection.statement(text).0
      #expect(try connection.statement(text).0 === first)
    }
  }

  @Test func `A query can run inside the same query`() throws {
    try connection.write { writer in
      for text in ["a", "b"] { try writer.run("INSERT INTO notes (text) VALUES (\(text))") }
    }
    let sql: SQL = "SELECT text FROM notes ORDER BY id"
    let pairs = try connection.read { _ in
      try connection.fetch(sql) { row in
        let outer = try row.value(String.self)
        return try connection.texts(sql).map { outer + $0 }
      }
    }
    #expect(pairs == [["aa", "ab"], ["ba", "bb"]])
  }

  @Test func `A change of the schema by this connection empties the cache`() throws {
    try connection.write { writer in
      for number in 0..<10 {
        _ = try connection.texts("SELECT text FROM notes WHERE id > \(raw(number))")
      }
      #expect(connection.cache.count >= 10)
      try writer.run("ALTER TABLE notes ADD COLUMN extra")
      #expect(connection.cache.count <= 1)
    }
  }

  private func raw(_ number: Int) -> SQL { SQL(raw: "\(number)") }

  @Test
  func `A statement that another connection's schema change affects is analyzed again`()
    throws
  {
    let sql: SQL = "SELECT * FROM notes"
    try connection.read { _ in _ = try connection.fetch(sql) { _ in } }
    try Connection(connection.path).execute("ALTER TABLE notes ADD COLUMN extra TEXT")
    try connection.read { _ in _ = try connection.fetch(sql) { _ in } }
    try connection.read { _ in
      let region = try connection.statement(sql.text).0.region
      #expect(region.columns["notes"]?.contains("extra") == true)
    }
  }

  @Test func `A trigger that another connection adds is considered from the first statement on`()
    throws
  {
    var changes: [Set<String>] = []
    connection.afterCommit = { changes.append(Set($0.tables.keys)) }
    let insert: SQL = "INSERT INTO notes (text) VALUES ('a')"
    try connection.write { _ = try $0.run(insert) }
    let other = try Connection(connection.path)
    try other.execute("CREATE TABLE log (text TEXT)")
    try other.execute(
      "CREATE TRIGGER keep AFTER INSERT ON notes BEGIN INSERT INTO log VALUES (new.text); END")
    try connection.write { _ = try $0.run(insert) }
    #expect(changes == [["notes"], ["notes", "log"]])
  }

  @Test
  func `A trigger that another connection adds is considered by an update that names its rows`()
    throws
  {
    var changes: [ChangeSet] = []
    try connection.write { _ = try $0.run("INSERT INTO notes VALUES (1, 'a')") }
    connection.afterCommit = { changes.append($0) }
    let update: SQL = "UPDATE notes SET text = 'b' WHERE id = 1"
    try connection.write { _ = try $0.run(update) }
    let other = try Connection(connection.path)
    try other.execute("CREATE TABLE log (text TEXT PRIMARY KEY) WITHOUT ROWID")
    try other.execute(
      "CREATE TRIGGER keep AFTER UPDATE ON notes BEGIN INSERT INTO log VALUES (new.text); END")
    try connection.write { _ = try $0.run(update) }
    #expect(changes.map { Set($0.tables.keys) } == [["notes"], ["notes", "log"]])
  }

  @Test func `The statements of a table survive a change of the schema`() throws {
    try connection.execute(Charter.creation)
    let (first, second) = (Charter("a"), Charter("b"))
    try connection.write { try first.insert($0) }
    try Connection(connection.path).execute("ALTER TABLE charters ADD COLUMN extra")
    try connection.write { try second.insert($0) }
    #expect(try connection.read { try Charter.find(second.id).first($0) } == second)
  }

  @Test func `A single row is decoded by name even if columns change places between two runs`()
    throws
  {
    try connection.execute(Charter.creation)
    let charter = Charter("Alma", location: "Biograd")
    try connection.write { try charter.insert($0) }
    let sql: SQL = "SELECT * FROM charters"
    #expect(try connection.read { try sql.first($0, as: Charter.self) } == charter)
    let other = try Connection(connection.path)
    try other.execute(
      """
      CREATE TABLE moved AS SELECT id, location AS x, name AS y, startDate, guests FROM charters;
      DROP TABLE charters;
      ALTER TABLE moved RENAME COLUMN x TO location;
      ALTER TABLE moved RENAME COLUMN y TO name;
      ALTER TABLE moved RENAME TO charters
      """)
    #expect(try connection.read { try sql.first($0, as: Charter.self) } == charter)
  }

  @Test func `A fetch that another connection's new column order would break is repeated`() throws {
    try connection.execute(Charter.creation)
    let charter = Charter("Alma")
    try connection.write { try charter.insert($0) }
    let sql: SQL = "SELECT * FROM charters"
    _ = try connection.read { try sql.all($0, as: Charter.self) }
    try Connection(connection.path).execute(
      """
      CREATE TABLE moved AS SELECT guests, startDate, location, name, id FROM charters;
      DROP TABLE charters;
      ALTER TABLE moved RENAME TO charters
      """)
    #expect(try connection.read { try sql.all($0, as: Charter.self) } == [charter])
  }

  private struct Computed: Record {
    let id: Int
    static var table: Table<Computed> {
      Table("computed", Computed.init, Column("id", \.id).primaryKey())
    }
  }

  @Test func `A table that is declared again each time does not fill the memory with statements`()
    throws
  {
    try connection.execute("CREATE TABLE computed (id INTEGER PRIMARY KEY NOT NULL)")
    try connection.write { writer in
      for id in 0..<1000 { try Computed(id: id).insert(writer) }
    }
    #expect(connection.repeated.count <= 600)
    #expect(connection.cache.count <= 128)
    #expect(try connection.number("SELECT count(*) FROM computed") == 1000)
  }
}

/// Statements that a connection finds by an index instead of a text.
struct RepeatedStatementsTests {
  /// A row with so many columns that their sets exceed the connection's cache.
  private struct Wide: Record, Equatable {
    let area: String
    let number: Int
    var a = 0
    var b = 0
    var c = 0
    var d = 0
    var e = 0
    var f = 0
    var g = 0
    var h = 0
    var i = 0
    var note: Double = 0

    static let table = Table(
      "wides", Wide.init(area:number:a:b:c:d:e:f:g:h:i:note:),
      Column("area", \.area).primaryKey(), Column("number", \.number).primaryKey(),
      Column("a", \.a), Column("b", \.b), Column("c", \.c), Column("d", \.d), Column("e", \.e),
      Column("f", \.f), Column("g", \.g), Column("h", \.h), Column("i", \.i),
      Column("note", \.note))

    /// Returns the row with 1 in the columns of a number's bits.
    func with(_ bits: Int) -> Wide {
      func bit(_ place: Int) -> Int { bits >> place & 1 }
      return Wide(
        area: area, number: number, a: bit(0), b: bit(1), c: bit(2), d: bit(3), e: bit(4),
        f: bit(5), g: bit(6), h: bit(7), i: bit(8))
    }
  }

  private let folder: TemporaryFolder
  private let connection: Connection
  private let row = Wide(area: "Kornati", number: 1)

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("a.sqlite"))
    try connection.write { writer in
      try writer.create(Wide.table)
      try row.insert(writer)
      try Wide(area: "Kornati", number: 2, note: 7).insert(writer)
    }
  }

  private func rows() throws -> [Wide] {
    try connection.read { try Wide.order { $0.number }.all($0) }
  }

  @Test
  func `Each set of changed columns is written, and only a limited number of statements is cached`()
    throws
  {
    var current = row
    for bits in 1..<512 {
      let next = row.with(bits)
      try connection.write { try current.update(changing: next, $0) }
      current = next
      #expect(try rows() == [next, Wide(area: "Kornati", number: 2, note: 7)])
    }
    // All sets, from all columns to none.
    for bits in stride(from: 511, to: 0, by: -7) {
      try connection.write { writer in
        try current.update(changing: row, writer)
        try row.update(changing: row.with(bits), writer)
      }
      current = row.with(bits)
    }
    #expect(try rows().first == current)
    #expect(connection.repeated.count < 300)
  }

  @Test func `A statement is cached until the schema changes`() throws {
    try connection.write { try row.update(changing: row.with(1), $0) }
    let count = connection.repeated.count
    try connection.write { try row.with(1).update(changing: row.with(0), $0) }
    #expect(connection.repeated.count == count)
    try connection.execute("ALTER TABLE wides ADD COLUMN z")
    #expect(connection.repeated.count < count)
    try connection.write { try row.update(changing: row.with(2), $0) }
    #expect(try rows().first == row.with(2))
  }

  @Test func `A deletion deletes only the row of the whole key`() throws {
    #expect(try connection.write { try row.delete($0) })
    #expect(try rows().map(\.number) == [2])
    #expect(try !connection.write { try row.delete($0) })
    #expect(try !connection.write { try Wide(area: "Vis", number: 2).delete($0) })
  }

  @Test func `A value that cannot be stored is refused with its column, and the key`() throws {
    var broken = row.with(1)
    broken.note = .nan
    let error = databaseError { try connection.write { try row.update(changing: broken, $0) } }
    #expect(error?.code == .invalidValue && error?.table == "wides" && error?.column == "note")
    #expect(error?.rowKey == [.text("Kornati"), .integer(1)])
    #expect(try rows().first == row)
  }

  @Test func `A statement that runs is not used a second time at once`() throws {
    try connection.execute(
      """
      CREATE TRIGGER wides_follow AFTER UPDATE OF a ON wides WHEN new.number = 1 BEGIN
        UPDATE wides SET a = new.a WHERE number = 2;
      END
      """)
    try connection.write { try row.update(changing: row.with(1), $0) }
    #expect(try rows().map(\.a) == [1, 1])
  }
}
