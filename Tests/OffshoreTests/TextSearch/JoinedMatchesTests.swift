import Foundation
import Testing

@testable import Offshore

/// Searches whose rows are joined with others, grouped, and selected from.
struct JoinedMatchesTests {
  private let fixture: TextSearchFixture
  /// The recipes 1 and 2, of which the second ranks higher.
  private let bread = Recipe.matching("bread", in: Recipe.text)

  init() throws {
    fixture = try TextSearchFixture([
      Recipe(1, "tea", "with bread"), Recipe(2, "bread"), Recipe(3, "water"), Recipe(4, "oil"),
      Recipe(5, "salt"), Recipe(6, "rye"), Recipe(7, "brew"),
    ])
    try fixture.connection.write { writer throws in
      let remarks: [(String, Int?)] = [
        ("good", 1), ("fine", 1), ("good", 2), ("dull", 3), ("good", nil),
      ]
      for (text, recipe) in remarks {
        try Remark(id: UUID(), text: text, recipeID: recipe).insert(writer)
      }
    }
  }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  @Test func `A join has the matching rows alone`() throws {
    let joined = bread.joining(Remark.self).order { recipe, remark in
      recipe.id
      remark.text
    }
    #expect(try read { try joined.all($0) }.map { $0.rows.0.id } == [1, 1, 2])
    #expect(try read { try joined.count($0) } == 3)
    #expect(try read { try joined.first($0) }.map { $0.rows.1.text } == "fine")
    #expect(try read { try joined.limit(2).all($0) }.map { $0.rows.1.text } == ["fine", "good"])
    let chosen = bread.where { $0.id > 1 }.joining(Remark.self)
    #expect(try read { try chosen.all($0) }.map { $0.rows.0.id } == [2])
    let first = bread.order { $0.id }.limit(1).joining(Remark.self)
    #expect(try read { try first.all($0) }.map { $0.rows.0.id } == [1, 1])
  }

  @Test func `A left join has the matching rows alone, with a row of the other table or none`()
    throws
  {
    let good = Remark.matching("good", in: Remark.index)
    let joined = good.leftJoining(Recipe.self).order { _, recipe in recipe.id }
    #expect(try read { try joined.all($0) }.map { $0.rows.1?.id } == [nil, 1, 2])
    let first = good.order { $0.recipeID }.limit(2).leftJoining(Recipe.self)
    #expect(Set(try read { try first.all($0) }.map { $0.rows.1?.id }) == [nil, 1])
  }

  @Test func `Groups have the matching rows alone`() throws {
    let groups = bread.group { $0.isDone }.select { $0.id.count() }
    #expect(try read { try groups.all($0) } == [2])
    let limited = bread.order { $0.id }.limit(1).group { $0.isDone }.select { $0.id.count() }
    #expect(try read { try limited.all($0) } == [1])
    let joined = bread.joining(Remark.self).group { recipe, _ in recipe.id }
      .order { recipe, _ in recipe.id }.select { _, remark in remark.id.count() }
    #expect(try read { try joined.all($0) } == [2, 1])
  }

  @Test func `Values are selected from the matching rows alone`() throws {
    let titles = bread.joining(Remark.self).order { recipe, _ in recipe.id }
      .select { recipe, _ in recipe.title }.distinct()
    #expect(try read { try titles.all($0) } == ["tea", "bread"])
    #expect(try read { try titles.count($0) } == 2)
  }

  @Test func `A join keeps the order by rank, and its own terms follow`() throws {
    let ranked = bread.byRank()
    let joined = ranked.joining(Remark.self).order { _, remark in remark.text }
    let results = try read { try joined.all($0) }
    #expect(results.map { $0.rows.0.id } == [2, 1, 1])
    #expect(results.map { $0.rows.1.text } == ["good", "fine", "good"])
    #expect(try read { try joined.count($0) } == 3)
    let all = ranked.limit(2).joining(Remark.self).order { _, remark in remark.text }
    #expect(try read { try all.all($0) } == results)
    let best = ranked.limit(1).leftJoining(Remark.self)
    #expect(try read { try best.all($0) }.map { $0.rows.0.id } == [2])
    let ids = joined.select { recipe, _ in recipe.id }.distinct()
    #expect(try read { try ids.all($0) } == [2, 1])
  }

  @Test func `Groups of ranked rows are those of the same rows without an order`() throws {
    let counts = bread.byRank().group { $0.isDone }.select { $0.id.count() }
    #expect(try read { try counts.all($0) } == [2])
    let best = bread.byRank().limit(1).group { $0.id }.select { $0.id }
    #expect(try read { try best.all($0) } == [2])
  }

  @Test func `Rows with keys of text are joined by rank`() throws {
    let ranked = Remark.matching("good", in: Remark.index).byRank()
    #expect(try read { try ranked.joining(Recipe.self).count($0) } == 2)
    let best = try read { try ranked.limit(1).leftJoining(Recipe.self).all($0) }
    #expect(best.map { $0.rows.0.text } == ["good"])
  }
}
