import TestSupport
import Testing

@testable import Offshore

struct ColumnOrderTests {
  private struct Pair: Record, Equatable {
    let first: String
    let second: String
    static let table = Table(
      "pairs", Pair.init, Column("first", \.first), Column("second", \.second))
  }

  @Test
  func `Columns that change places between two runs of a statement are still decoded correctly`()
    throws
  {
    let folder = try TemporaryFolder()
    let (one, other) = (
      try Connection(folder.file("a.sqlite")), try Connection(folder.file("a.sqlite"))
    )
    try one.write { writer in
      try SQL("CREATE TABLE pairs (first TEXT NOT NULL, second TEXT NOT NULL)").run(writer)
      try Pair(first: "1", second: "2").insert(writer)
    }
    let all: SQL = "SELECT * FROM pairs"
    let expected = [Pair(first: "1", second: "2")]
    #expect(try one.read { try all.all($0, as: Pair.self) } == expected)
    try other.write { writer in
      try SQL("ALTER TABLE pairs RENAME TO old").run(writer)
      try SQL("CREATE TABLE pairs AS SELECT second, first FROM old").run(writer)
      try SQL("DROP TABLE old").run(writer)
    }
    #expect(try one.read { try all.all($0, as: Pair.self) } == expected)
  }
}
