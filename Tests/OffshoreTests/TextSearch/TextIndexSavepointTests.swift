import Foundation
import TestSupport
import Testing

@testable import Offshore

/// Text indexes in writes that are partly undone.
struct TextIndexSavepointTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  private struct Undone: Error {}

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("app.sqlite"))
    try connection.write { writer throws in
      try writer.create(Recipe.table)
      try writer.create(Remark.table)
      try Recipe(1, "bread", "rye").insert(writer)
    }
  }

  private func ids(_ text: String, _ reader: Reader) throws -> [Int] {
    try Recipe.matching(text, in: Recipe.text).order { $0.id }.all(reader).map(\.id)
  }

  private func ids(_ text: String) throws -> [Int] { try connection.read { try ids(text, $0) } }

  /// Returns the tables, views and triggers of text indexes in the file.
  private func objects() throws -> [String] {
    try connection.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%_text_%' ORDER BY name")
  }

  /// Runs closures as the writes of one commit, each in its own savepoint.
  private func writeTogether(_ closures: (Writer) throws -> Void...) throws {
    try connection.begin(.write)
    for closure in closures {
      do { try connection.perform(closure) } catch is Undone {}
    }
    try connection.commit()
  }

  // MARK: - Creating

  @Test func `An index whose write is undone in a shared commit leaves nothing`() throws {
    try writeTogether(
      { writer throws in
        try writer.create(Recipe.text)
        try Recipe(2, "tea").insert(writer)
        throw Undone()
      }, { try Recipe(3, "bread").insert($0) })
    #expect(try objects().isEmpty)
    try connection.write { try $0.create(Recipe.text) }
    #expect(try ids("bread") == [1, 3] && ids("tea").isEmpty)
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test func `An index is created in the commit that undid it before`() throws {
    try writeTogether(
      { writer throws in
        try writer.create(Recipe.text)
        try writer.create(Remark.index)
        throw Undone()
      }, { try $0.create(Recipe.text) }, { try Recipe(2, "bread").insert($0) })
    #expect(try ids("bread") == [1, 2])
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test(arguments: [true, false])
  func `An index is undone with a savepoint around it`(_ isReleased: Bool) throws {
    try connection.write { writer throws in
      try? writer.savepoint { writer throws in
        try? writer.savepoint { writer throws in
          try writer.create(Recipe.text)
          try Recipe(2, "tea").insert(writer)
          #expect(try ids("tea", writer) == [2])
          guard isReleased else { throw Undone() }
        }
        try Recipe(3, "tea").insert(writer)
        throw Undone()
      }
      try Recipe(4, "bread").insert(writer)
    }
    #expect(try objects().isEmpty)
    #expect(try connection.read { try Recipe.all.all($0).map(\.id).sorted() } == [1, 4])
  }

  @Test func `An index that was undone twice is created by a third write`() throws {
    for _ in 0..<2 {
      _ = try? connection.write { writer throws in
        try writer.create(Recipe.text)
        throw Undone()
      }
    }
    try connection.write { try $0.create(Recipe.text) }
    #expect(try ids("bread") == [1])
  }

  // MARK: - Replacing

  @Test func `An index that an undone write drops, replaces or rebuilds is preserved`() throws {
    try connection.write { try $0.create(Recipe.text) }
    try writeTogether(
      { try Recipe(2, "bread").insert($0) },
      { writer throws in
        try writer.drop(Recipe.text)
        throw Undone()
      },
      { writer throws in
        try writer.create(TextIndex(of: Recipe.table, \.title))
        try Recipe(3, "bread").insert(writer)
        throw Undone()
      },
      { writer throws in
        try writer.rebuild(Recipe.text)
        throw Undone()
      }, { try Recipe(4, "x", "rye").insert($0) })
    #expect(try ids("bread") == [1, 2] && ids("rye") == [1, 4])
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test func `Columns of an undone index are discarded, even if the schema returns to its version`()
    throws
  {
    try writeTogether(
      { writer throws in
        try writer.create(TextIndex(of: Recipe.table, \.title))
        try Recipe(2, "tea").insert(writer)
        #expect(try ids("tea", writer) == [2])
        throw Undone()
      },
      { writer throws in
        try writer.create(TextIndex(of: Recipe.table, \.note))
        try Recipe(3, "tea", "salt").insert(writer)
        #expect(try ids("salt", writer) == [3] && ids("tea", writer).isEmpty)
      })
    #expect(try ids("salt") == [3])
  }

  // MARK: - Changing

  @Test func `Rows that only an undone search indexed are indexed again`() throws {
    try connection.write { try $0.create(Recipe.text) }
    try connection.write { writer throws in
      try writer.run("UPDATE recipes SET title = 'tea'")
      try? writer.savepoint { writer throws in
        #expect(try ids("tea", writer) == [1])
        throw Undone()
      }
    }
    #expect(try connection.texts("SELECT _text_id FROM _text_recipes_queue").isEmpty)
    #expect(try ids("tea") == [1] && ids("bread").isEmpty)
  }

  @Test func `After a savepoint is undone, rows are found as before`() throws {
    try connection.write { try $0.create(Recipe.text) }
    try connection.write { writer throws in
      try Recipe(2, "tea").insert(writer)
      try? writer.savepoint { writer throws in
        try writer.run("DELETE FROM recipes")
        #expect(try ids("tea", writer).isEmpty)
        try Recipe(5, "tea").insert(writer)
        throw Undone()
      }
      #expect(try ids("tea", writer) == [2] && ids("bread", writer) == [1])
    }
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test func `A cancelled write does not stop in the middle of indexing`() throws {
    try connection.write { try $0.create(Recipe.text) }
    let flag = CancellationFlag()
    try connection.write { writer throws in
      try writer.run("UPDATE recipes SET title = 'tea'")
      connection.cancellation = flag
      flag.set()
      #expect(throws: CancellationError.self) { try ids("tea", writer) }
      connection.cancellation = nil
      #expect(try ids("tea", writer) == [1])
    }
    #expect(try ids("bread").isEmpty)
    try connection.write { try $0.verify(Recipe.text) }
  }

  @Test func `Rows whose indexing fails stay queued, and no row is partly indexed`() throws {
    try connection.write { try $0.create(Recipe.text) }
    try connection.write { writer throws in
      try writer.run(
        """
        CREATE TRIGGER full BEFORE INSERT ON _text_recipes_index_docsize
        BEGIN SELECT RAISE(ABORT, 'full'); END
        """)
      try writer.run("UPDATE recipes SET title = 'tea'")
      for _ in 0..<2 { #expect(throws: DatabaseError.self) { try ids("tea", writer) } }
      try writer.run("DROP TRIGGER full")
      #expect(try ids("tea", writer) == [1])
    }
    #expect(try ids("bread").isEmpty)
    try connection.write { try $0.verify(Recipe.text) }
  }
}
