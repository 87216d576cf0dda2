import Foundation
import Offshore
import TestSupport
import Testing

// The examples of the article “Getting started”; Tests/Gates holds the two to the same lines.

private struct Book: Identifiable, Equatable, Sendable {
  let id: UUID
  var title: String
  var author: String
  var finishedOn: Date?
}

extension Book: Record {
  fileprivate static let table = Table(
    "books", Book.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("author", \.author).indexed(),
    Column("finishedOn", \.finishedOn))
}

struct GettingStartedArticleTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("books.sqlite")
  }

  @Test func `The examples of the article`() async throws {
    // swift-format-ignore
    let database = try Database(path, migrations: [
      Migration("v1_createBooks", .create(Book.table))
    ])

    let book = Book(id: UUID(), title: "Sailing Alone Around the World", author: "Slocum")
    try await database.write { writer in
      try book.insert(writer)
      try Book(id: UUID(), title: "The Long Way", author: "Moitessier").insert(writer)
    }

    try await database.write { writer in
      var finished = book
      finished.finishedOn = Date()
      try finished.update(writer)
      // swift-format-ignore
      try Book.where { $0.author == "Moitessier" }.update(writer) { [$0.title.set("La Longue Route")] }
    }

    let unread = Book.where { $0.finishedOn == nil }.order { $0.title }
    let books = try await database.read { try unread.all($0) }
    let first = try await database.read { try Book.find(book.id).first($0) }
    let count = try await database.read { try Book.all.count($0) }
    #expect(books.map(\.title) == ["La Longue Route"])
    #expect(first?.finishedOn != nil)
    #expect(count == 2)

    try await database.write { _ = try Book.where { $0.author == "Moitessier" }.delete($0) }
    var deliveries = 0
    for try await books in database.values(of: unread) {
      deliveries += 1
      if books.isEmpty { break }
    }
    #expect(deliveries == 1)

    var message = ""
    do {
      try await database.write { try book.insert($0) }
    } catch let error as DatabaseError where error.code == .constraint {
      message = error.message
    }
    #expect(message.contains("books"))
    await database.close()
  }
}
