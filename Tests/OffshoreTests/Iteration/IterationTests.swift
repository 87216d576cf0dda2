import Foundation
import Testing

@testable import Offshore

struct IterationTests {
  private struct Enough: Error {}

  private let ledger: Ledger

  init() throws { ledger = try Ledger() }

  // MARK: - The same results

  @Test func `A query passes the rows that it fetches, in its order`() throws {
    let query = Expense.where { $0.cents > 100 }.order { $0.date.descending }
    var rows: [Expense] = []
    try ledger.read { reader in try query.forEach(reader) { rows.append($0) } }
    #expect(rows == (try ledger.all(query)))
    #expect(rows.count == 5)
  }

  @Test func `All rows of a table are passed`() throws {
    var names: [String] = []
    try ledger.read { reader in try Category.all.forEach(reader) { names.append($0.name) } }
    #expect(names == ["Food", "Boat", "Gifts"])
  }

  @Test func `A query without rows passes none`() throws {
    var count = 0
    try ledger.read { reader in
      try Expense.where { $0.cents < 0 }.forEach(reader) { _ in count += 1 }
    }
    #expect(count == 0)
  }

  @Test func `A join passes its results`() throws {
    let join = Expense.joining(Category.self).leftJoining(Receipt.self)
      .on { expense, _, receipt in receipt.expenseID == expense.id }
    var titles: [String] = []
    try ledger.read { reader in
      try join.forEach(reader) { result in
        let (expense, category, receipt) = result.rows
        titles.append("\(expense.title) \(category.name) \(receipt?.file ?? "–")")
      }
    }
    #expect(titles.count == (try ledger.all(join).count))
    #expect(titles.contains("Diesel Boat diesel.pdf") && titles.contains("Bread Food –"))
  }

  @Test func `A selection passes its values`() throws {
    var titles: [String] = []
    try ledger.read { reader in
      try Expense.order { $0.id }.select { $0.title }.distinct().forEach(reader) {
        titles.append($0)
      }
    }
    #expect(titles.sorted() == ["", "Bread", "Diesel", "Fish", "Mooring"])
  }

  @Test func `SQL passes records, values, tuples and decoded structs`() throws {
    struct Share: Decodable { let title: String, half: Int }

    var (rows, titles, pairs, halves): ([Expense], [String], [String], [String]) = ([], [], [], [])
    try ledger.read { reader in
      try SQL("SELECT cents, * FROM expenses WHERE id < \(3)").forEach(reader, as: Expense.self) {
        rows.append($0)
      }
      try SQL("SELECT title FROM expenses WHERE cents > \(5_000)")
        .forEach(reader, as: String.self) { titles.append($0) }
      try SQL("SELECT title, cents FROM expenses WHERE id = 1")
        .forEach(reader, as: String.self, Int.self) { pairs.append("\($0) \($1)") }
      try SQL("SELECT cents / 2 AS half, title FROM expenses WHERE id = 2")
        .forEach(reader, as: Share.self) { halves.append("\($0.title) \($0.half)") }
    }
    #expect(rows.map(\.id) == [1, 2])
    #expect(titles == ["Diesel", "Mooring"])
    #expect(pairs == ["Bread 450"])
    #expect(halves == ["Fish 1100"])
  }

  @Test func `A statement has made its changes before its first row is passed`() throws {
    var (titles, places): ([String], [Int]) = ([], [])
    try ledger.connection.write { writer in
      let insertion: SQL =
        "INSERT INTO categories (id, name) VALUES (10, 'A'), (11, 'B') RETURNING name"
      try insertion.forEach(writer, as: String.self) { name in
        titles.append(name)
        places.append(try Category.all.count(writer))
        try SQL("DELETE FROM categories WHERE name = \(name)").run(writer)
      }
    }
    #expect(titles == ["A", "B"])
    #expect(places == [5, 4])
  }

  // MARK: - Ends

