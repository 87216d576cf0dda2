import Foundation
import TestSupport
import Testing

@testable import Offshore

/// Text indexes of tables with keys of all kinds.
struct TextIndexKeyTests {
  private let fixture: TextSearchFixture
  private var connection: Connection { fixture.connection }

  init() throws { fixture = try TextSearchFixture() }

  private func labels(_ text: String) throws -> [String] {
    try connection.read { reader throws in
      try Label.matching(text, in: Label.text).order { [$0.group.ascending, $0.number.ascending] }
        .all(reader).map { "\($0.group)\($0.number)" }
    }
  }

  @Test func `The index follows changes of a key of two columns without row ids`() throws {
    try connection.write { writer throws in
      for number in 1...3 { try Label(group: "a", number: number, words: "tea").insert(writer) }
      try writer.run("UPDATE labels SET number = number + 10, words = 'rye' WHERE number > 1")
    }
    #expect(try labels("tea") == ["a1"] && labels("rye") == ["a12", "a13"])
    try connection.change("UPDATE OR REPLACE labels SET number = 1 WHERE number = 12")
    #expect(try labels("tea").isEmpty && labels("rye") == ["a1", "a13"])
    try connection.change("DELETE FROM labels WHERE number = 1")
    #expect(try labels("rye") == ["a13"])
    try fixture.verify()
  }

  @Test func `Keys are compared by the rules of their columns`() throws {
    try connection.write { try Label(group: "Tee", number: 1, words: "tea").insert($0) }
    try connection.change("INSERT OR REPLACE INTO labels VALUES ('TEE', 1, 'rye')")
    #expect(try labels("tea").isEmpty && labels("rye") == ["TEE1"])
    try connection.change("UPDATE labels SET \"group\" = 'tee'")
    #expect(try labels("rye") == ["tee1"])
    try fixture.verify()
  }

  @Test func `Rows that are deleted by a cascade are not found any more`() throws {
    try connection.write { writer throws in
      try Recipe(1, "bread").insert(writer)
      for id in [1, nil] { try Remark(id: UUID(), text: "good", recipeID: id).insert(writer) }
      try Recipe.find(1).delete(writer)
      #expect(try Remark.matching("good", in: Remark.index).count(writer) == 1)
    }
    try fixture.verify()
  }

  @Test func `A row without a key is not indexed, and does not affect others`() throws {
    try connection.change(
      """
      DROP TABLE remarks;
      CREATE TABLE remarks (id TEXT PRIMARY KEY, text TEXT, recipeID INTEGER);
      INSERT INTO remarks VALUES (NULL, 'first', NULL)
      """)
    try connection.write { try $0.rebuild(Remark.index) }
    try connection.write { writer throws in
      try Remark(id: UUID(), text: "tea").insert(writer)
      try writer.run("INSERT INTO remarks VALUES (NULL, 'tea', NULL), (NULL, 'tea', NULL)")
      try writer.run("UPDATE remarks SET text = 'bad tea' WHERE id IS NULL")
      #expect(try Remark.matching("tea", in: Remark.index).count(writer) == 1)
      try writer.run("DELETE FROM remarks WHERE id IS NULL")
    }
    try fixture.verify()
  }

  @Test func `Texts are found whatever the names of the table and its columns`() throws {
    try connection.change(
      "CREATE TABLE \"it's \"\"odd\"\"\" (id INTEGER PRIMARY KEY, \"the \"\"text\" TEXT NOT NULL)")
    try connection.write { writer throws in
      try writer.create(Odd.words)
      for (id, text) in ["tea", "rye bread"].enumerated() {
        try Odd(id: id, text: text).insert(writer)
      }
      #expect(try Odd.matching("bre", in: Odd.words).limit(5).all(writer).map(\.id) == [1])
      #expect(try Odd.matching("tea", in: Odd.words).byRank().all(writer).map(\.id) == [0])
      try writer.run("DELETE FROM \"it's \"\"odd\"\"\" WHERE id = 1")
      #expect(try Odd.matching("bread", in: Odd.words).count(writer) == 0)
      try writer.verify(Odd.words)
    }
  }

  // MARK: - Renaming

  @Test func `A renamed table has its index after it was dropped before and created again`() throws
  {
    let first = Migration("v2") { writer throws in
      try writer.create(Former.table)
      try Former(id: "a", text: "tea").insert(writer)
      try writer.create(Former.words)
    }
    try connection.migrate(Migrations(Self.shared + [first]))
    try connection.migrate(
      Migrations(
        Self.shared + [
          first,
          Migration("v3") { writer throws in
            try writer.drop(Former.words)
            try writer.run("ALTER TABLE former RENAME TO present")
            try writer.create(Present.words)
          },
        ]))
    try connection.write { writer throws in
      try Present(id: "b", text: "tea").insert(writer)
      let found = Present.matching("tea", in: Present.words).order { $0.id }
      #expect(try found.all(writer).map(\.id) == ["a", "b"])
      try writer.verify(Present.words)
    }
    #expect(
      try connection.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%former%'").isEmpty)
  }

  /// The migration of the fixture's file, by name.
  private static let shared = [Migration("v1") { _ in }]

  // MARK: - Conflict clauses

  @Test func `With the index rows are inserted by OR FAIL, and with another trigger they are not`()
    throws
  {
    #expect(connection.allowsOrFail("recipes") && connection.allowsOrFail("remarks"))
    try connection.change("CREATE TRIGGER other AFTER INSERT ON recipes BEGIN SELECT 1; END")
    #expect(!connection.allowsOrFail("recipes"))
  }

  @Test func `A trigger that runs at deletions only does not prevent OR FAIL`() throws {
    try connection.change(
      #"CREATE TRIGGER "insert" AFTER DELETE ON recipes BEGIN SELECT 'INSERT'; END"#)
    #expect(connection.allowsOrFail("recipes"))
    try connection.change("CREATE TRIGGER 'delete' BEFORE UPDATE ON recipes BEGIN SELECT 1; END")
    #expect(!connection.allowsOrFail("recipes"))
  }

  @Test func `A refused row leaves nothing in the index`() throws {
    try connection.write { writer throws in
      try Recipe(1, "bread").insert(writer)
      #expect(throws: DatabaseError.self) { try Recipe(1, "tea").insert(writer) }
      #expect(throws: DatabaseError.self) {
        try Remark(id: UUID(), text: "tea", recipeID: 1).insert(writer)
        try Label(group: "a", number: 1, words: "tea").insert(writer)
        try Label(group: "A", number: 1, words: "rye").insert(writer)
      }
      #expect(try Recipe.matching("tea", in: Recipe.text).count(writer) == 0)
      #expect(try Label.matching("rye", in: Label.text).count(writer) == 0)
    }
    try fixture.verify()
  }
}

/// A record whose names need quotes.
private struct Odd: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var text: String

  static let table = Table(
    "it's \"odd\"", Odd.init(id:text:), Column("id", \.id).primaryKey(),
    Column("the \"text", \.text))

  static let words = TextIndex(of: table, \.text)
}

/// A record of a table before it is renamed.
private struct Former: Identifiable, Equatable, Sendable, Record {
  let id: String
  var text: String

  static let table = Table(
    "former", Former.init(id:text:), Column("id", \.id).primaryKey(), Column("text", \.text))

  static let words = TextIndex(of: table, \.text)
}

/// The same record after the renaming.
private struct Present: Identifiable, Equatable, Sendable, Record {
  let id: String
  var text: String

  static let table = Table(
    "present", Present.init(id:text:), Column("id", \.id).primaryKey(), Column("text", \.text))

  static let words = TextIndex(of: table, \.text)
}
