@testable import Offshore

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
