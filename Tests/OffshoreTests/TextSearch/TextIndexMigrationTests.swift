import Foundation
import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

struct TextIndexMigrationTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("app.sqlite"))
  }

  private static let first = Migration("v1") { writer in
    try writer.create(Recipe.table)
    try Recipe(1, "bread", "rye").insert(writer)
    try writer.create(Recipe.text)
  }

  private func migrate(_ body: @escaping @Sendable (Writer) throws -> Void) throws {
    try connection.migrate([Self.first, Migration("v2", body)])
  }

  private func ids(_ text: String) throws -> [Int] {
    try connection.read { try Recipe.matching(text, in: Recipe.text).all($0) }.map(\.id)
  }

  @Test func `Existing rows are indexed`() throws {
    try connection.migrate([Self.first])
    #expect(try ids("bread") == [1])
  }

  @Test func `Changes of rows by a migration are indexed`() throws {
    try migrate { writer in
      try writer.run("UPDATE recipes SET title = 'tea'")
      try writer.run("INSERT INTO recipes VALUES (2, 'tea', NULL, 0.0, 0)")
    }
    #expect(try ids("tea") == [1, 2] && ids("bread").isEmpty)
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test func `An index of other columns replaces the former`() throws {
    try migrate { try $0.create(TextIndex(of: Recipe.table, \.title)) }
    #expect(try ids("bread") == [1] && ids("rye").isEmpty)
    try connection.migrate([
      Self.first, Migration("v2") { _ in }, Migration("v3") { try $0.create(Recipe.text) },
    ])
    #expect(try ids("rye") == [1])
  }

  @Test func `A rebuilt table gets a new index`() throws {
    try migrate { writer in
      try writer.rebuild(
        "recipes",
        as: """
          CREATE TABLE recipes (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, date REAL NOT NULL, isDone INTEGER NOT NULL)
          """, copying: ["title": "upper(title) || ' rolls'"])
    }
    #expect(try ids("rolls") == [1])
    try connection.write { try Recipe(2, "rolls").insert($0) }
    #expect(try ids("rolls") == [1, 2])
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test func `A table that a migration recreates by SQL gets a new index`() throws {
    try migrate { writer in
      try writer.run("CREATE TABLE old AS SELECT * FROM recipes")
      try writer.run("DROP TABLE recipes")
      try writer.create(Recipe.table)
      try writer.run("INSERT INTO recipes SELECT id, 'tea', note, date, isDone FROM old")
      try writer.run("DROP TABLE old")
    }
    #expect(try ids("tea") == [1] && ids("bread").isEmpty)
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test func `Dropping a table drops its index`() throws {
    try migrate { try $0.run("DROP TABLE recipes") }
    #expect(try connection.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%text%'").isEmpty)
    let error = databaseError {
      _ = try connection.read { try Recipe.matching("a", in: Recipe.text).count($0) }
    }
    #expect(error?.code == .invalidSQL)
  }

  @Test func `Searching after an index was dropped reports that it is missing`() throws {
    try migrate { try $0.drop(Recipe.text) }
    let error = databaseError { _ = try ids("bread") }
    #expect(error?.code == .invalidSQL)
    #expect(
      error?.message
        == "The file has no text index of “recipes”. Create it in a migration by create(_:).")
    try connection.write { try Recipe(2, "bread").insert($0) }
  }

  @Test func `An indexed column cannot be dropped before the index`() throws {
    let error = databaseError { try migrate { try $0.run("ALTER TABLE recipes DROP COLUMN note") } }
    #expect(error?.message.contains("A text index is in the way") == true)
    #expect(error?.message.contains("Drop it before, by drop(_:), and create it anew.") == true)
    let rebuilt = databaseError {
      try migrate {
        try $0.rebuild(
          "recipes", as: "CREATE TABLE recipes (id INTEGER PRIMARY KEY, title TEXT, date REAL)")
      }
    }
    #expect(
      rebuilt?.message.contains("The text index has column “note”, which the table lacks.") == true)
  }

  @Test func `Declarations are checked`() throws {
    try connection.migrate([Self.first])
    func message(_ index: TextIndex<Recipe>) -> String? {
      databaseError { try connection.write { try $0.create(index) } }?.message
    }
    #expect(
      message(TextIndex(of: Recipe.table, \.title, \.title))?.contains("each column once") == true)
    #expect(
      message(TextIndex(of: Recipe.table, \.upper))?.contains("covers columns of texts") == true)
    #expect(message(Recipe.text.weight(\.title, -1))?.contains("A weight is for a column") == true)
    let error = databaseError {
      _ = try connection.read {
        try Recipe.matching("a", in: TextIndex(of: Recipe.table, \.upper)).all($0)
      }
    }
    #expect(error?.code == .declaration)
  }

  @Test func `Tables without a key and missing tables have no index`() throws {
    try connection.change("CREATE TABLE labels (\"group\" TEXT, number INTEGER, words TEXT)")
    let error = databaseError { try connection.write { try $0.create(Label.text) } }
    #expect(error?.message.contains("A text index finds rows by their primary key.") == true)
    let missing = databaseError { try connection.write { try $0.create(Recipe.text) } }
    #expect(missing?.code == .notFound)
    #expect(missing?.message == "There is no such table. Create it before its text index.")
  }

  @Test func `A snapshot contains the index, and a proof compares and checks it`() throws {
    try connection.migrate([Self.first])
    let schema = try connection.read { try Schema($0) }
    #expect(schema.tables.map(\.name) == ["recipes"])
    #expect(schema.objects.map(\.name) == ["recipes"])
    #expect(schema.description.contains("text index recipes\n  title, note"))
    let snapshot = try connection.read { try SchemaSnapshot($0) }
    let proof = MigrationProof([Self.first, Migration("v2") { _ in }], records: [Recipe.self])
    let problems = try proof.problems(startingFrom: ["1": snapshot], in: folder.path) { _, writer in
      try Recipe(7, "tea").insert(writer)
    }
    #expect(problems.isEmpty, "\(problems)")
    let without = try MigrationProof([Migration("v1") { try $0.create(Recipe.table) }], records: [])
      .problems(startingFrom: ["1": snapshot], in: folder.path) { try Recipe(7, $0).insert($1) }
    #expect(without.contains { $0.contains("text index recipes") })
  }
}

extension Recipe {
  /// Not a column.
  fileprivate var upper: String { title.uppercased() }
}
