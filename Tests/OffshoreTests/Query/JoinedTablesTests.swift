import Offshore
import Testing

/// Joins of three and four tables.
struct JoinedTablesTests {
  private let ledger: Ledger

  init() throws {
    ledger = try Ledger()
    try ledger.connection.write { writer in
      try SQL("CREATE TABLE limits (id INTEGER PRIMARY KEY, categoryID INTEGER)").run(writer)
      try Limit(id: 1, categoryID: Ledger.boat.id).insert(writer)
    }
  }

  private struct Limit: Record, Equatable {
    let id: Int
    var categoryID: Int

    static let table = Table(
      "limits", Limit.init(id:categoryID:), Column("id", \.id).primaryKey(),
      Column("categoryID", \.categoryID).references("categories"))
  }

  @Test func `Three tables are joined by the references between any two of them`() throws {
    let query = Expense.joining(Category.self).joining(Receipt.self)
      .where { expense, _, _ in expense.cents > 0 }
    let results = try ledger.all(query)
    #expect(results.count == 1)
    let (expense, category, receipt) = try #require(results.first).rows
    #expect(expense.title == "Diesel")
    #expect(category == Ledger.boat)
    #expect(receipt.file == "diesel.pdf")
    #expect(
      query.sql.text.hasSuffix(
        #"""
        FROM "expenses" JOIN "categories" ON "expenses"."categoryID" = "categories"."id" \#
        JOIN "receipts" ON "receipts"."expenseID" = "expenses"."id" WHERE "expenses"."cents" > ?
        """#))
  }

  @Test func `Each of four tables except the first may have no match`() throws {
    let query = Expense.leftJoining(Category.self).leftJoining(Receipt.self)
      .leftJoining(Limit.self).on { expense, _, _, limit in limit.categoryID == expense.categoryID }
      .order { expense, _, _, _ in expense.id }
    let results = try ledger.all(query)
    #expect(results.map { $0.rows.0.id } == [1, 2, 3, 4, 5, 6])
    #expect(results.map { $0.rows.1?.name } == ["Food", "Food", "Boat", "Boat", "Food", nil])
    #expect(results.map { $0.rows.2?.id } == [nil, nil, 1, nil, nil, nil])
    #expect(results.map { $0.rows.3?.id } == [nil, nil, 1, 1, nil, nil])
    #expect(try ledger.read { try query.count($0) } == 6)
    #expect(try ledger.read { try query.first($0) } == results.first)
    #expect(try ledger.read { try query.limit(2).offset(4).all($0) } == Array(results[4...]))
  }

  @Test func `Inner joins of four tables leave out results without a match`() throws {
    let query = Expense.joining(Category.self).joining(Receipt.self).joining(Limit.self)
      .on { _, category, _, limit in limit.categoryID == category.id }
    let names = query.select { expense, category, receipt, limit in category.name }
    #expect(try ledger.all(names) == ["Boat"])
    let left = Expense.joining(Category.self).leftJoining(Receipt.self)
      .on { expense, _, receipt in receipt.expenseID == expense.id }
      .joining(Limit.self).on { _, category, _, limit in limit.categoryID == category.id }
    #expect(try ledger.read { try left.count($0) } == 2)
  }

  @Test func `An undeclared reference is refused, and a condition can replace it`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try ledger.all(Receipt.joining(Category.self))
    }
    #expect(error?.code == .declaration)
    #expect(error?.message.contains("state a condition by on") == true)
    let pairs = Receipt.joining(Category.self).on { receipt, category in category.id == receipt.id }
    #expect(try ledger.read { try pairs.count($0) } == 1)
  }

  @Test func `A property that is not a column is refused when the join is used`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try ledger.all(Expense.joining(Category.self).where { expense, _ in expense.hashed == 1 })
    }
    #expect(error?.code == .unknownColumn)
  }

  @Test func `An invalid row of a left join is reported with its table`() throws {
    try ledger.connection.write { try SQL("UPDATE receipts SET file = 7").run($0) }
    try ledger.connection.write { try SQL("UPDATE receipts SET file = x'00'").run($0) }
    let error = #expect(throws: DatabaseError.self) {
      try ledger.all(Expense.leftJoining(Receipt.self))
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.table == "receipts")
    #expect(error?.column == "file")
  }

  @Test func `Groups of three tables are counted for each`() throws {
    let groups = Category.leftJoining(Expense.self).leftJoining(Receipt.self)
      .on { _, expense, receipt in receipt.expenseID == expense.id }
      .group { category, _, _ in category.name }
      .order { category, _, _ in category.name }
      .select { _, expense, receipt in expense.id.count() + receipt.id.count() }
    #expect(try ledger.all(groups) == [3, 3, 0])
  }

  @Test func `Both sides of a comparison of joined columns may be optional`() throws {
    let none = Expense.leftJoining(Receipt.self).where { _, receipt in receipt.file == nil }
    #expect(try ledger.read { try none.count($0) } == 5)
    let named = Expense.leftJoining(Receipt.self)
      .where { _, receipt in (receipt.file ?? "none").hasPrefix("d") }
    #expect(try ledger.read { try named.count($0) } == 1)
    let ordered = Expense.leftJoining(Receipt.self).order { expense, receipt in
      receipt.file.descending
      expense.id
    }
    #expect(try ledger.read { try ordered.first($0) }.map { $0.rows.0.id } == 3)
  }
}

extension Expense {
  /// A property that is not a column.
  fileprivate var hashed: Int { id }
}
