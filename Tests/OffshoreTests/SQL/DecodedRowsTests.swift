import Foundation
import TestSupport
import Testing

@testable import Offshore

/// Results of SQL as values of structs that are not records.
struct DecodedRowsTests {
  private struct Stay: Decodable, Equatable {
    enum Kind: String, Decodable { case berth, buoy }

    var id: UUID
    var harbour: String
    var nights: Int
    var price: Double?
    var since: Date
    var isPaid: Bool
    var kind: Kind
    var tags: [String]
  }

  private let fixture: QueryFixture

  init() throws { fixture = try QueryFixture() }

  private func stays(_ columns: SQL) throws -> [Stay] {
    try fixture.connection.read { try SQL("SELECT \(columns)").all($0, as: Stay.self) }
  }

  @Test func `Columns are found by the names of properties, in any order`() throws {
    let (id, since) = (UUID(), Date(timeIntervalSinceReferenceDate: 1.5))
    let found = try stays(
      """
      \(["a", "b"].json) AS tags, 'buoy' AS kind, 1 AS isPaid, \(since) AS since, NULL AS price,
      3 AS nights, 'Vis' AS harbour, \(id) AS id, 'more' AS unused
      """)
    #expect(
      found == [
        Stay(
          id: id, harbour: "Vis", nights: 3, price: nil, since: since, isPaid: true, kind: .buoy,
          tags: ["a", "b"])
      ])
  }

  @Test func `A missing column and an invalid value are named`() throws {
    let missing = #expect(throws: DatabaseError.self) { try stays("1 AS id") }
    #expect(missing?.code == .invalidValue)
    #expect(missing?.column == "id")
    let name = #expect(throws: DatabaseError.self) { try stays("\(UUID()) AS id") }
    #expect(name?.code == .invalidSQL)
    #expect(name?.message.contains("no column “harbour”") == true)
  }

  private struct Harbour: Decodable, Equatable {
    var name: String
    var town: String
  }

  @Test func `Columns are found by their names also after another program has changed them`() throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("harbours.sqlite")
    let connection = try Connection(path)
    try connection.write { writer in
      try SQL("CREATE TABLE harbours (name TEXT, town TEXT)").run(writer)
      try SQL("INSERT INTO harbours VALUES ('Vis', 'Komiža')").run(writer)
    }
    let all = SQL("SELECT * FROM harbours")
    let expected = [Harbour(name: "Vis", town: "Komiža")]
    #expect(try connection.read { try all.all($0, as: Harbour.self) } == expected)
    try Connection(path).write { writer in
      try SQL("ALTER TABLE harbours RENAME COLUMN name TO former").run(writer)
      try SQL("ALTER TABLE harbours RENAME COLUMN town TO name").run(writer)
      try SQL("ALTER TABLE harbours RENAME COLUMN former TO town").run(writer)
    }
    #expect(
      try connection.read { try all.all($0, as: Harbour.self) }
        == [Harbour(name: "Komiža", town: "Vis")])
  }

  @Test func `One row, and no row`() throws {
    struct Count: Decodable { let count: Int }
    try fixture.connection.read { reader throws in
      #expect(try SQL("SELECT 2 AS count UNION SELECT 1").first(reader, as: Count.self)?.count == 1)
      #expect(try SQL("SELECT 2 AS count WHERE FALSE").first(reader, as: Count.self) == nil)
    }
  }
}

extension [String] {
  fileprivate var json: String { "[\(map { "\"\($0)\"" }.joined(separator: ","))]" }
}
