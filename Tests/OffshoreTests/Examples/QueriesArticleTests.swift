import Foundation
import Offshore
import TestSupport
import Testing

// The examples of the article “Queries”; Tests/Gates holds the two to the same lines.

struct QueriesArticleTests {
  private let ledger: Ledger

  init() throws { ledger = try Ledger() }

  @Test func `Rows of one table, and pages of them`() throws {
    let dear = Expense.where { $0.cents > 2_000 && !$0.title.isEmpty }
      .order { $0.date.descending }
      .limit(20)
    try ledger.read { reader in
      let expenses = try dear.all(reader)
      let first = try dear.first(reader)
      let number = try Expense.where { $0.title == "Bread" }.count(reader)
      let bread = try Expense.find(1).first(reader)
      #expect(expenses.map(\.title) == ["Mooring", "Diesel", "Fish"])
      #expect(first == expenses.first)
      #expect(number == 2)
      #expect(bread?.title == "Bread")
      #expect(dear.sql.text.contains(#"ORDER BY "expenses"."date" DESC"#))
      #expect(try dear.explain(reader).hasPrefix("SCAN expenses"))
      var titles: [String] = []
      var page = try dear.all(reader)
      while let last = page.last {
        titles += page.map(\.title)
        page = try dear.after(last).all(reader)
      }
      #expect(titles == ["Mooring", "Diesel", "Fish"])
    }
  }

  @Test func `Joins, and values in place of rows`() throws {
    try ledger.read { reader in
      let filed = Expense.joining(Category.self)
        .where { _, category in category.name != "Rent" }
        .order { expense, _ in expense.date }
      var names: [String] = []
      for result in try filed.all(reader) {
        let (expense, category) = result.rows
        names.append("\(expense.title) \(category.name)")
      }
      #expect(names.first == "Bread Food" && names.count == 5)
      let repeated = Expense.joining(Expense.self)
        .on { expense, original in expense.repeatedID == original.id }
        .leftJoining(Receipt.self)
        .on { _, original, receipt in receipt.expenseID == original.id }
      #expect(try repeated.count(reader) == 1)

      struct Line: Equatable, Sendable {
        var title: String
        var euros: Int
        var receipt: String?
      }

      let titles = try Expense.all.select { $0.title }.distinct().all(reader)
      #expect(titles.count == 5)
      let lines = Expense.leftJoining(Receipt.self)
        .select(Line.init) { expense, receipt in
          expense.title
          expense.cents / 100
          receipt.file
        }
      #expect(
        try lines.all(reader).contains(Line(title: "Diesel", euros: 180, receipt: "diesel.pdf")))
    }
  }

  @Test func `Groups, and observing them`() async throws {
    struct Total: Equatable, Sendable {
      var category: String
      var month: String
      var cents: Int
    }

    let totals = Expense.joining(Category.self)
      .group { expense, category in
        category.name
        expense.date.formatted("%Y-%m")
      }
      .having { expense, _ in expense.id.count() > 0 }
      .order { expense, _ in expense.cents.sum().descending }
      .limit(5)
      .select(Total.init) { expense, category in
        category.name
        expense.date.formatted("%Y-%m")
        expense.cents.sum()
      }
    let database = try Database(ledger.path)
    for try await totals in database.values(of: totals) {
      #expect(totals.count == 4)
      #expect(totals.first == Total(category: "Boat", month: "2026-05", cents: 18_000))
      break
    }
    await database.close()
  }

  @Test func `SQL is decoded into a struct`() throws {
    struct Share: Decodable, Equatable { let name: String, share: Double }

    try ledger.read { reader in
      let shares = try SQL(
        """
        SELECT name, sum(cents) * 1.0 / (SELECT sum(cents) FROM expenses) AS share
        FROM expenses JOIN categories ON categories.id = categoryID
        WHERE cents > \(100) GROUP BY name ORDER BY name
        """
      ).all(reader, as: Share.self)
      #expect(shares.map(\.name) == ["Boat", "Food"])
      #expect(shares.map { ($0.share * 27_200).rounded() } == [24_000, 3_100])
    }
  }

  @Test func `A rule of a table refuses a change`() throws {
    var isRefused = false
    try ledger.connection.write { writer in
      let isNew = try Category(id: 1, name: "Food", limit: nil).insertIfAbsent(writer)
      #expect(!isNew)
      var expense = try Expense.find(1).first(writer)
      expense?.categoryID = 7
      do {
        try expense?.update(writer)
      } catch let error as DatabaseError {
        isRefused = error.violation == .foreignKey(column: "categoryID")
      }
    }
    #expect(isRefused)
  }
}
