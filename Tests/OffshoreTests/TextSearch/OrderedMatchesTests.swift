import Foundation
import TestSupport
import Testing

@testable import Offshore

struct OrderedMatchesTests {
  /// 400 recipes; every fourth is bread, and all old ones are bread.
  private let recipes = (1...400).map { number in
    let isBread = number % 4 == 0
    return Recipe(
      number, isBread ? "bread brown" : "tea", "every",
      day: Double(number * 7919 % 400 - (isBread ? 1000 : 0)))
  }

  private func bread(_ text: String = "bread") -> Query<Recipe> {
    Recipe.matching(text, in: Recipe.text).order { $0.date.descending }.limit(9)
  }

  private func expectSame(
    _ query: Query<Recipe>, in fixture: TextSearchFixture? = nil, isRead: Bool?,
    trialCount: Int = 200,
    rowLimit: Int = 4_000, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let fixture = try fixture ?? TextSearchFixture(recipes)
    try fixture.connection.read { reader throws in
      let rows = try OrderedMatches(query, reader, trialCount: trialCount, rowLimit: rowLimit)?
        .all()
      if let isRead { #expect((rows != nil) == isRead, sourceLocation: location) }
      let sorted = try reader.connection.fetchAll(Recipe.self, query.sql)
      #expect(rows == nil || rows == sorted, sourceLocation: location)
      #expect(try query.all(reader) == sorted, sourceLocation: location)
    }
  }

  @Test(arguments: [0, 10, 1_000], [0, 20, 4_000])
  func `Reading rows in order finds the same rows as sorting`(_ trialCount: Int, _ rowLimit: Int)
    throws
  {
    let fixture = try TextSearchFixture(recipes)
    for text in ["every", "e", "ever", "every tea", "TÉA", "evéry te", "bread", "nothing"] {
      for query in [bread(text), bread(text).offset(3), bread(text).where { $0.id > 200 }] {
        try expectSame(query, in: fixture, isRead: nil, trialCount: trialCount, rowLimit: rowLimit)
      }
    }
  }

  @Test func `A word of many rows is read in order, whatever the index reports`() throws {
    try expectSame(bread("every"), isRead: true)
    try expectSame(bread("ever tea"), isRead: true)
  }

  @Test func `Reading in order is given up if the matching rows are far away`() throws {
    let rare = recipes.map { $0.id > 1 ? $0 : Recipe(1, "rare", day: -2_000) }
    let fixture = try TextSearchFixture(rare)
    try fixture.connection.read { reader throws in
      #expect(try OrderedMatches(bread("rare"), reader, trialCount: 10, rowLimit: 10)?.all() == nil)
      #expect(try bread("rare").all(reader).map(\.id) == [1])
    }
    // A hundred rows are bread, the last of 400.
    try expectSame(bread(), isRead: false, trialCount: 10, rowLimit: 10)
    try expectSame(bread(), isRead: true, trialCount: 1_000)
  }

  @Test func `Reading stops after the only matching rows, or if no row matches`() throws {
    let fixture = try TextSearchFixture(
      recipes.map { $0.id < 400 ? $0 : Recipe(400, "rare", day: 2_000) })
    try fixture.connection.read { reader throws in
      let rows = try OrderedMatches(bread("rare"), reader, trialCount: 10, rowLimit: 10)?.all()
      #expect(rows?.map(\.id) == [400])
      #expect(try OrderedMatches(bread("none"), reader, trialCount: 10, rowLimit: 10)?.all() == [])
    }
  }

  @Test func `The rows with a rare word beside a frequent one are found without the frequent one`()
    throws
  {
    var some = recipes
    some[0] = Recipe(1, "rare", "every", day: -2_000)
    some[1] = Recipe(2, "rare", "some", day: -2_001)
    some[2] = Recipe(3, "rarely", "everywhere", day: -2_002)
    some[3] = Recipe(4, "rarely", "everyone", day: -2_003)
    let fixture = try TextSearchFixture(some)
    for words in WordMatch.allCases {
      for search in ["every rare", "rare every", "every rare nothing"] {
        let query = Recipe.matching(search, in: Recipe.text, words: words)
          .order { $0.date.descending }.limit(2)
        for query in [query, query.offset(1), query.where { $0.id != 1 }] {
          // Hits of “rare” are sorted, unless there are so few that reading stops before them.
          try expectSame(query, in: fixture, isRead: true, trialCount: 10, rowLimit: 40)
        }
      }
    }
  }

  @Test func `An order without an index is sorted`() throws {
    let query = Recipe.matching("every", in: Recipe.text).order { $0.title }.limit(9)
    try expectSame(query, isRead: false)
  }

  @Test func `A condition that few rows meet does not make reading slow`() throws {
    try expectSame(
      bread("every").where { $0.title == "water" }, isRead: false, trialCount: 1, rowLimit: 1)
    try expectSame(bread("every").where { $0.title == "water" }, isRead: true)
  }

  @Test func `Rows of one date are in the order of their keys`() throws {
    let fixture = try TextSearchFixture()
    let notes = (0..<900).map { Dated(id: UUID(), text: "every \($0 % 7)", day: $0 / 300) }
    // Unlike an index that the library creates, this one does not contain the key.
    try fixture.connection.change(
      """
      CREATE TABLE dated (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, day INTEGER NOT NULL);
      CREATE INDEX idx_dated_day ON dated (day)
      """)
    try fixture.connection.write { writer throws in
      try writer.create(Dated.words)
      try Dated.insert(contentsOf: notes, writer)
    }
    let query = Dated.matching("every", in: Dated.words).order { $0.day.descending }.limit(120)
    try fixture.connection.read { reader throws in
      let rows = try OrderedMatches(query, reader)?.all()
      #expect(rows?.count == 120)
      #expect(try rows == reader.connection.fetchAll(Dated.self, query.sql))
      let next = query.after(try #require(rows?.last))
      #expect(try next.all(reader).count == 120)
      #expect(try OrderedMatches(next, reader)?.all() == next.all(reader))
      // All rows of a date would be sorted for the first.
      #expect(try OrderedMatches(query, reader, trialCount: 1, rowLimit: 1)?.all() == nil)
    }
  }

  @Test func `A search of very many words uses the index`() throws {
    let words = (0..<40).map { "w\($0)" }.joined(separator: " ")
    let fixture = try TextSearchFixture([Recipe(1, words), Recipe(2, "w0 w1")])
    try fixture.connection.read { reader throws in
      #expect(OrderedMatches(bread(words), reader) == nil)
      #expect(try bread(words).all(reader).map(\.id) == [1])
    }
  }

  @Test func `A missing index is an error, even if the rows could be found without it`() throws {
    let fixture = try TextSearchFixture(recipes)
    try fixture.connection.write { try $0.drop(Recipe.text) }
    let error = databaseError {
      _ = try fixture.connection.read { try bread("every").all($0) }
    }
    #expect(error?.code == .invalidSQL)
  }

  @Test func `A row with an invalid value is reported`() throws {
    let fixture = try TextSearchFixture(recipes)
    try fixture.connection.change("UPDATE recipes SET isDone = 'perhaps'")
    let error = databaseError {
      _ = try fixture.connection.read { try bread("every").all($0) }
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.column == "isDone")
  }

  @Test(arguments: ["every", "every tea", "bread"])
  func `Rows are read in order around those that cannot be read`(_ text: String) throws {
    let fixture = try TextSearchFixture(recipes)
    try fixture.connection.change(
      "UPDATE recipes SET isDone = 'perhaps' WHERE (id * 7919 % 400) % 3 = 0")
    for query in [bread(text), bread(text).offset(2)] {
      try fixture.connection.read { reader throws in
        let read = try #require(
          try OrderedMatches(query, reader, trialCount: 1_000)?.readable())
        #expect(read.count == 9)
        #expect(!read.rows.isEmpty)
        #expect(!read.unreadable.isEmpty)
        let sorted = try reader.connection.fetchReadable(Recipe.table, query.sql)
        #expect(read == sorted)
        #expect(try query.readable(reader) == sorted)
      }
    }
  }

  @Test func `A search that does not read in order leaves unreadable rows out, too`() throws {
    let fixture = try TextSearchFixture(recipes)
    try fixture.connection.change("UPDATE recipes SET isDone = 'perhaps' WHERE id = 4")
    let query = Recipe.matching("bread", in: Recipe.text).order { $0.title }.limit(400)
    try fixture.connection.read { reader throws in
      #expect(try OrderedMatches(query, reader)?.readable() == nil)
      let found = try query.readable(reader)
      #expect(found.rows.count == 99)
      #expect(found.unreadable.map(\.rowKey) == [[.integer(4)]])
    }
  }
}

/// A record with a text key, and with many rows that its order considers equal.
private struct Dated: Identifiable, Equatable, Sendable, Record {
  let id: UUID
  var text: String
  var day: Int

  static let table = Table(
    "dated", Dated.init(id:text:day:), Column("id", \.id).primaryKey(), Column("text", \.text),
    Column("day", \.day).indexed())

  static let words = TextIndex(of: table, \.text)
}
