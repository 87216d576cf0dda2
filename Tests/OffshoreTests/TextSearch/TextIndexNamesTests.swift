import TestSupport
import Testing

@testable import Offshore

/// Text indexes of tables with names that begin alike.
struct TextIndexNamesTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("app.sqlite"))
  }

  private func hits(_ word: String, in table: String) throws -> Int? {
    let index = TextIndexNames(table: table).index
    return try connection.read { _ in
      try connection.number(
        "SELECT count(*) FROM \(identifier: index) WHERE \(identifier: index) MATCH \(word)")
    }
  }

  @Test(arguments: [
    "rows", "keys", "queue", "index", "data", "idx", "content", "docsize", "config", "inserted",
    "changing", "moved", "deleting", "index_docsize",
  ])
  func `A text index leaves that of a table alone whose name is its own and an ending`(
    _ ending: String
  ) throws {
    let tables = ["job", "job_\(ending)"]
    let upkeep = TextIndexUpkeep(connection)
    try connection.write { writer throws in
      for table in tables {
        try writer.run(
          "CREATE TABLE \(identifier: table) (id TEXT PRIMARY KEY NOT NULL, text TEXT)")
        try writer.run("INSERT INTO \(identifier: table) VALUES ('a', 'tea')")
        try upkeep.create(TextIndexNames(table: table), columns: ["text"])
      }
    }
    for remade in tables {
      try connection.write { writer throws in
        try upkeep.drop(TextIndexNames(table: remade))
        try upkeep.create(TextIndexNames(table: remade), columns: ["text"])
        for table in tables {
          try writer.run("INSERT INTO \(identifier: table) VALUES (\(remade), 'rye')")
        }
      }
    }
    for table in tables {
      #expect(try hits("tea", in: table) == 1)
      #expect(try hits("rye", in: table) == 2)
      try connection.write { _ in try upkeep.verify(table) }
    }
    #expect(try upkeep.tables().sorted() == tables.sorted())
  }
}
