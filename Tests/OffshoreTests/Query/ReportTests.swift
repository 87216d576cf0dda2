import Offshore
import Testing

/// The reports of an expense tracker, each as a typed query beside its SQL.
struct ReportTests {
  private struct Total: Equatable, Sendable {
    var category: String
    var month: String
    var cents: Int
  }

  private let ledger: Ledger

  init() throws { ledger = try Ledger() }

  @Test func `Totals by category name, per month, the five largest`() throws {
    let totals = Expense.joining(Category.self)
      .group { expense, category in
        category.name
        expense.date.formatted("%Y-%m")
      }
      .order { expense, _ in expense.cents.sum().descending }
      .limit(5)
      .select(Total.init) { expense, category in
        category.name
        expense.date.formatted("%Y-%m")
        expense.cents.sum()
      }
    #expect(
      try ledger.all(totals) == [
        Total(category: "Boat", month: "2026-05", cents: 18_000),
        Total(category: "Boat", month: "2026-06", cents: 6_000),
        Total(category: "Food", month: "2026-05", cents: 2_650),
        Total(category: "Food", month: "2026-06", cents: 450),
      ])
    let month = #"strftime(?, "expenses"."date" + 978307200, 'unixepoch')"#
    #expect(
      totals.sql.text == #"""
        SELECT "categories"."name", \#(month), coalesce(sum("expenses"."cents"), 0) FROM "expenses" \#
        JOIN "categories" ON "expenses"."categoryID" = "categories"."id" \#
        GROUP BY "categories"."name", \#(month) \#
        ORDER BY coalesce(sum("expenses"."cents"), 0) DESC LIMIT ?
        """#)
  }

  @Test func `Categories with more than a number of expenses`() throws {
    let busy = Expense.joining(Category.self).group { _, category in category.name }
      .having { expense, _ in expense.id.count() > 2 }
      .select { _, category in category.name }
    #expect(try ledger.all(busy) == ["Food"])
    #expect(
      busy.sql.text == #"""
        SELECT "categories"."name" FROM "expenses" \#
        JOIN "categories" ON "expenses"."categoryID" = "categories"."id" \#
        GROUP BY "categories"."name" HAVING count("expenses"."id") > ?
        """#)
  }

  private struct Usage: Equatable, Sendable {
    var name: String
    var count: Int
    var least: Int?
    var mean: Double?
  }

  @Test func `All categories with their expenses, also without any`() throws {
    let usage = Category.leftJoining(Expense.self).group { category, _ in category.id }
      .order { category, _ in category.name }
      .select(Usage.init) { category, expense in
        category.name
        expense.id.count()
        expense.cents.min()
        expense.cents.average()
      }
    #expect(
      try ledger.all(usage) == [
        Usage(name: "Boat", count: 2, least: 6_000, mean: 12_000),
        Usage(name: "Food", count: 3, least: 450, mean: 3_100.0 / 3),
        Usage(name: "Gifts", count: 0, least: nil, mean: nil),
      ])
    #expect(
      usage.sql.text == #"""
        SELECT "categories"."name", count("expenses"."id"), min("expenses"."cents"), \#
        avg("expenses"."cents") FROM "categories" \#
        LEFT JOIN "expenses" ON "expenses"."categoryID" = "categories"."id" \#
        GROUP BY "categories"."id" ORDER BY "categories"."name"
        """#)
  }

  private struct Share: Equatable, Sendable {
    var title: String
    var euros: Int
    var rest: Int
    var ofLimit: Int?
  }

  @Test func `Amounts are divided by a limit that may be missing`() throws {
    let shares = Expense.joining(Category.self).where { expense, _ in expense.cents > 1_000 }
      .order { expense, _ in expense.id }
      .select(Share.init) { expense, category in
        expense.title
        expense.cents / 100
        expense.cents % 100
        expense.cents / (category.limit ?? 0)
      }
    #expect(
      try ledger.all(shares) == [
        Share(title: "Fish", euros: 22, rest: 0, ofLimit: 22),
        Share(title: "Diesel", euros: 180, rest: 0, ofLimit: nil),
        Share(title: "Mooring", euros: 60, rest: 0, ofLimit: nil),
      ])
    #expect(
      shares.sql.text == #"""
        SELECT "expenses"."title", "expenses"."cents" / ?, "expenses"."cents" % ?, \#
        "expenses"."cents" / coalesce("categories"."limit", ?) FROM "expenses" \#
        JOIN "categories" ON "expenses"."categoryID" = "categories"."id" \#
        WHERE "expenses"."cents" > ? ORDER BY "expenses"."id"
        """#)
  }

  @Test func `Expenses that repeat others, by a self-join`() throws {
    let repeated = Expense.joining(Expense.self)
      .on { expense, original in expense.repeatedID == original.id }
      .leftJoining(Receipt.self)
      .on { _, original, receipt in receipt.expenseID == original.id }
      .where { _, original, _ in original.cents > 0 }
    let results = try ledger.all(repeated)
    #expect(results.count == 1)
    let (expense, original, receipt) = try #require(results.first).rows
    #expect([expense.title, original.title, receipt?.file] == ["Mooring", "Diesel", "diesel.pdf"])
    #expect(
      repeated.sql.text.hasSuffix(
        #"""
        FROM "expenses" JOIN "expenses" AS "expenses2" \#
        ON "expenses"."repeatedID" IS "expenses2"."id" \#
        LEFT JOIN "receipts" ON "receipts"."expenseID" IS "expenses2"."id" \#
        WHERE "expenses2"."cents" > ?
        """#))
  }

  @Test func `Distinct titles, and empty ones`() throws {
    let titles = Expense.where { !$0.title.isEmpty }.order { $0.title }.select { $0.title }
    #expect(try ledger.all(titles.distinct()) == ["Bread", "Diesel", "Fish", "Mooring"])
    #expect(
      titles.distinct().sql.text == #"""
        SELECT DISTINCT "expenses"."title" FROM "expenses" \#
        WHERE NOT "expenses"."title" = '' ORDER BY "expenses"."title"
        """#)
    #expect(try ledger.read { try titles.count($0) } == 5)
    #expect(try ledger.read { try titles.distinct().count($0) } == 4)
    #expect(try ledger.read { try Expense.where { $0.title.isEmpty }.count($0) } == 1)
  }

  @Test func `Counts of some rows of a group`() throws {
    let dear = Expense.group { $0.categoryID == nil }
      .select { $0.id.count(where: $0.cents > 2_000) }
    #expect(try ledger.all(dear).sorted() == [0, 3])
    #expect(
      dear.sql.text == #"""
        SELECT count("expenses"."id") FILTER (WHERE "expenses"."cents" > ?) FROM "expenses" \#
        GROUP BY "expenses"."categoryID" IS NULL
        """#)
  }
}
