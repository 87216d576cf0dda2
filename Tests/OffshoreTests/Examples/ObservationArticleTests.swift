import Foundation
import Offshore
import TestSupport
import Testing

// The examples of the article “Observation”; Tests/Gates holds the two to the same lines.

@Suite(.timeLimit(.minutes(1)))
struct ObservationArticleTests {
  private let ledger: Ledger
  private let path: String
  private let database: Database

  init() throws {
    ledger = try Ledger()
    path = ledger.path
    database = try Database(path)
  }

  @Test func `A query is observed`() async throws {
    let connection = ledger.connection
    let dear = Expense.where { $0.cents > 2_000 }.order { $0.date }
    var titles: [[String]] = []
    for try await expenses in database.values(of: dear) {
      titles.append(expenses.map(\.title))
      if expenses.count == 3 {
        try connection.write {
          try Expense(7, "Sail", nil, cents: 9_000, on: "2026-07-01").insert($0)
        }
      }
      if expenses.count == 4 { break }
    }
    #expect(titles.map(\.count) == [3, 4] && titles.last?.contains("Sail") == true)
    await database.close()
  }

  @Test func `A closure reads several queries`() async throws {
    struct Overview: Equatable, Sendable {
      var expenses: Int
      var categories: [Category]
    }

    let overview = database.values { reader in
      try Overview(expenses: Expense.all.count(reader), categories: Category.all.all(reader))
    }
    var iterator = overview.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?.expenses == 6)
    #expect(first?.categories.count == 3)
    await database.close()
  }

  @Test func `An observation reports why it fetched`() async throws {
    let values = database.values(of: Category.all)
    var iterator = values.makeAsyncIterator()
    let first = try await iterator.next()
    try await database.write { try Category(id: 4, name: "Fuel", limit: nil).insert($0) }
    let second = try await iterator.next()
    #expect(first?.count == 3)
    #expect(second?.count == 4)
    #expect(values.explain() == "commit 1 changed rows of categories")
    await database.close()
  }

  @Test func `Databases of one file observe each other`() async throws {
    let second = try Database(path)
    var names = second.values(of: Category.all.select { $0.name }).makeAsyncIterator()
    let before = try await names.next()
    try await database.write { try Category(id: 5, name: "Crew", limit: nil).insert($0) }
    let after = try await names.next()
    #expect(before?.contains("Crew") == false)
    #expect(after?.contains("Crew") == true)
    await second.close()
    await database.close()
  }

  @Test func `A file is watched`() async throws {
    var messages: [String] = []
    if let error = database.watchError {
      messages.append(error.message)
    }
    #expect(messages.isEmpty)
    await database.close()
  }

  @Test func `A file that is deleted ends in an error`() async throws {
    var counts: [Int] = []
    var messages: [String] = []
    do {
      for try await expenses in database.values(of: Expense.all) {
        counts.append(expenses.count)
        try FileManager.default.removeItem(atPath: path)
      }
    } catch let error as DatabaseError where error.code == .fileRemoved {
      messages.append(error.message)
    }
    #expect(counts == [6])
    #expect(messages.count == 1)
    await database.close()
  }
}
