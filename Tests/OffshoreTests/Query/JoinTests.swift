import Foundation
import Offshore
import Testing

struct JoinTests {
  private let fixture: QueryFixture
  private let charters: [Charter]
  private let checklists: [Checklist]

  init() throws {
    (fixture, charters, checklists) = try QueryFixture.withChecklists()
  }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  @Test
  func `Each row is returned with the row that it refers to, or else left out`()
    throws
  {
    let pairs = try read {
      try Checklist.order { $0.id }.joining(Charter.self).all($0)
    }
    #expect(pairs.map { $0.rows.0 } == Array(checklists[0...2]))
    #expect(pairs.map { $0.rows.1 } == [charters[0], charters[0], charters[1]])
  }

  @Test func `Conditions and orders can use both rows`() throws {
    let query = Checklist.where { $0.isDone }.joining(Charter.self)
      .where { checklist, charter in charter.guests < 5 && checklist.title != charter.name }
      .order { checklist, charter in
        charter.startDate
        checklist.title.descending
      }
    #expect(try read { try query.all($0) }.map { $0.rows.0.title } == ["Water", "Fuel"])
    #expect(try read { try query.count($0) } == 2)
    #expect(try read { try query.first($0) }.map { $0.rows.0.title } == "Water")
    #expect(try read { try query.limit(1).offset(1).all($0) }.map { $0.rows.0.title } == ["Fuel"])
    #expect(try read { try query.limit(1).count($0) } == 1)
    #expect(try read { try query.limit(0).first($0) } == nil)
  }

  @Test func `One statement joins the two tables by the declared reference`() {
    let query = Checklist.joining(Charter.self).where { _, charter in charter.guests > 2 }
    #expect(
      query.sql.text == #"""
        SELECT "checklists"."id", "checklists"."title", "checklists"."isDone", \#
        "checklists"."charterID", "charters"."id", "charters"."name", "charters"."location", \#
        "charters"."startDate", "charters"."guests" FROM "checklists" \#
        JOIN "charters" ON "checklists"."charterID" = "charters"."id" \#
        WHERE "charters"."guests" > ?
        """#)
  }

  @Test func `The property selects one of two references`() throws {
    let transfer = Transfer(
      id: 1, fromID: charters[0].id, toID: charters[1].id, previousID: nil, sightingID: nil)
    try fixture.connection.write { try transfer.insert($0) }
    #expect(
      try read { try Transfer.joining(Charter.self, by: \.fromID).first($0) }.map { $0.rows.1 }
        == charters[0])
    #expect(
      try read { try Transfer.joining(Charter.self, by: \.toID).first($0) }.map { $0.rows.1 }
        == charters[1])
  }

  @Test
  func `Without exactly one declared reference a join is refused, and the error names all tables`()
    throws
  {
    let several = #expect(throws: DatabaseError.self) {
      _ = try read { try Transfer.joining(Charter.self).all($0) }
    }
    #expect(several?.code == .declaration)
    #expect(several?.message.contains("“transfers” and “charters” are related by “") == true)
    let none = #expect(throws: DatabaseError.self) {
      _ = try read { try Charter.joining(Sighting.self).count($0) }
    }
    #expect(none?.code == .declaration)
    #expect(
      none?.message.hasPrefix("Between “charters” and “the \"sightings\"” no reference") == true)
  }

  @Test func `A row is joined with those that refer to it, and is kept without one in a left join`()
    throws
  {
    let pairs = try read {
      try Charter.joining(Checklist.self).order { _, list in list.id }.all($0)
    }
    #expect(pairs.map { $0.rows.1 } == Array(checklists[0...2]))
    let left = try read {
      try Checklist.leftJoining(Charter.self).order { list, _ in list.id }.all($0)
    }
    #expect(left.map { $0.rows.0 } == checklists)
    #expect(
      left.filter { $0.rows.1 == nil }.map { $0.rows.0 }
        == checklists.filter { $0.charterID == nil })
    let alone = Checklist.leftJoining(Charter.self).where { _, charter in charter.id == nil }
    #expect(try read { try alone.count($0) } == checklists.count { $0.charterID == nil })
  }

  @Test func `A limit before a join counts rows, and one after it counts results`() throws {
    let first = Charter.order { $0.startDate }.limit(1)
    let lists = checklists.filter {
      $0.charterID == charters.min { $0.startDate < $1.startDate }?.id
    }
    #expect(try read { try first.joining(Checklist.self).count($0) } == lists.count)
    #expect(try read { try Charter.joining(Checklist.self).limit(1).count($0) } == 1)
    let lost = #expect(throws: DatabaseError.self) {
      let groups = Charter.joining(Checklist.self).limit(1).group { charter, _ in charter.id }
      _ = try read { try groups.select { charter, _ in charter.name }.all($0) }
    }
    #expect(lost?.code == .invalidSQL)
  }

  @Test func `A join is found by a key, and equal results are equal`() throws {
    let query = Charter.find(charters[0].id).joining(Checklist.self).order { _, list in list.id }
    let results = try read { try query.all($0) }
    #expect(results.map { $0.rows.1 } == Array(checklists[0...1]))
    #expect(try read { try query.all($0) } == results)
    #expect(results[0] != results[1])
  }

  @Test func `An invalid value is reported with its table`() throws {
    try fixture.connection.write {
      try SQL("UPDATE charters SET guests = 'many' WHERE name = 'Bora'").run($0)
    }
    let error = #expect(throws: DatabaseError.self) {
      _ = try read { try Checklist.joining(Charter.self).all($0) }
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.table == "charters")
    #expect(error?.column == "guests")
  }
}

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
