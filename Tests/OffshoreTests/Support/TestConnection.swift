import TestSupport

@testable import Offshore

/// A connection to a separate file, in a folder that is removed with it.
final class TestConnection {
  let folder: TemporaryFolder
  let connection: Connection

  /// Opens a new file and runs statements that create its schema.
  init(_ creation: SQL...) throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    connection = try Connection(folder.file("test.sqlite"), configuration: configuration)
    for sql in creation { try connection.execute(sql) }
  }

  deinit { connection.close() }
}

extension Connection {
  /// Returns the first column of each row of a query, as text.
  func texts(_ sql: SQL) throws -> [String] {
    try fetch(sql) { try $0.value(String.self) }
  }

  /// Runs statements in one write.
  func change(_ sql: SQL) throws {
    try write { writer in _ = try writer.connection.run(sql) }
  }

  /// Returns the first column of the first row of a query, as a number.
  func number(_ sql: SQL) throws -> Int? {
    try fetch(sql) { try $0.value(Int.self) }.first
  }
}

/// Returns the database error that a closure throws.
func databaseError(_ body: () throws -> Void) -> DatabaseError? {
  do {
    try body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}
