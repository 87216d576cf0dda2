import Foundation
import Offshore
import Testing

/// Numbers, texts and dates that a query computes, and SQLite's plans for finding rows.
struct ExpressionTests {
  private let ledger: Ledger

  init() throws { ledger = try Ledger() }

  private func first<Value: Sendable>(
    _ value: (Columns<Expense>) -> SQLExpression<Value>
  ) throws -> Value? {
    try ledger.read { try Expense.order { $0.id }.select(value).first($0) }
  }

  @Test func `Integers are divided toward 0, and other numbers keep their fraction`() throws {
    #expect(try first { $0.cents / 100 } == 4)
    #expect(try first { $0.cents % 100 } == 50)
    #expect(try first { ($0.cents - 500) / 100 } == 0)
    #expect(try first { ($0.cents - 600) / 100 } == -1)
    #expect(try first { ($0.cents - 500) % 100 } == -50)
  }

  @Test func `A quotient by an expression of 0 is nil, and by the number 0 it is refused`() throws {
    #expect(try first { $0.cents / ($0.cents - 450) } == .some(nil))
    #expect(try first { $0.cents / ($0.cents - 448) } == 225)
    #expect(try first { $0.cents % ($0.cents - 450) } == .some(nil))
    #expect(try first { $0.cents % ($0.cents - 443) } == 2)
    let error = #expect(throws: DatabaseError.self) { try first { $0.cents / 0 } }
    #expect(error?.code == .invalidSQL)
  }

  @Test func `Operators have the same precedence as in Swift`() {
    let query = Expense.all.select { ($0.cents + 1) / 2 % 3 - $0.id }
    #expect(
      query.sql.text.hasPrefix(
        #"SELECT ("expenses"."cents" + ?) / ? % ? - "expenses"."id" FROM"#))
  }

  @Test func `A date is formatted in any stored form`() throws {
    #expect(try first { $0.date.formatted("%Y-%m-%d %H:%M") } == "2026-05-03 12:00")
    let fixture = try QueryFixture()
    let reported = Date(timeIntervalSinceReferenceDate: 86_400)
    try fixture.insert([Sighting(1, day: 0.5, reportedAt: reported), Sighting(2, day: 1)])
    try fixture.connection.read { reader throws in
      let sightings = Sighting.order { $0.number }
      #expect(
        try sightings.select { $0.seenAt.formatted("%d %H:%M") }.all(reader) == [
          "01 12:00", "02 00:00",
        ])
      #expect(
        try sightings.select { $0.reportedAt.formatted("%Y-%m-%d") }.all(reader) == [
          "2001-01-02", nil,
        ])
    }
  }

  @Test func `A plan shows whether an index is used`() throws {
    try ledger.connection.write { try SQL("CREATE INDEX byDate ON expenses(date)").run($0) }
    try ledger.read { reader throws in
      #expect(
        try Expense.where { $0.date > .distantPast }.explain(reader)
          == "SEARCH expenses USING INDEX byDate (date>?)")
      #expect(try Expense.where { $0.cents > 1 }.explain(reader) == "SCAN expenses")
      let plan = try Expense.where { $0.id.in(Receipt.all.select { $0.expenseID }) }.explain(reader)
      #expect(plan.contains("\n  SCAN receipts"))
    }
  }

  @Test func `Joins, groups and selections are observed`() async throws {
    struct Sum: Equatable, Sendable {
      var name: String
      var cents: Int
    }

    let database = try Database(ledger.path)
    let joined = Expense.joining(Category.self).where { expense, _ in expense.cents > 5_000 }
    let sums = Expense.joining(Category.self).group { _, category in category.id }
      .order { _, category in category.name }
      .select(Sum.init) { expense, category in
        category.name
        expense.cents.sum()
      }
    var results = database.values(of: joined).makeAsyncIterator()
    var totals = database.values(of: sums).makeAsyncIterator()
    var names = database.values(of: Category.order { $0.name }.select { $0.name })
      .makeAsyncIterator()
    #expect(try await results.next()?.count == 2)
    #expect(try await totals.next()?.first == Sum(name: "Boat", cents: 24_000))
    #expect(try await names.next() == ["Boat", "Food", "Gifts"])
    try await database.write { writer in
      try Expense(7, "Sail", Ledger.boat, cents: 90_000, on: "2026-07-01").insert(writer)
      try Category.where { $0.id == Ledger.unused.id }.update(writer) { [$0.name.set("Art")] }
    }
    #expect(try await results.next()?.count == 3)
    #expect(try await totals.next()?.first == Sum(name: "Boat", cents: 114_000))
    #expect(try await names.next() == ["Art", "Boat", "Food"])
    await database.close()
  }

  @Test func `Selections that create values by a closure share no fetch`() async throws {
    let database = try Database(ledger.path)
    let next: @Sendable (Int) -> Int = { $0 + 1 }
    let negative: @Sendable (Int) -> Int = { -$0 }
    var first = database.values(of: Category.order { $0.id }.select(next) { $0.id })
      .makeAsyncIterator()
    var second = database.values(of: Category.order { $0.id }.select(negative) { $0.id })
      .makeAsyncIterator()
    #expect(try await first.next() == [2, 3, 4])
    #expect(try await second.next() == [-1, -2, -3])
    await database.close()
  }
}
