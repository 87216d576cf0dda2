import Foundation
import TestSupport
import Testing

@testable import Offshore

@Suite(.timeLimit(.minutes(2)))
struct TextIndexTests {
  private static let words = [
    "bread", "tea", "Ёлка", "елка", "чай", "crème", "rye", "salt", "oil", "brew",
  ]

  /// Returns the recipes that a search finds, by a scan of all rows.
  private static func scan(_ recipes: [Recipe], _ word: String) -> [Int] {
    func plain(_ word: some StringProtocol) -> String {
      String(word).lowercased().replacing("ё", with: "е").replacing("è", with: "e")
    }
    return recipes.filter { recipe in
      "\(recipe.title) \(recipe.note ?? "")".split(separator: " ").contains {
        plain($0).hasPrefix(plain(word))
      }
    }.map(\.id).sorted()
  }

  private func expectEqual(_ fixture: TextSearchFixture) throws {
    let recipes = try fixture.connection.read { try Recipe.all.all($0) }
    for word in Self.words + ["b", "br"] {
      #expect(try fixture.ids(word) == Self.scan(recipes, word), "\(word)")
    }
    let remarks = try fixture.connection.read { try Remark.all.all($0) }
    let found = try fixture.connection.read { try Remark.matching("tea", in: Remark.index).all($0) }
    #expect(
      Set(found.map(\.id))
        == Set(remarks.filter { $0.text.split(separator: " ").contains("tea") }.map(\.id)))
    try fixture.verify()
  }

  private struct Undone: Error {}

  /// Makes one random change of the rows.
  private func change(_ writer: Writer, _ random: inout SeededRandom) throws {
    func text() -> String {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Self.words.randomElement(using: &random) ?? ""
      }
      .joined(separator: " ")
    }
    let recipe = Recipe(
      Int.random(in: 1...60, using: &random), text(), Bool.random(using: &random) ? text() : nil)
    let (title, id) = (recipe.title, recipe.id)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: try recipe.insertIfAbsent(writer)
    case 2: try recipe.save(writer)
    case 3: _ = try Recipe.find(recipe.id).delete(writer)
    case 4: _ = try Recipe.where { $0.id == id }.update(writer) { [$0.title.set(title)] }
    case 5: try writer.run("INSERT OR REPLACE INTO recipes VALUES (\(id), \(title), NULL, 0.0, 0)")
    case 6:
      try writer.run(
        "UPDATE OR REPLACE recipes SET id = \(id), title = \(title) WHERE id = \(id + 1)")
    case 7: try writer.run("UPDATE OR IGNORE recipes SET id = id + 1 WHERE id > 55")
    case 8: try Remark(id: UUID(), text: text(), recipeID: nil).insert(writer)
    case 9:
      guard try Recipe.find(recipe.id).exists(writer) else { return }
      try Remark(id: UUID(), text: text(), recipeID: recipe.id).insert(writer)
    case 10:
      try writer.run(
        """
        UPDATE remarks SET id = \(UUID()), text = text || ' tea'
        WHERE rowid = (SELECT min(rowid) FROM remarks WHERE recipeID = \(id))
        """)
    default:
      try? writer.savepoint { writer in
        try writer.run("DELETE FROM recipes WHERE id < \(id)")
        _ = try Recipe.matching("tea", in: Recipe.text).count(writer)
        throw Undone()
      }
    }
  }

  @Test func `An index equals a scan of all rows after 10,000 random changes`() throws {
    let fixture = try TextSearchFixture()
    var random = SeededRandom(seed: 5)
    for round in 0..<40 {
      for _ in 0..<25 {
        try? fixture.connection.write { writer in
          for _ in 0..<10 { try change(writer, &random) }
          if Int.random(in: 0..<5, using: &random) == 0 { throw Undone() }
        }
      }
      if round % 10 == 5 { try fixture.connection.execute("VACUUM") }
      if round % 8 == 0 { try expectEqual(fixture) }
    }
    try expectEqual(fixture)
  }

  @Test func `VACUUM preserves the identity of rows in a table without numbers`() throws {
    let fixture = try TextSearchFixture()
    try fixture.connection.write { writer in
      for number in 0..<100 { try Remark(id: UUID(), text: "word\(number)").insert(writer) }
      try writer.run("DELETE FROM remarks WHERE rowid % 3 = 0")
    }
    try fixture.connection.execute("VACUUM")
    try fixture.connection.read { reader throws in
      for remark in try Remark.all.all(reader) {
        #expect(
          try Remark.matching(remark.text, in: Remark.index, words: .whole).all(reader) == [
            remark
          ])
      }
    }
    try fixture.verify()
  }

  @Test func `Changes of texts by triggers of the app are indexed`() throws {
    let fixture = try TextSearchFixture()
    try fixture.connection.change(
      """
      CREATE TRIGGER trimmed AFTER INSERT ON recipes BEGIN
        UPDATE recipes SET title = 'trimmed' WHERE id = new.id;
      END;
      CREATE TRIGGER changed AFTER UPDATE OF title ON recipes WHEN new.title = 'a' BEGIN
        UPDATE recipes SET title = 'b' WHERE id = new.id;
      END
      """)
    try fixture.connection.write { try Recipe(1, "rough").insert($0) }
    #expect(try fixture.ids("rough").isEmpty && fixture.ids("trimmed") == [1])
    try fixture.connection.change("UPDATE recipes SET title = 'a'")
    #expect(try fixture.ids("a").isEmpty && fixture.ids("b") == [1])
    try fixture.verify()
  }

  @Test func `A write finds its own changes`() throws {
    let fixture = try TextSearchFixture([Recipe(1, "old")])
    try fixture.connection.write { writer throws in
      try Recipe(1, "new").save(writer)
      #expect(try Recipe.matching("new", in: Recipe.text).count(writer) == 1)
      #expect(try Recipe.matching("old", in: Recipe.text).count(writer) == 0)
    }
  }

  @Test func `Removed rows are found again once they are restored`() throws {
    let fixture = try TextSearchFixture([Recipe(1, "bread")])
    let removed = try fixture.connection.write { try $0.remove(Recipe.find(1)) }
    #expect(try fixture.ids("bread").isEmpty)
    try fixture.connection.write { try removed.restore($0) }
    #expect(try fixture.ids("bread") == [1])
  }

  @Test func `Rows written by another program are indexed when the file is opened`() async throws {
    let fixture = try TextSearchFixture([Recipe(1, "old"), Recipe(2, "kept")])
    // Without a write of the library, nothing indexes the rows that the triggers have queued.
    try fixture.connection.execute("PRAGMA recursive_triggers = OFF")
    try fixture.connection.execute("REPLACE INTO recipes VALUES (1, 'new', NULL, 0.0, 0)")
    let database = try Database(fixture.path)
    let ids = try await database.read {
      try Recipe.matching("new", in: Recipe.text).all($0).map(\.id)
    }
    let old = try await database.read { try Recipe.matching("old", in: Recipe.text).count($0) }
    #expect(ids == [1] && old == 0)
    await database.close()
    try fixture.verify()
  }

  @Test func `An inconsistent index is reported, and rebuilt`() throws {
    let fixture = try TextSearchFixture([Recipe(1, "bread")])
    try fixture.connection.write { try Remark(id: UUID(), text: "tea").insert($0) }
    try fixture.connection.change(
      "DROP TRIGGER _text_recipes_inserted; DROP TRIGGER _text_remarks_inserted")
    try fixture.connection.write { writer in
      try Recipe(2, "bread").insert(writer)
      try Remark(id: UUID(), text: "tea").insert(writer)
    }
    for verify in [
      { try ($0 as Writer).verify(Recipe.text) }, { try ($0 as Writer).verify(Remark.index) },
    ] {
      let error = databaseError { try fixture.connection.write(verify) }
      #expect(error?.code == .corrupted)
      #expect(
        error?.message
          == "The text index does not agree with the rows. Make it anew by rebuild(_:).")
    }
    try fixture.connection.write { writer in
      try writer.rebuild(Recipe.text)
      try writer.rebuild(Remark.index)
    }
    #expect(try fixture.ids("bread") == [1, 2])
    try fixture.verify()
  }

  @Test func `FTS5 is detected at run time`() throws {
    let fixture = try TextSearchFixture()
    try TextIndexUpkeep(fixture.connection).requireModule("fts5")
    let error = databaseError { try TextIndexUpkeep(fixture.connection).requireModule("fts0") }
    #expect(error?.code == .other)
    #expect(
      error?.message
        == "This SQLite is built without FTS0, which text indexes need. Install one with it.")
  }

  @Test func `An observed search depends on its table and no other`() async throws {
    let fixture = try TextSearchFixture([Recipe(1, "bread")])
    let database = try Database(fixture.path)
    let values = database.values(
      of: Recipe.matching("bread", in: Recipe.text).order { $0.date.descending }.limit(5))
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next()?.map(\.id) == [1])
    let cause = values.explain()
    try await database.write { try Label(group: "a", number: 1, words: "bread").insert($0) }
    try await database.write { try Remark(id: UUID(), text: "bread").insert($0) }
    #expect(values.explain() == cause)
    try await database.write { try Recipe(2, "bread", day: 1).insert($0) }
    #expect(try await iterator.next()?.map(\.id) == [2, 1])
    await database.close()
  }
}
