import Foundation
import Offshore
import TestSupport

/// The records of an expense tracker, and a file with some of them.
struct Ledger {
  static let food = Category(id: 1, name: "Food", limit: 100)
  static let boat = Category(id: 2, name: "Boat", limit: nil)
  static let unused = Category(id: 3, name: "Gifts", limit: 20)

  private let folder: TemporaryFolder
  let connection: Connection
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("database.sqlite")
    connection = try Connection(path)
    try connection.write { writer in
      for creation in [
        try Category.table.creationSQL, try Expense.table.creationSQL,
        try Receipt.table.creationSQL,
      ] {
        try SQL(raw: creation).run(writer)
      }
      try Category.insert(contentsOf: [Self.food, Self.boat, Self.unused], writer)
      try Expense.insert(
        contentsOf: [
          Expense(1, "Bread", Self.food, cents: 450, on: "2026-05-03"),
          Expense(2, "Fish", Self.food, cents: 2_200, on: "2026-05-20"),
          Expense(3, "Diesel", Self.boat, cents: 18_000, on: "2026-05-21"),
          Expense(4, "Mooring", Self.boat, cents: 6_000, on: "2026-06-02", repeats: 3),
          Expense(5, "Bread", Self.food, cents: 450, on: "2026-06-03"),
          Expense(6, "", nil, cents: 100, on: "2026-06-04"),
        ], writer)
      try Receipt(id: 1, expenseID: 3, file: "diesel.pdf").insert(writer)
    }
  }

  func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try connection.read(body)
  }

  func all<Results: Fetchable>(_ results: Results) throws -> [Results.Element] {
    try read { try results.all($0) }
  }
}

struct Category: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var name: String
  var limit: Int?

  static let table = Table(
    "categories", Category.init(id:name:limit:),
    Column("id", \.id).primaryKey(), Column("name", \.name), Column("limit", \.limit))
}

struct Expense: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var title: String
  var categoryID: Int?
  var cents: Int
  var date: Date
  /// The expense that this one repeats.
  var repeatedID: Int?

  static let table = Table(
    "expenses", Expense.init(id:title:categoryID:cents:date:repeatedID:),
    Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("categoryID", \.categoryID).references("categories"), Column("cents", \.cents),
    Column("date", \.date), Column("repeatedID", \.repeatedID).references("expenses"))
}

extension Expense {
  init(
    _ id: Int, _ title: String, _ category: Category?, cents: Int, on day: String,
    repeats other: Int? = nil
  ) {
    let date = try? Date("\(day)T12:00:00Z", strategy: .iso8601)
    self.init(
      id: id, title: title, categoryID: category?.id, cents: cents, date: date ?? .distantPast,
      repeatedID: other)
  }
}

struct Receipt: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var expenseID: Int
  var file: String

  static let table = Table(
    "receipts", Receipt.init(id:expenseID:file:),
    Column("id", \.id).primaryKey(),
    Column("expenseID", \.expenseID).references("expenses"), Column("file", \.file))
}