  @Test func `An error of the closure ends the iteration, and the statement can run again`() throws
  {
    var count = 0
    try ledger.read { reader throws in
      #expect(throws: Enough.self) {
        try Expense.all.forEach(reader) { _ in
          count += 1
          if count == 2 { throw Enough() }
        }
      }
      #expect(count == 2)
      #expect(sqliteBusyStatements(reader.connection) == 0)
      #expect(try Expense.all.all(reader).count == 6)
    }
  }

  @Test func `An unreadable row is an error with its key, after the rows before it`() throws {
    try ledger.connection.execute("UPDATE expenses SET title = x'00' WHERE id = 4")
    var ids: [Int] = []
    let error = databaseError {
      try ledger.read { reader in try Expense.order { $0.id }.forEach(reader) { ids.append($0.id) }
      }
    }
    #expect(ids == [1, 2, 3])
    #expect(error?.code == .invalidValue && error?.column == "title")
    #expect(error?.rowKey == [.integer(4)])
  }

  @Test func `An unreadable value ends a selection with an error`() throws {
    try ledger.connection.execute("UPDATE expenses SET title = x'00' WHERE id = 4")
    var count = 0
    let error = databaseError {
      try ledger.read { reader in
        try Expense.order { $0.id }.select { $0.title }.forEach(reader) { _ in count += 1 }
      }
    }
    #expect(count == 3)
    #expect(error?.code == .invalidValue)
  }

  @Test func `Queries can run within an iteration, even the same one`() throws {
    var pairs = 0
    try ledger.read { reader in
      try Category.all.forEach(reader) { _ in try Category.all.forEach(reader) { _ in pairs += 1 } }
    }
    #expect(pairs == 9)
  }

  @Test func `A table whose columns have changed places is read by their names`() throws {
    let query: SQL = "SELECT * FROM categories WHERE id = \(1)"
    var names: [String] = []
    let read = {
      try ledger.read { reader in
        try query.forEach(reader, as: Category.self) { names.append($0.name) }
      }
    }
    try read()
    let other = try Connection(ledger.path)
    try other.execute(
      """
      CREATE TABLE moved ("limit" INTEGER, name TEXT NOT NULL, id INTEGER PRIMARY KEY NOT NULL);
      INSERT INTO moved (id, name, "limit") SELECT id, name, "limit" FROM categories;
      PRAGMA foreign_keys = OFF;
      DROP TABLE categories;
      ALTER TABLE moved RENAME TO categories
      """)
    try read()
    #expect(names == ["Food", "Food"])
  }

  // MARK: - Cancellation

  /// More rows than are passed between two checks.
  private static let numbers: SQL = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    SELECT i FROM n
    """

  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func `A cancelled task ends an iteration, in a read and in a write`(writes: Bool) async throws {
    let database = try await Database.withCharters()
    let (reached, goOn, passed) = (Gate(), Gate(), Counter())
    let body: @Sendable (Reader) throws -> Void = { reader in
      try Self.numbers.forEach(reader, as: Int.self) { number in
        passed.increase()
        guard number == 1 else { return }
        reached.open()
        goOn.wait()
      }
    }
    let task = Task {
      if writes { try await database.write(body) } else { try await database.read(body) }
    }
    await reached.opened()
    task.cancel()
    goOn.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(passed.value < 100_000)
  }

  @Test func `An iteration records the tables for an observation`() throws {
    let connection = ledger.connection
    try connection.read { reader in
      connection.recordedRegion = Region()
      try Expense.all.select { $0.title }.forEach(reader) { _ in }
    }
    #expect(connection.recordedRegion?.columns["expenses"]?.contains("title") == true)
    connection.recordedRegion = nil
  }

  /// The number of cached statements that are being stepped.
  private func sqliteBusyStatements(_ connection: Connection) -> Int {
    connection.cache.statement(for: Expense.all.sql.text) == nil ? 1 : 0
  }
}
