import Foundation
import TestSupport
import Testing

@testable import Offshore

/// Statements that a connection finds by an index instead of a text.
struct RepeatedStatementsTests {
  /// A row with so many columns that their sets exceed the connection's cache.
  private struct Wide: Record, Equatable {
    let area: String
    let number: Int
    var a = 0
    var b = 0
    var c = 0
    var d = 0
    var e = 0
    var f = 0
    var g = 0
    var h = 0
    var i = 0
    var note: Double = 0

    static let table = Table(
      "wides", Wide.init(area:number:a:b:c:d:e:f:g:h:i:note:),
      Column("area", \.area).primaryKey(), Column("number", \.number).primaryKey(),
      Column("a", \.a), Column("b", \.b), Column("c", \.c), Column("d", \.d), Column("e", \.e),
      Column("f", \.f), Column("g", \.g), Column("h", \.h), Column("i", \.i),
      Column("note", \.note))

    /// Returns the row with 1 in the columns of a number's bits.
    func with(_ bits: Int) -> Wide {
      func bit(_ place: Int) -> Int { bits >> place & 1 }
      return Wide(
        area: area, number: number, a: bit(0), b: bit(1), c: bit(2), d: bit(3), e: bit(4),
        f: bit(5), g: bit(6), h: bit(7), i: bit(8))
    }
  }

  private let folder: TemporaryFolder
  private let connection: Connection
  private let row = Wide(area: "Kornati", number: 1)

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("a.sqlite"))
    try connection.write { writer in
      try writer.create(Wide.table)
      try row.insert(writer)
      try Wide(area: "Kornati", number: 2, note: 7).insert(writer)
    }
  }

  private func rows() throws -> [Wide] {
    try connection.read { try Wide.order { $0.number }.all($0) }
  }

  @Test
  func `Each set of changed columns is written, and only a limited number of statements is cached`()
    throws
  {
    var current = row
    for bits in 1..<512 {
      let next = row.with(bits)
      try connection.write { try current.update(changing: next, $0) }
      current = next
      #expect(try rows() == [next, Wide(area: "Kornati", number: 2, note: 7)])
    }
    // All sets, from all columns to none.
    for bits in stride(from: 511, to: 0, by: -7) {
      try connection.write { writer in
        try current.update(changing: row, writer)
        try row.update(changing: row.with(bits), writer)
      }
      current = row.with(bits)
    }
    #expect(try rows().first == current)
    #expect(connection.repeated.count < 300)
  }

  @Test func `A statement is cached until the schema changes`() throws {
    try connection.write { try row.update(changing: row.with(1), $0) }
    let count = connection.repeated.count
    try connection.write { try row.with(1).update(changing: row.with(0), $0) }
    #expect(connection.repeated.count == count)
    try connection.execute("ALTER TABLE wides ADD COLUMN z")
    #expect(connection.repeated.count < count)
    try connection.write { try row.update(changing: row.with(2), $0) }
    #expect(try rows().first == row.with(2))
  }

  @Test func `A deletion deletes only the row of the whole key`() throws {
    #expect(try connection.write { try row.delete($0) })
    #expect(try rows().map(\.number) == [2])
    #expect(try !connection.write { try row.delete($0) })
    #expect(try !connection.write { try Wide(area: "Vis", number: 2).delete($0) })
  }

  @Test func `A value that cannot be stored is refused with its column, and the key`() throws {
    var broken = row.with(1)
    broken.note = .nan
    let error = databaseError { try connection.write { try row.update(changing: broken, $0) } }
    #expect(error?.code == .invalidValue && error?.table == "wides" && error?.column == "note")
    #expect(error?.rowKey == [.text("Kornati"), .integer(1)])
    #expect(try rows().first == row)
  }

  @Test func `A statement that runs is not used a second time at once`() throws {
    try connection.execute(
      """
      CREATE TRIGGER wides_follow AFTER UPDATE OF a ON wides WHEN new.number = 1 BEGIN
        UPDATE wides SET a = new.a WHERE number = 2;
      END
      """)
    try connection.write { try row.update(changing: row.with(1), $0) }
    #expect(try rows().map(\.a) == [1, 1])
  }
}
