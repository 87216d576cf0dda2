import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Offshore

@Suite(.timeLimit(.minutes(1)))
struct RowInsertionTests {
  private let folder: TemporaryFolder
  private let connection: Connection
  private let trace = Trace()

  /// The inserting statements that a connection has run.
  private final class Trace: Sendable {
    private let statements = Mutex<[String]>([])

    func add(_ statement: TracedStatement) {
      // Those of the text index are not counted.
      guard statement.sql.hasPrefix("INSERT"), !statement.sql.contains("_text_") else { return }
      statements.withLock { $0.append(statement.sql) }
    }

    /// The number of inserting statements since the last call, or since the beginning.
    func takeCount() -> Int {
      statements.withLock { statements in
        defer { statements = [] }
        return statements.count
      }
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.trace = trace.add
    connection = try Connection(folder.file("rows.sqlite"), configuration: configuration)
    try connection.migrate([
      Migration("v1") { writer in
        try writer.create(Recipe.table)
        try writer.create(Remark.table)
        try writer.create(Branch.table)
        try writer.create(Weight.table)
        try writer.create(Remark.index)
        try writer.create(Branch.index)
        try writer.create(Weight.index)
      }
    ])
    try connection.write { try Recipe(1, "bread").insert($0) }
    _ = trace.takeCount()
  }

  private func remarks(_ count: Int) -> [Remark] {
    (0..<count).map { Remark(id: UUID(), text: "remark \($0)", recipeID: 1) }
  }

  /// Inserts rows in a write that catches the error.
  /// - Returns: The error.
  private func insert<Row: Record>(_ rows: [Row]) throws -> DatabaseError? {
    try connection.write { writer in
      do {
        try Row.insert(contentsOf: rows, writer)
        return nil
      } catch let error as DatabaseError {
        return error
      }
    }
  }

  // MARK: - Sharing

  @Test func `Rows of a table with triggers and references share statements`() throws {
    // Four times 64, then 32 and 8 of them, and the last four by one each.
    let rows = remarks(300)
    #expect(try insert(rows) == nil)
    #expect(trace.takeCount() == 4 + 2 + 4)
    try connection.write { writer in
      #expect(Set(try Remark.all.all(writer).map(\.id)) == Set(rows.map(\.id)))
      #expect(try Remark.all.order { $0.text }.all(writer).first == rows[0])
      #expect(try Remark.matching("299", in: Remark.index).all(writer) == [rows[299]])
      try writer.verify(Remark.index)
    }
  }

  @Test func `Rows are stored in their order`() throws {
    let rows = remarks(150)
    #expect(try insert(rows) == nil)
    let stored = try connection.read {
      try SQL("SELECT text FROM remarks ORDER BY rowid").all($0, as: String.self)
    }
    #expect(stored == rows.map(\.text))
  }

  @Test func `A table with few possible parameters has fewer rows in a statement`() throws {
    let former = sqlite3_limit(connection.handle, SQLITE_LIMIT_VARIABLE_NUMBER, 30)
    defer { sqlite3_limit(connection.handle, SQLITE_LIMIT_VARIABLE_NUMBER, former) }
    #expect(try insert(remarks(17)) == nil)
    #expect(trace.takeCount() == 2 + 1)
  }

  @Test func `Rows of a table without references, or with a trigger of the app, have one each`()
    throws
  {
    #expect(try insert((2..<102).map { Recipe($0, "tea") }) == nil)
    #expect(trace.takeCount() == 100)
    try connection.change("CREATE TRIGGER app AFTER INSERT ON remarks BEGIN SELECT 1; END")
    #expect(try insert(remarks(100)) == nil)
    #expect(trace.takeCount() == 100)
  }

  // MARK: - Refusals

  @Test(arguments: [0, 70, 127, 128, 139])
  func `The error names the refused row, and the rows before it stay`(place: Int) throws {
    var rows = remarks(140)
    rows[place].recipeID = 7
    let error = try #require(try insert(rows))
    #expect(error.code == .constraint && error.column == "recipeID")
    #expect(error.rowKey == Remark.table.key(of: rows[place]))
    let stored = try connection.read { try Remark.all.all($0) }
    #expect(Set(stored.map(\.id)) == Set(rows.prefix(place).map(\.id)))
    try connection.write { try $0.verify(Remark.index) }
  }

  @Test func `A key that occurs twice refuses the second row`() throws {
    var rows = remarks(100)
    rows[80] = Remark(id: rows[10].id, text: "again", recipeID: 1)
    let error = try #require(try insert(rows))
    #expect(error.code == .constraint && error.rowKey == Remark.table.key(of: rows[10]))
    #expect(try connection.read { try Remark.all.count($0) } == 80)
  }

  @Test func `A value that cannot be stored is named, and the rows before it stay`() throws {
    var rows = (0..<90).map { Weight(id: "\($0)", name: "tea", grams: 1, recipeID: 1) }
    rows[66].grams = .nan
    let error = try #require(try insert(rows))
    #expect(error.code == .invalidValue && error.column == "grams")
    #expect(error.rowKey == [.text("66")])
    #expect(try connection.read { try Weight.all.count($0) } == 66)
    #expect(trace.takeCount() == 1 + 2)
  }

  @Test func `A row before the row that it refers to is refused in a long list, too`() throws {
    var rows = (0..<200).map { Branch(id: "\($0)", name: "tea") }
    rows[20].parentID = "30"
    let error = try #require(try insert(rows))
    #expect(error.code == .constraint && error.rowKey == [.text("20")])
    #expect(try connection.read { try Branch.all.count($0) } == 20)
  }
}

/// A record with a text index that refers to others of its table.
private struct Branch: Identifiable, Equatable, Sendable, Record {
  let id: String
  var name: String
  var parentID: String?

  static let table = Table(
    "branches", Branch.init(id:name:parentID:), Column("id", \.id).primaryKey(),
    Column("name", \.name), Column("parentID", \.parentID).references("branches"))

  static let index = TextIndex(of: table, \.name)
}

/// A record with a text index that refers to another table, and with a number.
private struct Weight: Identifiable, Equatable, Sendable, Record {
  let id: String
  var name: String
  var grams: Double
  var recipeID: Int

  static let table = Table(
    "weights", Weight.init(id:name:grams:recipeID:), Column("id", \.id).primaryKey(),
    Column("name", \.name), Column("grams", \.grams),
    Column("recipeID", \.recipeID).references("recipes"))

  static let index = TextIndex(of: table, \.name)
}
