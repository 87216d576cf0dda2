import Foundation
import Testing

@testable import Offshore

/// Keys that are not a single column of text.
struct KeyShapeTests {
  private struct Berth: Record, Equatable {
    var harbor: String
    var number: Int
    var length: Double

    static let table = Table(
      "berths", Berth.init, Column("harbor", \.harbor).primaryKey(),
      Column("number", \.number).primaryKey(), Column("length", \.length)
    ).withoutRowID()
  }

  private struct Entry: Record, Equatable {
    var id: Int64?
    var text: String
    var stamp: String?

    static let table = Table(
      "entries", Entry.init, Column("id", \.id).primaryKey(), Column("text", \.text),
      Column("stamp", \.stamp))
  }

  private struct Tag: Record, Equatable {
    var name: String
    static let table = Table("tags", Tag.init, Column("name", \.name).primaryKey())
  }

  private struct Loose: Record, Equatable {
    var text: String
    static let table = Table("loose", Loose.init, Column("text", \.text))
  }

  private struct Numbered: Record, Identifiable, Equatable {
    let number: Int
    var id: Int

    static let table = Table(
      "numbered", Numbered.init, Column("number", \.number).primaryKey(),
      Column("id", \.id).unique())
  }

  private struct Renamed: Record, Identifiable, Equatable {
    let number: Int
    var size: Int
    var id: Int { number }

    static let table = Table(
      "numbered", Renamed.init, Column("number", \.number).primaryKey(), Column("id", \.size))
  }

  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws {
    test = try TestConnection(
      """
      CREATE TABLE berths (harbor TEXT, number INTEGER, length REAL, PRIMARY KEY (harbor, number))
        WITHOUT ROWID
      """,
      "CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, stamp TEXT)",
      "CREATE TABLE tags (name TEXT PRIMARY KEY)", "CREATE TABLE loose (text TEXT)",
      "CREATE TABLE numbered (number INTEGER PRIMARY KEY NOT NULL, id INTEGER NOT NULL UNIQUE)")
  }

  @Test func `A row is not found by an id that is a column other than the key`() throws {
    try connection.write { try Numbered.insert(contentsOf: [.init(number: 1, id: 2)], $0) }
    for id in 1...2 {
      let error = databaseError { _ = try connection.read { try Numbered.find(id).first($0) } }
      #expect(error?.code == .declaration)
    }
  }

  @Test func `A row is found by an id that is computed from the key`() throws {
    try connection.write { try Renamed(number: 1, size: 2).insert($0) }
    #expect(try connection.read { try Renamed.find(1).first($0) } == Renamed(number: 1, size: 2))
    #expect(try connection.read { try Renamed.find(2).first($0) } == nil)
  }

  @Test func `A key of two columns finds, updates, saves, and deletes its row only`() throws {
    var one = Berth(harbor: "Biograd", number: 1, length: 10)
    let others = [
      Berth(harbor: "Biograd", number: 2, length: 20),
      Berth(harbor: "Zadar", number: 1, length: 30),
    ]
    try connection.write { [one] in try Berth.insert(contentsOf: [one] + others, $0) }
    one.length = 11
    try connection.write { [one] in try one.update($0) }
    one.length = 12
    try connection.write { [one] in try one.save($0) }
    #expect(try connection.read { try Berth.where { $0.length == 12 }.all($0) } == [one])
    let isDeleted = try connection.write { [one] in try one.delete($0) }
    #expect(isDeleted)
    #expect(try connection.read { try Berth.order { $0.length }.all($0) } == others)
  }

  @Test func `The error of a composite key names all its columns`() throws {
    let berth = Berth(harbor: "Biograd", number: 1, length: 10)
    let error = databaseError { try connection.write { try berth.update($0) } }
    #expect(error?.rowKey == [.text("Biograd"), .integer(1)])
    let twice = databaseError {
      try connection.write { try Berth.insert(contentsOf: [berth, berth], $0) }
    }
    #expect(twice?.constraint == "berths.harbor, berths.number")
    #expect(twice?.table == "berths")
  }

  @Test func `A row inserted without its number is returned with the number that it got`() throws {
    let entries = try connection.write { writer in
      try ["a", "b"].map { try Entry(id: nil, text: $0).inserted(writer) }
    }
    #expect(entries.map(\.id) == [1, 2])
    #expect(try connection.read { try Entry.all.all($0) } == entries)
  }

  @Test func `Values that a trigger sets before the row is stored are returned`() throws {
    try connection.execute(
      """
      CREATE TRIGGER stamp BEFORE INSERT ON entries WHEN new.stamp IS NULL
      BEGIN INSERT INTO entries (text, stamp) VALUES (new.text, 'by trigger'); SELECT RAISE(IGNORE); END
      """)
    let error = databaseError {
      try connection.write { _ = try Entry(id: nil, text: "a").inserted($0) }
    }
    // The trigger deleted the row and stored another, so no row can be returned.
    #expect(error?.code == .notFound)
  }

  @Test func `A constraint refuses an inserted row that is returned like any other`() throws {
    let error = databaseError {
      try connection.write { writer in
        _ = try Entry(id: 5, text: "a").inserted(writer)
        _ = try Entry(id: 5, text: "b").inserted(writer)
      }
    }
    #expect(error?.constraint == "entries.id")
    #expect(try connection.number("SELECT count(*) FROM entries") == 0)
  }

  @Test func `A table of key columns only can be saved and updated`() throws {
    let tag = Tag(name: "red")
    try connection.write { writer in
      try tag.save(writer)
      try tag.save(writer)
      try tag.update(writer)
    }
    #expect(try connection.read { try Tag.all.all($0) } == [tag])
  }

  @Test func `A table without a key can be inserted into but not updated, saved, or deleted from`()
    throws
  {
    let row = Loose(text: "a")
    try connection.write { try row.insert($0) }
    let works: [(Writer) throws -> Void] = [
      { try row.update($0) }, { try row.save($0) }, { _ = try row.delete($0) },
      { try row.update(changing: Loose(text: "b"), $0) },
    ]
    for work in works {
      let error = databaseError { try connection.write(work) }
      #expect(error?.code == .declaration)
      #expect(error?.message.contains("primaryKey()") == true)
    }
    #expect(try connection.read { try Loose.all.all($0) } == [row])
  }

  @Test func `A key of NULL matches no row`() throws {
    try connection.write { try Entry(id: nil, text: "a").insert($0) }
    let isDeleted = try connection.write { try Entry(id: nil, text: "a").delete($0) }
    #expect(!isDeleted)
    let error = databaseError { try connection.write { try Entry(id: nil, text: "b").update($0) } }
    #expect(error?.code == .notFound)
  }
}
