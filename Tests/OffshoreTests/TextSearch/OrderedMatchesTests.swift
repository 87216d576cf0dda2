import Foundation
import TestSupport
import Testing

@testable import Offshore

struct OrderedMatchesTests {
  /// 400 recipes, of which every fourth is bread, and bread alone is old.
  private let recipes = (1...400).map { number in
    let isBread = number % 4 == 0
    return Recipe(
      number, isBread ? "bread brown" : "tea", "every",
      day: Double(number * 7919 % 400 - (isBread ? 1000 : 0)))
  }

  private func expectSame(_ query: Query<Recipe>, isRead: Bool?, hitLimit: Int, probeLimit: Int)
    throws
  {
    let fixture = try TextSearchFixture(recipes)
    try fixture.connection.read { reader throws in
      let matches = OrderedMatches(query, reader, hitLimit: hitLimit, probeLimit: probeLimit)
      let rows = try matches?.all()
      if let isRead { #expect((rows != nil) == isRead) }
      let sorted = try reader.connection.fetchAll(Recipe.self, query.sql)
      #expect(rows == nil || rows == sorted)
      #expect(try query.all(reader) == sorted)
    }
  }

  @Test(arguments: [60, 150, 1_000], [0, 5, 1_000])
  func `Rows read in order are those that sorting finds`(_ hitLimit: Int, _ probeLimit: Int) throws
  {
    for text in ["every", "e", "ever", "every tea"] {
      let query = Recipe.matching(text, in: Recipe.text).order { $0.date.descending }.limit(9)
      let isRead: Bool? = hitLimit > 100 ? true : nil
      try expectSame(query, isRead: isRead, hitLimit: hitLimit, probeLimit: probeLimit)
      try expectSame(query.offset(3), isRead: isRead, hitLimit: hitLimit, probeLimit: probeLimit)
    }
  }

  @Test func `Reading ends where the matching rows are far away`() throws {
    let query = Recipe.matching("bread", in: Recipe.text).order { $0.date.descending }.limit(9)
    try expectSame(query, isRead: false, hitLimit: 1_000, probeLimit: 10)
    try expectSame(query, isRead: true, hitLimit: 1_000, probeLimit: 1_000)
  }

  @Test func `An order without an index is sorted`() throws {
    let query = Recipe.matching("every", in: Recipe.text).order { $0.title }.limit(9)
    try expectSame(query, isRead: false, hitLimit: 1_000, probeLimit: 10)
  }
}
