import Foundation
import Offshore

/// A process for tests to kill: it writes to a database and prints each answered write.
///
///     fault-writer storm PATH WRITERS    writes until it is killed
///     fault-writer open PATH NAME        opens or creates a file, writes one row, and exits
///     fault-writer backup PATH COPY      writes, and copies the file repeatedly, until it is
///     killed
///     fault-writer erase PATH MARK       fills a synced file with a text, erases it, and exits
@main
struct FaultWriter {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      FileHandle.standardError.write(
        Data("usage: fault-writer storm|open|backup|erase PATH WRITERS|NAME|COPY|MARK\n".utf8))
      exit(2)
    }
    guard arguments[1] != "erase" else {
      return try await ErasedStore.run(arguments[2], mark: arguments[3])
    }
    let database = try Database(arguments[2], migrations: migrations)
    if arguments[1] == "open" {
      try await database.write { try Entry(writer: arguments[3], number: 0).insert($0) }
      await database.close()
    } else if arguments[1] == "backup" {
      try await backUp(database, to: arguments[3])
    } else {
      try await storm(database, writers: Int(arguments[3]) ?? 8)
    }
  }

  /// Several migrations, as in the file of an app.
  private static let migrations: Migrations = [
    Migration("v1_createEntries") { try Entry.creation.run($0) },
    Migration("v2_indexWriters") { try SQL("CREATE INDEX writers ON entries (writer)").run($0) },
    Migration("v3_createNotes") { try SQL("CREATE TABLE notes (text TEXT NOT NULL)").run($0) },
  ]

  /// Copies a file during writes. Prints a line for each complete copy and, from the second copy
  /// on, for each step.
  private static func backUp(_ database: Database, to copy: String) async throws {
    try await database.write { writer in
      try SQL("CREATE TABLE totals (count INTEGER NOT NULL)").run(writer)
      try SQL("INSERT INTO totals VALUES (3000)").run(writer)
      for number in 0..<3000 { try Entry(writer: "first", number: number).insert(writer) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0... {
          try await database.write { writer in
            try Entry(writer: "storm", number: number).insert(writer)
            try SQL("UPDATE totals SET count = count + 1").run(writer)
          }
        }
      }
      try await database.backup(to: copy)
      say("whole")
      while true {
        try await database.backup(to: copy, replacesExisting: true) { _ in say("step") }
        say("whole")
      }
    }
  }

  /// Prints a line with one call, so that the output contains it as a whole or not at all.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Inserts numbered rows for each writer, and prints each one after its write was answered.
  private static func storm(_ database: Database, writers: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in 0..<writers {
        group.addTask {
          for number in 0... {
            let entry = Entry(writer: "\(name)", number: number)
            try await database.write { try entry.insert($0) }
            // One call prints a line as a whole or not at all.
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
