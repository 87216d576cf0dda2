import Testing

@testable import Offshore

struct ReadableRowsTests {
  private struct Berth: Record, Identifiable, Equatable {
    let id: Int
    var name: String
    var width: Double?
    static let table = Table(
      "berths", Berth.init, Column("id", \.id).primaryKey(), Column("name", \.name),
      Column("width", \.width))
  }

  private let test: TestConnection

  /// Creates ten berths, some with values that their columns cannot hold.
  init() throws {
    test = try TestConnection("CREATE TABLE berths (id INTEGER PRIMARY KEY, name, width)")
    try test.connection.change(
      """
      INSERT INTO berths
      SELECT value, 'B' || value, value * 1.5 FROM json_each('[1,2,3,4,5,6,7,8,9,10]')
      """)
  }

  private func damage(_ ids: Int...) throws {
    for id in ids { try test.connection.change("UPDATE berths SET name = x'00' WHERE id = \(id)") }
  }

  private func readable(_ query: Query<Berth>) throws -> ReadableRows<Berth> {
    try test.connection.read { try query.readable($0) }
  }

  private let byID = Berth.order { $0.id }

  @Test func `If all rows are readable, they equal the fetched ones`() throws {
    let list = try readable(byID)
    #expect(try list.rows == test.connection.read { try byID.all($0) })
    #expect(list.unreadable.isEmpty)
    #expect(list.count == 10)
  }

  @Test(arguments: [[1], [10], [1, 2, 3], [4, 5, 9, 10], Array(1...10)])
  func `Unreadable rows are left out, and reported in their order`(ids: [Int]) throws {
    for id in ids { try damage(id) }
    let list = try readable(byID)
    #expect(list.rows.map(\.id) == Array(1...10).filter { !ids.contains($0) })
    #expect(list.rows.map(\.name) == list.rows.map { "B\($0.id)" })
    #expect(list.unreadable.map(\.rowKey) == ids.map { [.integer(Int64($0))] })
    #expect(list.unreadable.allSatisfy { $0.table == "berths" && $0.column == "name" })
    #expect(list.unreadable.allSatisfy { $0.code == .invalidValue })
    #expect(list.count == 10)
  }

  /// The name of a berth.
  private struct BerthName: Equatable {
    let id: Int
    let name: String
    static let table = Table(
      "berths", BerthName.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  }

  @Test func `A part of the columns is read, whatever the others have`() throws {
    try test.connection.change("UPDATE berths SET width = 'wide' WHERE id = 3")
    try damage(5)
    let query = byID.where { $0.width > 4 }.limit(4)
    let list = try test.connection.read { try query.readable($0, as: BerthName.table) }
    #expect(list.rows == [3, 4, 6].map { BerthName(id: $0, name: "B\($0)") })
    #expect(list.unreadable.map(\.rowKey) == [[.integer(5)]])
  }

  @Test func `A part of another table is refused`() throws {
    let quays = Table(
      "quays", BerthName.init, Column("id", \.id).primaryKey(), Column("name", \.name))
    let error = try #require(throws: DatabaseError.self) {
      try test.connection.read { try byID.readable($0, as: quays) }
    }
    #expect(error.code == .declaration)
  }

  @Test func `A limit and an offset count readable and unreadable rows`() throws {
    try damage(2, 5)
    let pages = try stride(from: 0, to: 10, by: 4).map { try readable(byID.limit(4).offset($0)) }
    #expect(pages.map { $0.rows.map(\.id) } == [[1, 3, 4], [6, 7, 8], [9, 10]])
    #expect(pages.map(\.unreadable.count) == [1, 1, 0])
    #expect(pages.map(\.count) == [4, 4, 2])
  }

  @Test func `A row found by its key is readable, or is reported as the only unreadable one`()
    throws
  {
    try damage(3)
    #expect(try readable(Berth.find(4)).rows.map(\.name) == ["B4"])
    #expect(try readable(Berth.find(3)).unreadable.map(\.rowKey) == [[.integer(3)]])
    #expect(try readable(Berth.find(11)) == ReadableRows())
  }

  @Test func `An error that prevents the whole query is thrown`() throws {
    try damage(3)
    #expect(databaseError { _ = try readable(byID.limit(-1)) }?.code == .invalidSQL)
    try test.connection.change("ALTER TABLE berths RENAME COLUMN width TO breadth")
    #expect(databaseError { _ = try readable(byID) }?.code == .invalidSQL)
  }

  @Test func `Rows are mapped, and unreadable ones stay left out`() throws {
    try damage(2, 4, 6, 8, 10)
    let names = try readable(byID).map(\.name)
    #expect(names.rows == ["B1", "B3", "B5", "B7", "B9"])
    #expect(names.unreadable.count == 5)
    #expect(names != ReadableRows(rows: names.rows))
  }

  @Test func `An observed list fetches again when an unreadable row is repaired`() async throws {
    let database = try Database.temporary()
    try await database.write { writer in
      try writer.run("CREATE TABLE berths (id INTEGER PRIMARY KEY, name, width)")
      try writer.run("INSERT INTO berths VALUES (1, 'B1', 1.5), (2, 7, 2.5)")
    }
    let byID = byID
    var values = database.values { try byID.readable($0) }.makeAsyncIterator()
    #expect(try await values.next()?.rows.map(\.id) == [1])
    try await database.write { try $0.run("UPDATE berths SET name = 'B2' WHERE id = 2") }
    let mended = try await values.next()
    #expect(mended?.rows.map(\.id) == [1, 2])
    #expect(mended?.unreadable.isEmpty == true)
  }

  @Test func `Errors are equal if they report the same failure of the same row`() throws {
    try damage(2, 3)
    let first = try readable(byID).unreadable
    #expect(try readable(byID) == readable(byID))
    #expect(first[0] != first[1])
    #expect(first[0] == (try readable(Berth.find(2)).unreadable.first))
  }
}
