import Foundation
import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

/// A row with few columns, for declarations of all kinds.
private struct Item: Record, Equatable {
  var key: Int64?
  var name: String
  var size: Double
  var owner: String?

  static let table = declared()

  static func declared(
    key: Column<Item, Nullable<Int64Codec>> = Column("key", \.key),
    name: Column<Item, StringCodec> = Column("name", \.name),
    size: Column<Item, DoubleCodec> = Column("size", \.size),
    owner: Column<Item, Nullable<StringCodec>> = Column("owner", \.owner)
  ) -> Table<Item> {
    Table("items", Item.init(key:name:size:owner:), key, name, size, owner)
  }
}

struct TableCreationTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("app.sqlite"))
  }

  /// Returns the lines of a declaration's statements, without irrelevant columns.
  private func lines(_ table: Table<Item>) throws -> [String] {
    let plain = [
      "CREATE TABLE \"items\" (", "\"key\" INTEGER", "\"name\" TEXT NOT NULL",
      "\"size\" REAL NOT NULL", "\"owner\" TEXT", ");",
    ]
    return try table.creationSQL.split(separator: "\n")
      .map { $0.trimmingCharacters(in: [" ", ","]) }.filter { !plain.contains($0) }
  }

  @Test func `Columns, types, and nullability come from properties`() throws {
    #expect(
      try Item.table.creationSQL == """
        CREATE TABLE "items" (
          "key" INTEGER,
          "name" TEXT NOT NULL,
          "size" REAL NOT NULL,
          "owner" TEXT
        );
        """)
  }

  @Test func `A single key is declared at its column`() throws {
    let table = Item.declared(name: Column("name", \.name).primaryKey())
    #expect(try lines(table) == ["\"name\" TEXT NOT NULL PRIMARY KEY"])
  }

  @Test func `An optional integer key is numbered by SQLite`() throws {
    let table = Item.declared(key: Column("key", \.key).primaryKey())
    #expect(try lines(table) == ["\"key\" INTEGER PRIMARY KEY"])
    try connection.write { try $0.create(table) }
    try connection.change("INSERT INTO items (name, size) VALUES ('a', 1), ('b', 2)")
    #expect(try connection.number("SELECT max(key) FROM items") == 2)
  }

  @Test func `Several key columns form one composite key`() throws {
    let table = Item.declared(
      name: Column("name", \.name).primaryKey(), size: Column("size", \.size).primaryKey())
    #expect(try lines(table) == ["PRIMARY KEY (\"name\", \"size\")"])
  }

  @Test func `All modifiers of a column are included`() throws {
    let name = Column<Item, StringCodec>("name", \.name).unique().default("it's")
      .check("length(name) < 80 -- letters").collate(.noCase)
    #expect(
      try lines(Item.declared(name: name)) == [
        "\"name\" TEXT NOT NULL UNIQUE DEFAULT 'it''s' CHECK (length(name) < 80) COLLATE NOCASE"
      ])
  }

  @Test func `A reference includes its actions`() throws {
    let owner = Column<Item, Nullable<StringCodec>>("owner", \.owner).references(
      "people", column: "id", onDelete: .setNull, onUpdate: .cascade, isDeferred: true)
    #expect(
      try lines(Item.declared(owner: owner)) == [
        "\"owner\" TEXT REFERENCES \"people\" (\"id\") ON DELETE SET NULL ON UPDATE CASCADE "
          + "DEFERRABLE INITIALLY DEFERRED"
      ])
  }

  @Test func `A reference to a primary key names only the table`() throws {
    let owner = Column<Item, Nullable<StringCodec>>("owner", \.owner).references("people")
    #expect(try lines(Item.declared(owner: owner)) == ["\"owner\" TEXT REFERENCES \"people\""])
  }

  @Test func `Indexes follow the table`() throws {
    let table = Item.declared(name: Column("name", \.name).indexed())
      .index(\.owner, \.size).index(\.size, name: "bySize", isUnique: true)
    #expect(
      try lines(table) == [
        "CREATE INDEX \"idx_items_name\" ON \"items\" (\"name\");",
        "CREATE INDEX \"idx_items_owner_size\" ON \"items\" (\"owner\", \"size\");",
        "CREATE UNIQUE INDEX \"bySize\" ON \"items\" (\"size\");",
      ])
  }

  @Test func `The index of a column ends with the key, unless SQLite appends it itself`()
    throws
  {
    let owner = Column<Item, Nullable<StringCodec>>("owner", \.owner).indexed()
    let keyed = Item.declared(name: Column("name", \.name).primaryKey(), owner: owner)
    let index = "CREATE INDEX \"idx_items_owner\" ON \"items\""
    #expect(try lines(keyed).last == "\(index) (\"owner\", \"name\");")
    #expect(try lines(keyed.withoutRowID()).last == "\(index) (\"owner\");")
    let numbered = Item.declared(key: Column("key", \.key).primaryKey(), owner: owner)
    #expect(try lines(numbered).last == "\(index) (\"owner\");")
  }

  @Test func `Options of a table follow its columns`() throws {
    let keyed = Item.declared(name: Column("name", \.name).primaryKey())
    #expect(try lines(keyed.strict().withoutRowID()).contains(") STRICT, WITHOUT ROWID;"))
    #expect(try lines(keyed.strict()).contains(") STRICT;"))
  }

  @Test func `Names with quotes are preserved`() throws {
    let table = Table(
      "a \"b\"", Item.init(key:name:size:owner:), Column("key", \Item.key),
      Column("it's; DROP TABLE x", \Item.name), Column("select", \Item.size),
      Column("ownér", \Item.owner))
    try connection.write { try $0.create(table) }
    let schema = try Schema(connection)
    #expect(schema.tables.map(\.name) == ["a \"b\""])
    #expect(
      schema.tables[0].columns.map(\.name)
        == ["key", "it's; DROP TABLE x", "select", "ownér"])
  }

  @Test(arguments: [0.0, -1.5, 1e300, -.infinity, .infinity])
  func `A default is the value that the column would store`(_ value: Double) throws {
    let table = Item.declared(size: Column("size", \.size).default(value))
    try connection.write { try $0.create(table) }
    try connection.change("INSERT INTO items (name) VALUES ('a')")
    #expect(try connection.fetch("SELECT size FROM items") { try $0.value(Double.self) } == [value])
  }

  @Test func `Creating a table twice is an error that names it`() throws {
    try connection.write { try $0.create(Item.table) }
    let error = databaseError { try connection.write { try $0.create(Item.table) } }
    #expect(error?.code == .invalidSQL)
    #expect(error?.message.contains("items") == true)
  }

  // MARK: - Contradictory declarations

  private func problem(_ table: Table<Item>) -> DatabaseError? {
    databaseError { _ = try table.creationSQL }
  }

  @Test func `An index over a property without a column is a problem`() {
    let table = Table(
      "items", { Item(key: nil, name: $0, size: 0, owner: nil) },
      Column("name", \Item.name))
    let error = databaseError { _ = try table.index(\.name, \.size).creationSQL }
    #expect(error?.code == .declaration)
    #expect(error?.table == "items")
  }

  @Test func `An index over nothing is a problem`() {
    #expect(problem(Item.table.index())?.code == .declaration)
  }

  @Test func `Two indexes of one name are a problem`() {
    let table = Item.table.index(\.name, name: "a").index(\.size, name: "a")
    #expect(problem(table)?.message.contains("“a”") == true)
  }

  @Test func `A type that a strict table does not have is a problem`() {
    let table = Item.declared(owner: Column("owner", \.owner).type("DATETIME")).strict()
    let error = problem(table)
    #expect(error?.code == .declaration)
    #expect(error?.column == "owner")
    #expect(error?.message.contains("DATETIME") == true)
  }

  @Test func `An optional key is a problem unless SQLite numbers it`() {
    #expect(problem(Item.declared(owner: Column("owner", \.owner).primaryKey()))?.column == "owner")
    let numbered = Item.declared(key: Column("key", \.key).primaryKey())
    #expect(problem(numbered) == nil)
    #expect(problem(numbered.withoutRowID())?.column == "key")
  }

  @Test func `A table without row ids needs a key`() {
    #expect(problem(Item.table.withoutRowID())?.code == .declaration)
  }

  @Test func `A default that cannot be stored is a problem`() {
    #expect(problem(Item.declared(size: Column("size", \.size).default(.nan)))?.column == "size")
  }

  @Test func `A column that is declared twice is a problem`() {
    #expect(problem(Item.declared(owner: Column("name", \.owner)))?.code == .declaration)
  }

  @Test func `A problem leaves the database unchanged`() throws {
    let error = databaseError { try connection.write { try $0.create(Item.table.withoutRowID()) } }
    #expect(error?.code == .declaration)
    #expect(try Schema(connection).tables.isEmpty)
  }
}
