import Foundation
import Offshore

/// A process to be killed: opens a database and writes to it, and says what has been answered.
///
///     fault-writer storm PATH WRITERS    writes until it is killed
///     fault-writer open PATH NAME        opens a new or old file, writes one row, and ends
@main
struct FaultWriter {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      FileHandle.standardError.write(
        Data("usage: fault-writer storm|open PATH WRITERS|NAME\n".utf8))
      exit(2)
    }
    let database = try Database(arguments[2], migrations: migrations)
    if arguments[1] == "open" {
      try await database.write { try Entry(writer: arguments[3], number: 0).insert($0) }
      await database.close()
    } else {
      try await storm(database, writers: Int(arguments[3]) ?? 8)
    }
  }

  /// Several steps, as the file of an app has them.
  private static let migrations: Migrations = [
    Migration("v1_createEntries") { try SQL(Entry.creation).run($0) },
    Migration("v2_indexWriters") { try SQL("CREATE INDEX writers ON entries (writer)").run($0) },
    Migration("v3_createNotes") { try SQL("CREATE TABLE notes (text TEXT NOT NULL)").run($0) },
  ]

  /// Numbers rows by writer, and prints each once its write has been answered.
  private static func storm(_ database: Database, writers: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in 0..<writers {
        group.addTask {
          for number in 0... {
            let entry = Entry(writer: "\(name)", number: number)
            try await database.write { try entry.insert($0) }
            // One call for a line, so that a line is there whole or not at all.
            FileHandle.standardOutput.write(Data("\(name) \(number)\n".utf8))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

private struct Entry: Record {
  let writer: String
  let number: Int
  var payload = String(repeating: "offshore ", count: 20)

  init(writer: String, number: Int) {
    self.writer = writer
    self.number = number
  }

  init(writer: String, number: Int, payload: String) {
    self.init(writer: writer, number: number)
    self.payload = payload
  }

  static let creation: SQL = """
    CREATE TABLE entries (
      writer TEXT NOT NULL, number INTEGER NOT NULL, payload TEXT NOT NULL,
      PRIMARY KEY (writer, number))
    """

  static let table = Table(
    "entries", Entry.init(writer:number:payload:),
    Column("writer", \.writer).primaryKey(),
    Column("number", \.number).primaryKey(),
    Column("payload", \.payload))
}
